"""A network built operator by operator from numpy arrays, as `nn` IR.

Quantised operators compute what TensorFlow Lite computes with the same scales, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from xdsl.builder import Builder
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, TensorType, f32, i8, i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn_keys
from ...dialects.nn.attributes import ClampAttr, OriginAttr
from ...dialects.nn.constant import ConstantOp
from ...dialects.nn.conv import Conv2DOp, DepthwiseConv2DOp
from ...dialects.nn.elementwise import AddOp
from ...dialects.nn.matmul import FullyConnectedOp
from ...dialects.nn.pooling import AveragePool2DOp, MaxPool2DOp, Pool2D
from ...dialects.nn.quantise import DequantizeOp, QuantizeOp
from ...dialects.nn.shape import ReshapeOp
from ...dialects.nn.softmax import SoftmaxOp
from ...errors import InputError
from ...targets.identifiers import identifier
from ..emission import erase_unused, insert_sound
from ..tflite.padding import SAME, VALID, explicit_pads
from ..tflite.quantisation import (
    QuantisationError,
    quantize_real,
    rescale_add,
    rescale_per_channel,
    softmax_parameters,
)

Activation = Literal["none", "relu", "relu6"]
Padding = Literal["same", "valid"]
_BOUNDS: dict[str, tuple[float, float]] = {
    "none": (-math.inf, math.inf),
    "relu": (0.0, math.inf),
    "relu6": (0.0, 6.0),
}
_LEAST, _MOST = -128, 127
_ADD_SHIFT = 20
"""Head room of operands of a sum, as TensorFlow Lite gives it."""


@dataclass(frozen=True)
class Scale:
    """How int8 elements stand for reals: `scale * (element - zero_point)`."""

    scale: float
    """Positive; of float32."""
    zero_point: int = 0
    """From -128 to 127."""


@dataclass(frozen=True)
class Tensor:
    """A tensor inside a network; only the network that made it takes it."""

    value: SSAValue = field(repr=False)
    """The value in the IR."""
    shape: tuple[int, ...]
    """Images are [batch, rows, columns, channels]."""
    scale: Scale | None
    """Scale of int8 elements; None for float32."""
    network: Network = field(repr=False)
    """The network that made it."""


class Network:
    """Builds a network: each method adds an operator and returns its result.

    `stillpool.load(network)` makes the model that `stillpool.compile` takes.

    Example:
        >>> net = Network("line")
        >>> x = net.input("x", (1, 3))
        >>> net.output("y", net.dense(x, [[1.0, 2.0, 3.0]], [0.5]))
    """

    def __init__(self, name: str = "network"):
        self.name = name
        """Name of the model, and of its function in C."""
        self._block = Block()
        self._builder = Builder(InsertPoint.at_end(self._block))
        self._inputs: dict[str, Tensor] = {}
        self._outputs: dict[str, Tensor] = {}
        self._count = 0

    def input(self, name: str, shape: Sequence[int], scale: Scale | None = None) -> Tensor:
        """An input of the application.

        Args:
            name: as C and `Artifact.run` call it.
            shape: all dimensions; of images [batch, rows, columns, channels].
            scale: for int8 elements; float32 without.

        Raises:
            InputError: the name is taken, a dimension is not positive, or the scale is not one.
        """
        if name in self._inputs:
            raise self._wrong(f"there is an input '{name}' already")
        if any(size < 1 for size in shape):
            raise self._wrong(f"input '{name}' has the shape {list(shape)}; dimensions are at least 1")
        self._check(scale)
        argument = self._block.insert_arg(self._type(shape, scale), len(self._block.args))
        self._inputs[name] = Tensor(argument, tuple(shape), scale, self)
        return self._inputs[name]

    def output(self, name: str, tensor: Tensor) -> None:
        """Name a tensor as an output.

        Raises:
            InputError: the name is taken, or the tensor is another network's.
        """
        self._value(tensor)
        if name in self._outputs:
            raise self._wrong(f"there is an output '{name}' already")
        self._outputs[name] = tensor

    def conv2d(
        self,
        image: Tensor,
        weights: ArrayLike,
        bias: ArrayLike | None = None,
        *,
        strides: tuple[int, int] = (1, 1),
        padding: Padding = "same",
        dilations: tuple[int, int] = (1, 1),
        activation: Activation = "none",
        weight_scales: ArrayLike | None = None,
        scale: Scale | None = None,
    ) -> Tensor:
        """A convolution.

        Args:
            image: [batch, rows, columns, channels].
            weights: [results, rows, columns, channels]; float32, or int8 where the image is.
            bias: one for each result; float32, or int32 in steps of the image's scale times the weights'.
            strides: along rows and columns.
            padding: `same` for results at every stride, zeros around; `valid` for whole windows alone.
            dilations: along rows and columns.
            activation: what limits results.
            weight_scales: of int8 weights: one, or one for each result.
            scale: of int8 results.

        Raises:
            InputError: shapes or types do not go together, or a scale is missing or too many.
        """
        array = self._array(weights, image, "weights", 4)
        self._rank(image, 4, "conv2d")
        scaling = self._scaling(image, array.shape[0], weight_scales, activation, scale)
        operands = (self._value(image), *self._weights(image, array, array.shape[0], bias))
        groups = image.shape[3] // array.shape[3] if array.shape[3] else 0
        if groups * array.shape[3] != image.shape[3] or array.shape[0] % max(groups, 1):
            raise self._wrong(f"conv2d: weights {list(array.shape)} do not fit {list(image.shape)}")
        window = _Window.of(self, "conv2d", image, array.shape[1:3], strides, padding, dilations)
        made = Conv2DOp(
            *operands,
            strides=strides,
            pads=window.pads,
            dilations=dilations,
            output_type=self._type((image.shape[0], *window.results, array.shape[0]), scale),
            **scaling,
        )
        return self._made("conv2d", made, scale)

    def depthwise_conv2d(
        self,
        image: Tensor,
        weights: ArrayLike,
        bias: ArrayLike | None = None,
        *,
        strides: tuple[int, int] = (1, 1),
        padding: Padding = "same",
        dilations: tuple[int, int] = (1, 1),
        activation: Activation = "none",
        weight_scales: ArrayLike | None = None,
        scale: Scale | None = None,
    ) -> Tensor:
        """A convolution of each channel with its own filters.

        Args:
            image: as of `conv2d`.
            weights: [rows, columns, results], as many results for each channel in turn.
            bias: as of `conv2d`, as the following ones.
            strides: along rows and columns.
            padding: `same` or `valid`.
            dilations: along rows and columns.
            activation: what limits results.
            weight_scales: of int8 weights: one, or one for each result.
            scale: of int8 results.

        Raises:
            InputError: as of `conv2d`.
        """
        array = self._array(weights, image, "weights", 3)[None]
        self._rank(image, 4, "depthwise_conv2d")
        scaling = self._scaling(image, array.shape[3], weight_scales, activation, scale)
        operands = (self._value(image), *self._weights(image, array, array.shape[3], bias))
        if array.shape[3] % image.shape[3]:
            raise self._wrong(f"depthwise_conv2d: weights {list(array.shape[1:])} do not fit {list(image.shape)}")
        window = _Window.of(self, "depthwise_conv2d", image, array.shape[1:3], strides, padding, dilations)
        made = DepthwiseConv2DOp(
            *operands,
            strides=strides,
            pads=window.pads,
            dilations=dilations,
            output_type=self._type((image.shape[0], *window.results, array.shape[3]), scale),
            **scaling,
        )
        return self._made("depthwise_conv2d", made, scale)

    def dense(
        self,
        rows: Tensor,
        weights: ArrayLike,
        bias: ArrayLike | None = None,
        *,
        activation: Activation = "none",
        weight_scales: ArrayLike | None = None,
        scale: Scale | None = None,
    ) -> Tensor:
        """Products of rows with weights.

        Args:
            rows: [batch, elements].
            weights: [results, elements].
            bias: as of `conv2d`.
            activation: what limits results.
            weight_scales: of int8 weights: one, or one for each result.
            scale: of int8 results.

        Raises:
            InputError: as of `conv2d`.
        """
        array = self._array(weights, rows, "weights", 2)
        self._rank(rows, 2, "dense")
        if array.shape[1] != rows.shape[1]:
            raise self._wrong(f"dense: weights {list(array.shape)} do not fit {list(rows.shape)}")
        scaling = self._scaling(rows, array.shape[0], weight_scales, activation, scale)
        operands = (self._value(rows), *self._weights(rows, array, array.shape[0], bias))
        return self._made(
            "dense",
            FullyConnectedOp(*operands, output_type=self._type((rows.shape[0], array.shape[0]), scale), **scaling),
            scale,
        )

    def max_pool2d(
        self, image: Tensor, size: tuple[int, int], strides: tuple[int, int] | None = None, padding: Padding = "valid"
    ) -> Tensor:
        """The largest element of each window, which moves by its own size unless `strides` says otherwise.

        Raises:
            InputError: it is no image, or smaller than the window.
        """
        return self._pool("max_pool2d", MaxPool2DOp, image, size, strides, padding)

    def average_pool2d(
        self, image: Tensor, size: tuple[int, int], strides: tuple[int, int] | None = None, padding: Padding = "valid"
    ) -> Tensor:
        """The mean of each window, of what lies inside the image.

        Raises:
            InputError: as of `max_pool2d`.
        """
        return self._pool("average_pool2d", AveragePool2DOp, image, size, strides, padding)

    def add(
        self, first: Tensor, second: Tensor, *, activation: Activation = "none", scale: Scale | None = None
    ) -> Tensor:
        """The sum of two tensors, broadcast as numpy does; `scale` is that of int8 results.

        Raises:
            InputError: shapes or types do not go together, or a scale is missing or too small.
        """
        values = self._value(first), self._value(second)
        try:
            shape = np.broadcast_shapes(first.shape, second.shape)
        except ValueError as error:
            raise self._wrong(f"add: {list(first.shape)} and {list(second.shape)} do not broadcast") from error
        if first.scale is None or second.scale is None:
            if first.scale is not second.scale or scale is not None:
                raise self._wrong("add: both tensors and the result are float32, or all are int8")
            made = AddOp(*values, output_type=self._type(shape, None), clamp=self._clamp(activation, None))
            return self._made("add", made, None)
        scale = self._needed(scale, "add")
        scales = [first.scale, second.scale, scale]
        made = AddOp(
            *values,
            output_type=self._type(shape, scale),
            zero_points=[one.zero_point for one in scales],
            left_shift=_ADD_SHIFT,
            rescale=self._factors(rescale_add, *(_f32(one.scale) for one in scales), _ADD_SHIFT),
            clamp=self._clamp(activation, scale),
        )
        return self._made("add", made, scale)

    def softmax(self, tensor: Tensor) -> Tensor:
        """Softmax over the last dimension; of int8 elements with the scale 1/256 and the zero point -128.

        Raises:
            InputError: the scale is so small that every difference is lost.
        """
        value = self._value(tensor)
        if tensor.scale is None:
            return self._made("softmax", SoftmaxOp(value, output_type=self._type(tensor.shape, None), beta=1.0), None)
        rescale, least = self._factors(softmax_parameters, _f32(tensor.scale.scale), 1.0)
        scale = Scale(1 / 256, _LEAST)
        made = SoftmaxOp(value, output_type=self._type(tensor.shape, scale), rescale=rescale, diff_min=least)
        return self._made("softmax", made, scale)

    def reshape(self, tensor: Tensor, shape: Sequence[int]) -> Tensor:
        """Give the elements another shape; one dimension may be -1.

        Raises:
            InputError: the shape has another number of elements.
        """
        value = self._value(tensor)
        try:
            found = np.empty(tensor.shape, np.bool_).reshape(shape).shape
        except ValueError as error:
            raise self._wrong(f"reshape: {list(tensor.shape)} has no {list(shape)}") from error
        return self._made("reshape", ReshapeOp(value, self._type(found, tensor.scale)), tensor.scale)

    def flatten(self, tensor: Tensor) -> Tensor:
        """A row for each element of the batch."""
        return self.reshape(tensor, (tensor.shape[0], -1))

    def quantize(self, tensor: Tensor, scale: Scale) -> Tensor:
        """Floats as int8.

        Raises:
            InputError: the tensor is int8 already, or the scale is not one.
        """
        self._check(scale)
        if tensor.scale is not None:
            raise self._wrong("quantize: the tensor is int8 already")
        made = QuantizeOp(
            self._value(tensor),
            scale=_f32(scale.scale),
            zero_point=scale.zero_point,
            output_type=self._type(tensor.shape, scale),
        )
        return self._made("quantize", made, scale)

    def dequantize(self, tensor: Tensor) -> Tensor:
        """int8 as floats.

        Raises:
            InputError: the tensor is float32 already.
        """
        scale = self._needed(tensor.scale, "dequantize")
        made = DequantizeOp(
            self._value(tensor),
            scale=_f32(scale.scale),
            zero_point=scale.zero_point,
            output_type=self._type(tensor.shape, None),
        )
        return self._made("dequantize", made, None)

    def module(self) -> ModuleOp:
        """The network so far as a module of its own: one public function on tensors.

        Raises:
            InputError: there is no output yet.
        """
        if not self._outputs:
            raise self._wrong("there is no output; name one with output()")
        mapping: dict[SSAValue, SSAValue] = {}
        block = Block(arg_types=[argument.type for argument in self._block.args])
        mapping.update(zip(self._block.args, block.args, strict=True))
        for argument, name in zip(block.args, self._inputs, strict=True):
            argument.name_hint = identifier(name)
        for op in self._block.ops:
            block.add_op(op.clone(value_mapper=mapping))
        returned = [mapping[tensor.value] for tensor in self._outputs.values()]
        block.add_op(ReturnOp(*returned))
        types = [argument.type for argument in block.args], [value.type for value in returned]
        function = FuncOp(identifier(self.name), types, Region(block))
        function.arg_attrs = _attributes(self._inputs)
        function.res_attrs = _attributes(self._outputs)
        erase_unused(function)
        module = ModuleOp([function])
        module.verify()
        return module

    def _pool(
        self,
        what: str,
        kind: type[Pool2D],
        image: Tensor,
        size: tuple[int, int],
        strides: tuple[int, int] | None,
        padding: Padding,
    ) -> Tensor:
        self._rank(image, 4, what)
        strides = strides or size
        window = _Window.of(self, what, image, size, strides, padding, (1, 1))
        batch, channels = image.shape[0], image.shape[3]
        made = kind(
            self._value(image),
            kernel=size,
            strides=strides,
            pads=window.pads,
            output_type=self._type((batch, *window.results, channels), image.scale),
            clamp=self._clamp("none", image.scale),
        )
        return self._made(what, made, image.scale)

    def _weights(
        self, data: Tensor, array: np.ndarray[Any, Any], results: int, bias: ArrayLike | None
    ) -> tuple[SSAValue, SSAValue | None]:
        """Weights and bias as constants."""
        filter = self._constant(array, f32 if data.scale is None else i8, "weights")
        if bias is None:
            return filter, None
        numbers = np.asarray(bias)
        if numbers.shape != (results,):
            raise self._wrong(f"the bias has the shape {list(numbers.shape)}, not [{results}]")
        if data.scale is None:
            return filter, self._constant(numbers, f32, "bias")
        if numbers.dtype.kind not in "iu" or np.abs(numbers.astype(np.float64)).max(initial=0) > 2**31 - 1:
            raise self._wrong("the bias of int8 weights is int32")
        return filter, self._constant(numbers, i32, "bias")

    def _scaling(
        self,
        data: Tensor,
        results: int,
        weight_scales: ArrayLike | None,
        activation: Activation,
        scale: Scale | None,
    ) -> dict[str, Any]:
        """Zero points, factors and clamp of a sum of products."""
        if data.scale is None:
            if scale is not None or weight_scales is not None:
                raise self._wrong("scales are given, but the input is float32")
            return {"clamp": self._clamp(activation, None)}
        scale = self._needed(scale, "a sum of int8 products")
        if weight_scales is None:
            raise self._wrong("the scales of int8 weights are missing")
        scales = np.asarray(weight_scales, np.float32).reshape(-1)
        if scales.size not in (1, results) or not (scales > 0).all() or not np.isfinite(scales).all():
            raise self._wrong(f"int8 weights have one positive scale, or one for each of {results} results")
        own, to = _f32(data.scale.scale), _f32(scale.scale)
        factors = self._factors(rescale_per_channel, own, [float(one) for one in scales], to)
        zero_points = (data.scale.zero_point, 0, scale.zero_point)
        return {"zero_points": zero_points, "rescale": factors, "clamp": self._clamp(activation, scale)}

    def _clamp(self, activation: Activation, scale: Scale | None) -> ClampAttr | None:
        if activation not in _BOUNDS:
            raise self._wrong(f"there is no activation '{activation}', only {', '.join(_BOUNDS)}")
        lower, upper = _BOUNDS[activation]
        if scale is None:
            return None if activation == "none" else ClampAttr.get(lower, upper)
        least, most = _LEAST, _MOST
        if math.isfinite(lower):
            least = max(least, quantize_real(lower, _f32(scale.scale), scale.zero_point))
        if math.isfinite(upper):
            most = min(most, quantize_real(upper, _f32(scale.scale), scale.zero_point))
        return ClampAttr.get(least, most)

    def _factors(self, function: Any, *scales: Any) -> Any:
        """Call a function on scales."""
        try:
            return function(*scales)
        except QuantisationError as error:
            raise self._wrong(str(error)) from error

    def _array(self, given: ArrayLike, data: Tensor, what: str, rank: int) -> np.ndarray[Any, Any]:
        """Weights in the type of what they are multiplied with."""
        array = np.asarray(given)
        if array.ndim != rank or not array.size:
            raise self._wrong(f"{what} have {array.ndim} dimensions and {array.size} elements, not {rank} dimensions")
        if data.scale is not None and array.dtype != np.int8:
            raise self._wrong(f"{what} of an int8 tensor are int8, not {array.dtype}")
        if array.dtype.kind not in "fiu":
            raise self._wrong(f"{what} are {array.dtype}, not numbers")
        return array

    def _constant(self, array: np.ndarray[Any, Any], element: Attribute, what: str) -> SSAValue:
        made = ConstantOp.of(array, element)
        nn_keys.NAME.put(made.attributes, f"{what}_{self._count}")
        made.result.name_hint = what
        self._builder.insert(made)
        return made.result

    def _made(self, what: str, operation: Operation, scale: Scale | None) -> Tensor:
        """Append an operator; its result."""
        origin, name = OriginAttr.get(self._count, what, f"{what}_{self._count}"), f"{what}_{self._count}"
        self._count += 1
        (result,) = insert_sound(self._builder, operation, origin, name, lambda words: self._wrong(f"{what}: {words}"))
        type = result.type
        assert isinstance(type, TensorType), "operators have tensors as results"
        return Tensor(result, tuple(type.get_shape()), scale, self)

    def _value(self, tensor: Tensor) -> SSAValue:
        if tensor.network is not self:
            raise self._wrong("a tensor is another network's")
        return tensor.value

    def _rank(self, tensor: Tensor, rank: int, what: str) -> None:
        if len(tensor.shape) != rank:
            raise self._wrong(f"{what}: {list(tensor.shape)} has {len(tensor.shape)} dimensions, not {rank}")

    def _type(self, shape: Sequence[int], scale: Scale | None) -> TensorType[Any]:
        return TensorType(f32 if scale is None else i8, shape)

    def _needed(self, scale: Scale | None, what: str) -> Scale:
        if scale is None:
            raise self._wrong(f"{what} needs a scale")
        self._check(scale)
        return scale

    def _check(self, scale: Scale | None) -> None:
        if scale is None:
            return
        if not 0 < _f32(scale.scale) < math.inf or not _LEAST <= scale.zero_point <= _MOST:
            raise self._wrong(f"{scale} is no scale: it is positive, its zero point from -128 to 127")

    def _wrong(self, words: str) -> InputError:
        return InputError(f"network '{self.name}': {words}")


@dataclass(frozen=True)
class _Window:
    """Where the windows of an image lie."""

    pads: tuple[int, int, int, int]
    results: tuple[int, int]

    @staticmethod
    def of(
        network: Network,
        what: str,
        image: Tensor,
        size: Sequence[int],
        strides: tuple[int, int],
        padding: Padding,
        dilations: tuple[int, int],
    ) -> _Window:
        """Return the window of a size."""
        if padding not in ("same", "valid"):
            raise InputError(f"network '{network.name}': {what}: padding is same or valid, not '{padding}'")
        extents = image.shape[1:3]
        if min(*strides, *dilations, *size) < 1:
            raise InputError(f"network '{network.name}': {what}: sizes, strides and dilations are at least 1")
        pads = explicit_pads(extents, size, strides, dilations, SAME if padding == "same" else VALID)
        rows, columns = (
            (extent + before + after - (taps - 1) * dilation - 1) // stride + 1
            for extent, before, after, taps, dilation, stride in zip(
                extents, pads[::2], pads[1::2], size, dilations, strides, strict=True
            )
        )
        if rows < 1 or columns < 1:
            raise InputError(f"network '{network.name}': {what}: windows {list(size)} do not fit {list(image.shape)}")
        return _Window(pads, (rows, columns))


def _f32(number: float) -> float:
    """Round a number to float32, as files hold it."""
    return float(np.float32(number))


def _attributes(tensors: dict[str, Tensor]) -> ArrayAttr[DictionaryAttr]:
    """Names, and scales of int8 elements."""
    found: list[DictionaryAttr] = []
    for name, tensor in tensors.items():
        items = nn_keys.NAME.item(name)
        if tensor.scale is not None:
            nn_keys.SCALE.put(items, [_f32(tensor.scale.scale)])
            nn_keys.ZERO_POINT.put(items, [tensor.scale.zero_point])
        found.append(DictionaryAttr(items))
    return ArrayAttr(found)
