"""Operators without weights: pools, sums, softmax, and other shapes or types of a tensor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dialects.nn.elementwise import AddOp
from ...dialects.nn.pooling import Pool2D
from ...dialects.nn.quantise import DequantizeOp, QuantizeOp
from ...dialects.nn.shape import ReshapeOp
from ...dialects.nn.softmax import SoftmaxOp
from ..tflite.quantisation import rescale_add, softmax_parameters
from .body import Body, Operand, type_of
from .scale import LEAST, Scale, as_f32
from .scaling import Activation, check_scale, clamp, factors, needed
from .window import Padding, Window

SOFTMAX_SCALE = Scale(1 / 256, LEAST)
"""Scale of int8 results of softmax, as TensorFlow Lite gives it."""
_ADD_SHIFT = 20
"""Head room of operands of a sum, as TensorFlow Lite gives it."""


def pool(
    body: Body,
    what: str,
    kind: type[Pool2D],
    image: Operand,
    size: tuple[int, int],
    strides: tuple[int, int] | None,
    padding: Padding,
) -> Pool2D:
    """A pool of one of the kinds, which moves by its own size unless `strides` says otherwise.

    Raises:
        InputError: it is no image, or smaller than the window.
    """
    body.check_rank(image, 4, what)
    strides = strides or size
    window = Window.of(body, what, image.shape, size, strides, padding, (1, 1))
    batch, channels = image.shape[0], image.shape[3]
    return kind(
        body.value(image),
        kernel=size,
        strides=strides,
        pads=window.pads,
        output_type=type_of((batch, *window.results, channels), image.scale),
        clamp=clamp(body, "none", image.scale),
    )


def add(body: Body, first: Operand, second: Operand, activation: Activation, scale: Scale | None) -> AddOp:
    """The sum of two tensors, broadcast as numpy does.

    Raises:
        InputError: shapes or types do not go together, or a scale is missing or too small.
    """
    values = body.value(first), body.value(second)
    try:
        shape = np.broadcast_shapes(first.shape, second.shape)
    except ValueError as error:
        raise body.wrong(f"add: {list(first.shape)} and {list(second.shape)} do not broadcast") from error
    if first.scale is None or second.scale is None:
        if first.scale is not second.scale or scale is not None:
            raise body.wrong("add: both tensors and the result are float32, or all are int8")
        return AddOp(*values, output_type=type_of(shape, None), clamp=clamp(body, activation, None))
    scale = needed(body, scale, "add")
    scales = [first.scale, second.scale, scale]
    return AddOp(
        *values,
        output_type=type_of(shape, scale),
        zero_points=[one.zero_point for one in scales],
        left_shift=_ADD_SHIFT,
        rescale=factors(body, rescale_add, *(as_f32(one.scale) for one in scales), _ADD_SHIFT),
        clamp=clamp(body, activation, scale),
    )


def softmax(body: Body, tensor: Operand) -> SoftmaxOp:
    """Softmax over the last dimension; int8 results have `SOFTMAX_SCALE`.

    Raises:
        InputError: the scale is so small that every difference is lost.
    """
    value = body.value(tensor)
    if tensor.scale is None:
        return SoftmaxOp(value, output_type=type_of(tensor.shape, None), beta=1.0)
    rescale, least = factors(body, softmax_parameters, as_f32(tensor.scale.scale), 1.0)
    return SoftmaxOp(value, output_type=type_of(tensor.shape, SOFTMAX_SCALE), rescale=rescale, diff_min=least)


def reshape(body: Body, tensor: Operand, shape: Sequence[int]) -> ReshapeOp:
    """The elements in another shape; one dimension may be -1.

    Raises:
        InputError: the shape has another number of elements.
    """
    value = body.value(tensor)
    try:
        found = np.empty(tensor.shape, np.bool_).reshape(shape).shape
    except ValueError as error:
        raise body.wrong(f"reshape: {list(tensor.shape)} has no {list(shape)}") from error
    return ReshapeOp(value, type_of(found, tensor.scale))


def quantize(body: Body, tensor: Operand, scale: Scale) -> QuantizeOp:
    """Floats as int8.

    Raises:
        InputError: the tensor is int8 already, or the scale is not one.
    """
    check_scale(body, scale)
    if tensor.scale is not None:
        raise body.wrong("quantize: the tensor is int8 already")
    return QuantizeOp(
        body.value(tensor),
        scale=as_f32(scale.scale),
        zero_point=scale.zero_point,
        output_type=type_of(tensor.shape, scale),
    )


def dequantize(body: Body, tensor: Operand) -> DequantizeOp:
    """int8 as floats.

    Raises:
        InputError: the tensor is float32 already.
    """
    scale = needed(body, tensor.scale, "dequantize")
    return DequantizeOp(
        body.value(tensor),
        scale=as_f32(scale.scale),
        zero_point=scale.zero_point,
        output_type=type_of(tensor.shape, None),
    )
