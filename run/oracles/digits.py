"""Products of integers that onnxruntime does not have: of 16 bits, and transposed convolutions.

Elements less their zero point are taken apart into four digits. Sums of digits times weights are whole numbers below
2**24, so that float32 has them exactly in any order. Put together in float64, with the bias, they are the sum of int32
that is rounded once: `rint(f32(sum) * f32(f32(xs * ws) / ys))`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

_DIGITS = (4096, 256, 16, 1)
"""Weights of the digits; the first one has a sign."""
_LARGEST_DIGIT = 16
_CHANNELS: Mapping[str, int] = {"Conv": 0, "ConvTranspose": 1}
"""The dimension of output channels in filters."""
_EXACT = 1 << 24


def product_by_digits(
    node: Any, sources: Sequence[Any], quantize: Any, constants: Mapping[str, Any], add: list[Any]
) -> list[Any] | None:
    """The operators for one product between DequantizeLinear and QuantizeLinear; None where sums are no int32.

    Args:
        node: Conv, ConvTranspose, Gemm or MatMul.
        sources: the DequantizeLinear of its inputs.
        quantize: the QuantizeLinear of its result.
        constants: initialisers of the graph by name.
        add: gets initialisers that the operators need.
    """
    from onnx import TensorProto, helper, numpy_helper

    given = [constants.get(name) for source in sources for name in source.input][1:]
    given += [constants.get(name) for name in quantize.input[1:3]]
    attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    known = [one for one in given if one is not None]
    if len(known) < len(given) or any(len(source.input) < 3 for source in sources[:2]):
        return None
    if any(attributes.get(name, plain) != plain for name, plain in (("alpha", 1.0), ("beta", 1.0), ("transA", 0))):
        return None
    arrays = [numpy_helper.to_array(one) for one in known]
    scale, zero, integers, scales, zeros = arrays[:5]
    bias = arrays[5] if len(sources) > 2 else np.zeros(1, np.int32)
    to_scale, to_zero = arrays[-2:]
    if np.any(zeros != zeros.reshape(-1)[0]) or scale.size != 1:
        return None
    groups = attributes.get("group", 1) if node.op_type == "ConvTranspose" else 1
    if scales.size > 1 and groups > 1:
        return None
    weights = integers.astype(np.int64) - int(zeros.reshape(-1)[0])
    axis = _CHANNELS.get(node.op_type, 0 if attributes.get("transB") else weights.ndim - 1)
    sums = np.tile(np.abs(np.moveaxis(weights, axis, 0).reshape(weights.shape[axis], -1)).sum(1), groups)
    ends = np.iinfo(zero.dtype)
    farthest = max(abs(int(end) - int(zero)) for end in (ends.min, ends.max))
    if (sums * farthest + np.abs(bias.astype(np.int64))).max() >= 1 << 31 or sums.max() * _LARGEST_DIGIT >= _EXACT:
        return None
    factor = np.float32(scale).reshape(()) * scales.astype(np.float32).reshape(-1) / np.float32(to_scale).reshape(())
    along = (-1, *[1] * (weights.ndim - 2)) if node.op_type in _CHANNELS else (-1,)
    nodes: list[Any] = []
    name = quantize.output[0]

    def constant(array: Any) -> str:
        made = f"{name}/wide{len(nodes)}_{len(add)}"
        add.append(numpy_helper.from_array(np.asarray(array), made))
        return made

    def op(kind: str, *inputs: str, **more: Any) -> str:
        made = f"{name}/wide{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [made], **more))
        return made

    filter = constant(weights.astype(np.float32))
    rest = op("Cast", sources[0].input[0], to=TensorProto.FLOAT)
    rest = op("Sub", rest, constant(np.float32(zero).reshape(())))
    total = constant(bias.astype(np.float64).reshape(along))
    for count in _DIGITS:
        digit = op("Floor", op("Div", rest, constant(np.float32(count))))
        rest = op("Sub", rest, op("Mul", digit, constant(np.float32(count))))
        whole = op("Cast", op(node.op_type, digit, filter, **attributes), to=TensorProto.DOUBLE)
        total = op("Add", total, op("Mul", whole, constant(np.float64(count))))
    real = op(
        "Mul", op("Cast", total, to=TensorProto.FLOAT), constant(factor.reshape(along if factor.size > 1 else ()))
    )
    moved = op("Add", op("Round", real), constant(np.float32(to_zero).reshape(())))
    bounds = np.iinfo(to_zero.dtype)
    inside = op("Clip", moved, *(constant(np.float32(end)) for end in (bounds.min, bounds.max)))
    kind = helper.np_dtype_to_tensor_dtype(to_zero.dtype)
    nodes.append(helper.make_node("Cast", [inside], [name], to=kind))
    return nodes
