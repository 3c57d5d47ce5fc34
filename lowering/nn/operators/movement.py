"""All operators that only move elements: one task for each of their boxes.

Source: the reference kernels of TensorFlow Lite for the single operators; see their definitions.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntegerType, f32, i1, i8, i16, i32, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.nn import Nn
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.movement import Box, Movement, Walk
from ...builder import Loops
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


for kind in Nn.operations:
    if issubclass(kind, Movement):
        lowers(kind, ELEMENTS)(lower_movement)


def _copy(k: Kernel, box: Box, source: SSAValue | None, target: SSAValue, op: Movement) -> None:
    """One task; elements keep their bytes, so what they mean does not matter."""
    nest = k.nest({"i" if len(box.extents) == 1 else f"i{d}": extent for d, extent in enumerate(box.extents)})

    def move() -> None:
        if source is None:
            value = _fill(k, op)
        else:
            assert box.source is not None, "boxes with a source vector have a walk through it"
            value = k.load_bytes(source, [_place(box.source, nest.dims)], "value")
        k.store_bytes(value, target, [_place(box.target, nest.dims)])

    nest.each(move)


def _fill(k: Loops, op: Movement) -> SSAValue:
    element = storage_type(element_type_of(op.results[0]))
    if isinstance(element, IntegerType):
        value, half = int(op.fill), 1 << (element.width.data - 1)
        return k.value((value + half) % (2 * half) - half, element)
    return k.floating(float(op.fill))


def _place(walk: Walk, dims: Sequence[AffineExpr]) -> AffineExpr:
    terms = (dim * stride for dim, stride in zip(dims, walk.strides, strict=True))
    return sum(terms, start=AffineExpr.constant(0)) + walk.offset


def _count(value: SSAValue) -> int:
    count = 1
    for extent in shape_of(value):
        count *= extent
    return count
