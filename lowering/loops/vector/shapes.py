"""Operations that move elements within vectors, make masks, or reduce vectors to scalars."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.builder import Builder
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, i1
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.upstream.vector import ConstantMaskOp, ShapeCastOp, StepOp
from ..combine import combine
from .elements import Elements, Handlers, count, element, is_vector, points, shape

_KINDS = {
    "add": ("addi", "addf"),
    "mul": ("muli", "mulf"),
    "minui": ("minu", ""),
    "minsi": ("mins", ""),
    "maxui": ("maxu", ""),
    "maxsi": ("maxs", ""),
    "and": ("andi", ""),
    "or": ("ori", ""),
    "xor": ("xori", ""),
    "minnumf": ("", "minnumf"),
    "maxnumf": ("", "maxnumf"),
    "minimumf": ("", "minimumf"),
    "maximumf": ("", "maximumf"),
}
"""Names of reductions in `vector`, and what others call them for integers and for floats."""


def _broadcast(op: vector.BroadcastOp, elements: Elements, build: Builder) -> None:
    source = elements[op.source]
    extents, target = shape(op.source.type), shape(op.vector.type)
    strides = _strides(extents)
    skipped = len(target) - len(extents)
    elements[op.vector] = [
        source[sum(p * s for p, s, e in zip(point[skipped:], strides, extents, strict=True) if e > 1)]
        for point in points(op.vector.type)
    ]


def _strides(extents: Sequence[int]) -> list[int]:
    strides, step = [0] * len(extents), 1
    for axis in reversed(range(len(extents))):
        strides[axis], step = step, step * extents[axis]
    return strides


def _part(op: Operation, type_: object, position: Sequence[int]) -> tuple[int, int]:
    """First element and number of elements at a position of leading dimensions.

    Raises:
        PassFailedException: it is not known.
    """
    if DYNAMIC_INDEX in position:
        raise PassFailedException(f"'{op.name}' op has a position that is not known at compile time")
    extents = shape(type_)  # pyright: ignore[reportArgumentType]
    first = sum(p * s for p, s in zip(position, _strides(extents), strict=False))
    size = 1
    for extent in extents[len(position) :]:
        size *= extent
    return first, size


def _extract(op: vector.ExtractOp, elements: Elements, build: Builder) -> None:
    first, size = _part(op, op.vector.type, op.static_position.get_values())
    part = elements[op.vector][first : first + size]
    if is_vector(op.result.type):
        elements[op.result] = part
    else:
        op.result.replace_all_uses_with(part[0])


def _insert(op: vector.InsertOp, elements: Elements, build: Builder) -> None:
    first, size = _part(op, op.dest.type, op.static_position.get_values())
    whole = list(elements[op.dest])
    whole[first : first + size] = elements[op.source]
    elements[op.result] = whole


def _shuffle(op: vector.ShuffleOp, elements: Elements, build: Builder) -> None:
    rows = count(op.result.type) // len(op.mask)
    both = [*elements[op.v1], *elements[op.v2]]
    # -1 stands for any element.
    mask = [max(0, int(row)) for row in op.mask.get_values()]
    elements[op.result] = [both[row * rows + column] for row in mask for column in range(rows)]


def _shape_cast(op: ShapeCastOp, elements: Elements, build: Builder) -> None:
    elements[op.result] = elements[op.source]


def _constant_mask(op: ConstantMaskOp, elements: Elements, build: Builder) -> None:
    inside = set(product(*(range(int(extent)) for extent in op.mask_dim_sizes.get_values())))
    bits = [build.insert(arith.ConstantOp(IntegerAttr(value, i1))).result for value in (0, -1)]
    elements[op.result] = [bits[point in inside] for point in points(op.result.type)]


def _create_mask(op: vector.CreateMaskOp, elements: Elements, build: Builder) -> None:
    result: list[SSAValue] = []
    for point in points(op.mask_vector.type):
        bit: SSAValue | None = None
        for position, extent in zip(point, op.mask_dim_sizes, strict=True):
            number = build.insert(arith.ConstantOp(IntegerAttr(position, IndexType()))).result
            below = build.insert(arith.CmpiOp(number, extent, "slt")).result
            bit = below if bit is None else build.insert(arith.AndIOp(bit, below)).result
        result.append(bit or build.insert(arith.ConstantOp(IntegerAttr(-1, i1))).result)
    elements[op.mask_vector] = result


def _step(op: StepOp, elements: Elements, build: Builder) -> None:
    elements[op.result] = [
        build.insert(arith.ConstantOp(IntegerAttr(number, IndexType()))).result
        for number in range(count(op.result.type))
    ]


def _reduction(op: vector.ReductionOp, elements: Elements, build: Builder) -> None:
    """From the first element to the last, onto the accumulator if there is one."""
    is_integer = isinstance(element(op.vector.type), IndexType) or str(element(op.vector.type)).startswith("i")
    kind = _KINDS[op.kind.data.value][0 if is_integer else 1]
    values = list(elements[op.vector])
    result = op.acc if op.acc is not None else values.pop(0)
    for value in values:
        result = combine(build, kind, result, value)
    op.dest.replace_all_uses_with(result)


HANDLERS: Handlers = {
    vector.BroadcastOp: _broadcast,
    vector.ExtractOp: _extract,
    vector.InsertOp: _insert,
    vector.ShuffleOp: _shuffle,
    ShapeCastOp: _shape_cast,
    ConstantMaskOp: _constant_mask,
    vector.CreateMaskOp: _create_mask,
    StepOp: _step,
    vector.ReductionOp: _reduction,
}
