"""Operators with weights: convolutions and dense layers, which are sums of products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import SSAValue

from ...dialects.nn.conv import Conv2DOp, DepthwiseConv2DOp
from ...dialects.nn.matmul import FullyConnectedOp
from ..tflite.quantisation import rescale_per_channel
from .body import Body, Operand, type_of
from .scale import Scale, as_f32
from .scaling import Activation, clamp, factors, needed
from .window import Padding, Window


@dataclass(frozen=True)
class Products:
    """A tensor and the weights that it is multiplied with; each method makes one of the operators.

    All methods raise InputError where shapes or types do not go together, or a scale is missing or too many.
    """

    body: Body
    """Takes the constants."""
    data: Operand
    weights: ArrayLike
    bias: ArrayLike | None
    activation: Activation
    weight_scales: ArrayLike | None
    """Those of int8 weights: one, or one for each result."""
    scale: Scale | None
    """Scale of int8 results."""

    def conv2d(self, strides: tuple[int, int], padding: Padding, dilations: tuple[int, int]) -> Conv2DOp:
        """A convolution."""
        image, array = self.data, self._array(4)
        self.body.check_rank(image, 4, "conv2d")
        scaling = self._scaling(array.shape[0])
        operands = (self.body.value(image), *self._constants(array, array.shape[0]))
        groups = image.shape[3] // array.shape[3] if array.shape[3] else 0
        if groups * array.shape[3] != image.shape[3] or array.shape[0] % max(groups, 1):
            raise self.body.wrong(f"conv2d: weights {list(array.shape)} do not fit {list(image.shape)}")
        windows = self._windows("conv2d", array, array.shape[0], strides, padding, dilations)
        return Conv2DOp(*operands, **windows, **scaling)

    def depthwise_conv2d(
        self, strides: tuple[int, int], padding: Padding, dilations: tuple[int, int]
    ) -> DepthwiseConv2DOp:
        """A convolution of each channel with its own filters."""
        image, array = self.data, self._array(3)[None]
        self.body.check_rank(image, 4, "depthwise_conv2d")
        scaling = self._scaling(array.shape[3])
        operands = (self.body.value(image), *self._constants(array, array.shape[3]))
        if array.shape[3] % image.shape[3]:
            raise self.body.wrong(f"depthwise_conv2d: weights {list(array.shape[1:])} do not fit {list(image.shape)}")
        windows = self._windows("depthwise_conv2d", array, array.shape[3], strides, padding, dilations)
        return DepthwiseConv2DOp(*operands, **windows, **scaling)

    def dense(self) -> FullyConnectedOp:
        """Products of rows with weights."""
        rows, array = self.data, self._array(2)
        self.body.check_rank(rows, 2, "dense")
        if array.shape[1] != rows.shape[1]:
            raise self.body.wrong(f"dense: weights {list(array.shape)} do not fit {list(rows.shape)}")
        scaling = self._scaling(array.shape[0])
        operands = (self.body.value(rows), *self._constants(array, array.shape[0]))
        return FullyConnectedOp(*operands, output_type=type_of((rows.shape[0], array.shape[0]), self.scale), **scaling)

    def _array(self, rank: int) -> np.ndarray[Any, Any]:
        """Weights in the type of what they are multiplied with."""
        array = np.asarray(self.weights)
        if array.ndim != rank or not array.size:
            raise self.body.wrong(
                f"weights have {array.ndim} dimensions and {array.size} elements, not {rank} dimensions"
            )
        if self.data.scale is not None and array.dtype != np.int8:
            raise self.body.wrong(f"weights of an int8 tensor are int8, not {array.dtype}")
        if array.dtype.kind not in "fiu":
            raise self.body.wrong(f"weights are {array.dtype}, not numbers")
        return array

    def _constants(self, array: np.ndarray[Any, Any], results: int) -> tuple[SSAValue, SSAValue | None]:
        """Weights and bias as constants."""
        filter = self.body.constant(array, f32 if self.data.scale is None else i8, "weights")
        if self.bias is None:
            return filter, None
        numbers = np.asarray(self.bias)
        if numbers.shape != (results,):
            raise self.body.wrong(f"the bias has the shape {list(numbers.shape)}, not [{results}]")
        if self.data.scale is None:
            return filter, self.body.constant(numbers, f32, "bias")
        if numbers.dtype.kind not in "iu" or np.abs(numbers.astype(np.float64)).max(initial=0) > 2**31 - 1:
            raise self.body.wrong("the bias of int8 weights is int32")
        return filter, self.body.constant(numbers, i32, "bias")

    def _windows(
        self,
        what: str,
        array: np.ndarray[Any, Any],
        results: int,
        strides: tuple[int, int],
        padding: Padding,
        dilations: tuple[int, int],
    ) -> dict[str, Any]:
        """Where windows lie that have rows and columns of weights, and the type of so many results of each."""
        image = self.data
        window = Window.of(self.body, what, image.shape, array.shape[1:3], strides, padding, dilations)
        output = type_of((image.shape[0], *window.results, results), self.scale)
        return {"strides": strides, "pads": window.pads, "dilations": dilations, "output_type": output}

    def _scaling(self, results: int) -> dict[str, Any]:
        """Zero points, factors and clamp of a sum of products."""
        given = self.data.scale
        if given is None:
            if self.scale is not None or self.weight_scales is not None:
                raise self.body.wrong("scales are given, but the input is float32")
            return {"clamp": clamp(self.body, self.activation, None)}
        scale = needed(self.body, self.scale, "a sum of int8 products")
        if self.weight_scales is None:
            raise self.body.wrong("the scales of int8 weights are missing")
        scales = np.asarray(self.weight_scales, np.float32).reshape(-1)
        if scales.size not in (1, results) or not (scales > 0).all() or not np.isfinite(scales).all():
            raise self.body.wrong(f"int8 weights have one positive scale, or one for each of {results} results")
        own, to = as_f32(given.scale), as_f32(scale.scale)
        rescale = factors(self.body, rescale_per_channel, own, [float(one) for one in scales], to)
        zero_points = (given.zero_point, 0, scale.zero_point)
        return {"zero_points": zero_points, "rescale": rescale, "clamp": clamp(self.body, self.activation, scale)}
