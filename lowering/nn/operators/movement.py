"""All operators that only move elements: one loop nest for each of their boxes.

Source: the reference kernels of TensorFlow Lite for the single operators; see their definitions.
"""

from __future__ import annotations

from contextlib import ExitStack

from xdsl.dialects.builtin import IntegerType, f32, i1, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import (
    BroadcastOp,
    ConcatOp,
    DepthToSpaceOp,
    MirrorPadOp,
    PadOp,
    SliceOp,
    SpaceToDepthOp,
    SplitOp,
    TileOp,
    TransposeOp,
)
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.movement import Box, Movement, Walk
from ...builder import Loops, Value
from ..kernel import Kernel
from ..registry import lowers
from ..storage import UI8, storage_type

ELEMENTS = (i1, i8, UI8, i16, i32, i64, f32)


def lower_movement(op: Movement, k: Kernel) -> None:
    """Copy box by box between tensors seen as vectors."""
    sources = {box.operand: op.operands[box.operand] for box in op.boxes() if box.source is not None}
    vectors = {number: k.input(value, "input", [_count(value)]) for number, value in sorted(sources.items())}
    targets = [k.output(result, shape=[_count(result)]) for result in op.results]
    for box in map(Box.simplified, op.boxes()):
        _copy(k, box, None if box.source is None else vectors[box.operand], targets[box.result], op)


for kind in (
    BroadcastOp,
    ConcatOp,
    DepthToSpaceOp,
    MirrorPadOp,
    PadOp,
    SliceOp,
    SpaceToDepthOp,
    SplitOp,
    TileOp,
    TransposeOp,
):
    lowers(kind, ELEMENTS)(lower_movement)


def _copy(k: Loops, box: Box, source: SSAValue | None, target: SSAValue, op: Movement) -> None:
    """One loop nest; elements keep their bytes, so what they mean does not matter."""
    with ExitStack() as nest:
        indices = [
            nest.enter_context(k.loop("i" if len(box.extents) == 1 else f"i{d}", 0, extent))
            for d, extent in enumerate(box.extents)
        ]
        if source is None:
            value = _fill(k, op)
        else:
            assert box.source is not None, "boxes with a source vector have a walk through it"
            value = Loops.load(k, source, [_place(k, box.source, indices)], "value")
        Loops.store(k, value, target, [_place(k, box.target, indices)])


def _fill(k: Loops, op: Movement) -> SSAValue:
    element = storage_type(element_type_of(op.results[0]))
    if isinstance(element, IntegerType):
        value, half = int(op.fill), 1 << (element.width.data - 1)
        return k.value((value + half) % (2 * half) - half, element)
    return k.floating(float(op.fill))


def _place(k: Loops, walk: Walk, indices: list[Value]) -> Value:
    place: Value = walk.offset
    for index, stride in zip(indices, walk.strides, strict=True):
        place = k.add(place, k.mul(index, stride))
    return place


def _count(value: SSAValue) -> int:
    count = 1
    for extent in shape_of(value):
        count *= extent
    return count
