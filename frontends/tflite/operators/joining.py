"""Operators that join tensors or cut them: CONCATENATION, PACK, UNPACK, SPLIT, SPLIT_V; and SQUEEZE, EXPAND_DIMS."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.nn.joining import ConcatOp, SplitOp
from ....dialects.nn.shape import ReshapeOp
from ..node import Node, Unsupported, tensor_type
from ..schema import Tensor
from .movement import TYPES, data_of, expect_output, refuse_activation
from .registry import operator


def _all_inputs(node: Node) -> list[Tensor]:
    inputs = [node.input(position) for position in range(len(node.operator.inputs))]
    node.check_same_type((*inputs, node.output), TYPES)
    return inputs


@operator("CONCATENATION", inputs=(1, 1 << 16), types=TYPES)
def concatenation(node: Node) -> Operation:
    """One tensor after the other along an axis."""
    refuse_activation(node)
    inputs = _all_inputs(node)
    axis = node.axis(node.integer("Axis"), len(node.output.shape))
    return _joined(node, [node.value(tensor) for tensor in inputs], axis)


def _joined(node: Node, values: Sequence[SSAValue], axis: int) -> Operation:
    if len(values) == 1:
        return node.emit(ReshapeOp(values[0], tensor_type(node.output)))
    return node.emit(ConcatOp(values, axis, tensor_type(node.output)))


@operator("PACK", inputs=(1, 1 << 16), types=TYPES)
def pack(node: Node) -> Operation:
    """Tensors of one shape along a new axis."""
    inputs = _all_inputs(node)
    shape = inputs[0].shape
    if any(tensor.shape != shape for tensor in inputs):
        raise node.malformed("the inputs have several shapes")
    axis = node.axis(node.integer("Axis"), len(shape) + 1)
    expect_output(node, [*shape[:axis], len(inputs), *shape[axis:]])
    single = (*shape[:axis], 1, *shape[axis:])
    return _joined(node, [node.value(tensor, single) for tensor in inputs], axis)


@operator("UNPACK", inputs=1, outputs=None, types=TYPES)
def unpack(node: Node) -> Sequence[SSAValue]:
    """The slices along an axis, which the outputs lack."""
    data = data_of(node)
    axis = node.axis(node.integer("Axis"), len(data.shape))
    if data.shape[axis] != len(node.outputs):
        raise node.malformed(f"axis {axis} of {data} has {data.shape[axis]} elements, not {len(node.outputs)}")
    return _split(node, data, axis, [1] * len(node.outputs))


@operator("SPLIT", inputs=2, outputs=None, types=TYPES)
def split(node: Node) -> Sequence[SSAValue]:
    """Equal parts along an axis."""
    data = node.input(1)
    axis = _axis(node, node.input(0), len(data.shape))
    count = len(node.outputs)
    if data.shape[axis] % count:
        raise node.malformed(f"axis {axis} of {data} has {data.shape[axis]} elements, which {count} cannot share")
    return _split(node, data, axis, [data.shape[axis] // count] * count)


@operator("SPLIT_V", inputs=3, outputs=None, types=TYPES)
def split_v(node: Node) -> Sequence[SSAValue]:
    """Parts of given sizes along an axis; one may be -1."""
    data = node.input(0)
    axis = _axis(node, node.input(2), len(data.shape))
    extents = node.integers(node.input(1))
    rest = data.shape[axis] - sum(extent for extent in extents if extent != -1)
    return _split(node, data, axis, [rest if extent == -1 else extent for extent in extents])


def _axis(node: Node, tensor: Tensor, rank: int) -> int:
    values = node.integers(tensor)
    if len(values) != 1:
        raise node.malformed(f"the axis {tensor} has {len(values)} elements, not 1")
    return node.axis(values[0], rank)


def _split(node: Node, data: Tensor, axis: int, extents: Sequence[int]) -> Sequence[SSAValue]:
    node.check_same_type((data, *node.outputs), TYPES)
    if len(extents) != len(node.outputs) or sum(extents) != data.shape[axis] or min(extents) < 1:
        raise node.malformed(f"parts of {list(extents)} elements do not make up axis {axis} of {data}")
    value = node.value(data)
    parts = node.emit(SplitOp(value, axis, extents)).results if len(extents) > 1 else [value]
    for tensor, extent in zip(node.outputs, extents, strict=True):
        full = (*data.shape[:axis], extent, *data.shape[axis + 1 :])
        without = (*data.shape[:axis], *data.shape[axis + 1 :])
        if tensor.shape != full and not (extent == 1 and tensor.shape == without):
            raise node.malformed(f"{tensor} has shape {list(tensor.shape)}, the operator makes {list(full)}")
    return [
        part if tensor_type(tensor) == part.type else node.emit(ReshapeOp(part, tensor_type(tensor))).results[0]
        for part, tensor in zip(parts, node.outputs, strict=True)
    ]


@operator("SQUEEZE", inputs=1, types=TYPES)
def squeeze(node: Node) -> Operation:
    """Without dimensions of extent 1: those listed, or all."""
    data = data_of(node)
    listed = node.operator.options.get("SqueezeDims", ())
    assert isinstance(listed, tuple), "SqueezeDims is a vector in the schema"
    if listed and not data.shape:
        raise Unsupported(f"{data} has a shape that the file leaves open: give the input's with --input-shape")
    axes = {node.axis(int(axis), len(data.shape)) for axis in listed}
    gone = axes or {d for d, extent in enumerate(data.shape) if extent == 1}
    if any(data.shape[axis] != 1 for axis in gone):
        raise node.malformed(f"axes {sorted(gone)} of {data} of shape {list(data.shape)} are not all 1")
    expect_output(node, [extent for d, extent in enumerate(data.shape) if d not in gone])
    return node.emit(ReshapeOp(node.value(data), tensor_type(node.output)))


@operator("EXPAND_DIMS", inputs=2, types=TYPES)
def expand_dims(node: Node) -> Operation:
    """With one more dimension of extent 1."""
    data = data_of(node)
    axis = _axis(node, node.input(1), len(data.shape) + 1)
    expect_output(node, [*data.shape[:axis], 1, *data.shape[axis:]])
    return node.emit(ReshapeOp(node.value(data), tensor_type(node.output)))
