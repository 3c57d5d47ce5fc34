"""A network built operator by operator from numpy arrays, as `nn` IR.

Quantised operators compute what TensorFlow Lite computes with the same scales, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from numpy.typing import ArrayLike
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue

from ...dialects.nn.pooling import AveragePool2DOp, MaxPool2DOp
from ...errors import InputError
from .body import Body
from .function import module_of
from .products import Products
from .scale import Scale
from .scaling import Activation, check_scale
from .weightless import SOFTMAX_SCALE, add, dequantize, pool, quantize, reshape, softmax
from .window import Padding


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
        self._body = Body(self._wrong)
        self._inputs: dict[str, Tensor] = {}
        self._outputs: dict[str, Tensor] = {}

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
        check_scale(self._body, scale)
        self._inputs[name] = Tensor(self._body.argument(shape, scale), tuple(shape), scale, self)
        return self._inputs[name]

    def output(self, name: str, tensor: Tensor) -> None:
        """Name a tensor as an output.

        Raises:
            InputError: the name is taken, or the tensor is another network's.
        """
        self._body.value(tensor)
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
        products = Products(self._body, image, weights, bias, activation, weight_scales, scale)
        return self._made("conv2d", products.conv2d(strides, padding, dilations), scale)

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
        products = Products(self._body, image, weights, bias, activation, weight_scales, scale)
        return self._made("depthwise_conv2d", products.depthwise_conv2d(strides, padding, dilations), scale)

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
        products = Products(self._body, rows, weights, bias, activation, weight_scales, scale)
        return self._made("dense", products.dense(), scale)

    def max_pool2d(
        self, image: Tensor, size: tuple[int, int], strides: tuple[int, int] | None = None, padding: Padding = "valid"
    ) -> Tensor:
        """The largest element of each window, which moves by its own size unless `strides` says otherwise.

        Raises:
            InputError: it is no image, or smaller than the window.
        """
        made = pool(self._body, "max_pool2d", MaxPool2DOp, image, size, strides, padding)
        return self._made("max_pool2d", made, image.scale)

    def average_pool2d(
        self, image: Tensor, size: tuple[int, int], strides: tuple[int, int] | None = None, padding: Padding = "valid"
    ) -> Tensor:
        """The mean of each window, of what lies inside the image.

        Raises:
            InputError: as of `max_pool2d`.
        """
        made = pool(self._body, "average_pool2d", AveragePool2DOp, image, size, strides, padding)
        return self._made("average_pool2d", made, image.scale)

    def add(
        self, first: Tensor, second: Tensor, *, activation: Activation = "none", scale: Scale | None = None
    ) -> Tensor:
        """The sum of two tensors, broadcast as numpy does; `scale` is that of int8 results.

        Raises:
            InputError: shapes or types do not go together, or a scale is missing or too small.
        """
        return self._made("add", add(self._body, first, second, activation, scale), scale)

    def softmax(self, tensor: Tensor) -> Tensor:
        """Softmax over the last dimension; of int8 elements with the scale 1/256 and the zero point -128.

        Raises:
            InputError: the scale is so small that every difference is lost.
        """
        scale = None if tensor.scale is None else SOFTMAX_SCALE
        return self._made("softmax", softmax(self._body, tensor), scale)

    def reshape(self, tensor: Tensor, shape: Sequence[int]) -> Tensor:
        """Give the elements another shape; one dimension may be -1.

        Raises:
            InputError: the shape has another number of elements.
        """
        return self._made("reshape", reshape(self._body, tensor, shape), tensor.scale)

    def flatten(self, tensor: Tensor) -> Tensor:
        """A row for each element of the batch."""
        return self.reshape(tensor, (tensor.shape[0], -1))

    def quantize(self, tensor: Tensor, scale: Scale) -> Tensor:
        """Floats as int8.

        Raises:
            InputError: the tensor is int8 already, or the scale is not one.
        """
        return self._made("quantize", quantize(self._body, tensor, scale), scale)

    def dequantize(self, tensor: Tensor) -> Tensor:
        """int8 as floats.

        Raises:
            InputError: the tensor is float32 already.
        """
        return self._made("dequantize", dequantize(self._body, tensor), None)

    def module(self) -> ModuleOp:
        """The network so far as a module of its own: one public function on tensors.

        Raises:
            InputError: there is no output yet.
        """
        if not self._outputs:
            raise self._wrong("there is no output; name one with output()")
        return module_of(self.name, self._body.block, self._inputs, self._outputs)

    def _made(self, what: str, operation: Operation, scale: Scale | None) -> Tensor:
        """Append an operator; its result."""
        result = self._body.add(what, operation)
        type = result.type
        assert isinstance(type, TensorType), "operators have tensors as results"
        return Tensor(result, tuple(type.get_shape()), scale, self)

    def _wrong(self, words: str) -> InputError:
        return InputError(f"network '{self.name}': {words}")
