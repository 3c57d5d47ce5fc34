"""Meaning of the step `lanes` of a schedule for a nest: which regions and places vectors of four numbers allow."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, MemRefType, NoneAttr, i8, i16, i32
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ..fx import RescaleOp, RoundingDoublingHighMulOp, RoundingShiftRightOp
from ..simd import LANES, MultiplyHighAddOp, SaturateOp, SaturateUnsignedOp
from ..strides import row_major
from .dual import DualPlan, dual_plan
from .join import JoinOp, decided_dims
from .loop import Loop
from .ops import IndexOp, TapsOp, YieldOp
from .schedule import InWords, Lanes, Single, Words
from .structure import Nest
from .syntax import Access

_WIDE = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.ShLIOp,
    arith.ShRSIOp,
    MultiplyHighAddOp,
    SaturateOp,
    SaturateUnsignedOp,
    RescaleOp,
    RoundingDoublingHighMulOp,
    RoundingShiftRightOp,
)
"""Operations that lanes compute on numbers of 32 bits."""
_ANY_WIDTH = (arith.MaxSIOp, arith.MinSIOp)
"""Operations that they compute on narrow numbers, too, which are lanes with their sign."""
LANEWISE: tuple[type[Operation], ...] = (*_WIDE, *_ANY_WIDTH, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
"""The operations of regions that lanes stand in for."""


def lanes_plan(nest: Nest) -> DualPlan:
    """Which factor is read sixteen bytes at a time and which one is packed, all fold points in one run.

    Raises:
        ValueError: the nest does not allow `lanes 16`.
    """
    if not nest.fold.data:
        raise ValueError("lanes 16: there is no fold")
    try:
        plan = dual_plan(nest, Single(len(nest.fold.data), 1))
    except ValueError as error:
        raise ValueError(str(error).replace("dual: ", "lanes 16: ", 1)) from error
    staged, packed = plan.staged, plan.packed
    if not staged.signed or staged.bits != 8 or not -128 <= staged.zero_point <= 127:
        raise ValueError("lanes 16: what is not constant is no signed byte")
    if packed.extremes[0] < -128 or packed.extremes[1] > 127:
        raise ValueError("lanes 16: an element of the constant less its zero point does not fit a byte")
    access = nest.accesses("step_reads")[staged.read]
    type, owner = access.buffer.type, access.buffer.owner
    assert isinstance(type, MemRefType), "operands are memrefs"
    if not isinstance(type.layout, NoneAttr):
        raise ValueError(f"lanes 16: the bytes of {type} do not lie side by side")
    if isinstance(owner, JoinOp) and owner.axis.value.data == len(access.indices) - 1:
        raise ValueError("lanes 16: rows are joined along the bytes that lie side by side")
    return plan


def run_of(nest: Nest, access: Access, *, without: frozenset[int] = frozenset()) -> int:
    """Return how many innermost fold dimensions walk through memory without gaps, in order; none of `without` among
    them.

    Operands that are joined have gaps: a dimension that says which part is read walks from one to the next.
    """
    type = access.buffer.type
    assert isinstance(type, MemRefType), "operands are memrefs"
    strides, first = row_major(type.get_shape()), len(nest.space.data)
    expected, found, between = 1, 0, decided_dims(nest, access)
    for dim in reversed(range(first, len(nest.extents))):
        forms = [nest.form(index).coefficient(dim) for index in access.indices]
        step = sum(factor * stride for factor, stride in zip(forms, strides, strict=True))
        if dim in without or ((step != expected or dim in between) and nest.extents[dim] > 1):
            break
        expected, found = expected * nest.extents[dim], found + 1
    return found


def lane_axis(nest: Nest, access: Access, dim: int) -> int | None:
    """The dimension of a memref along which the points of a dimension of the space lie; None if they share a place.

    Raises:
        ValueError: they lie along several, or not one after the other.
    """
    factors = [nest.form(index).coefficient(dim) for index in access.indices]
    along = [axis for axis, factor in enumerate(factors) if factor]
    if not along:
        return None
    type, owner = access.buffer.type, access.buffer.owner
    assert isinstance(type, MemRefType), "operands are memrefs"
    if len(along) > 1 or factors[along[0]] != 1 or not isinstance(type.layout, NoneAttr):
        raise ValueError(f"lanes: elements of {type} do not lie one after the other along {nest.space.names[dim]}")
    if type.element_type not in (i8, i16, i32):
        raise ValueError(f"lanes: {type.element_type} is not widened to 32 bits")
    if isinstance(owner, JoinOp) and owner.axis.value.data == along[0]:
        raise ValueError("lanes: rows are joined along what lies side by side")
    return along[0]


def verify_lanes(nest: Nest, step: Lanes, loops: Sequence[Loop]) -> None:
    """Check the rest of a schedule that has the step.

    Raises:
        ValueError: it does not go with `lanes`.
    """
    steps = () if nest.schedule is None else nest.schedule.data
    if any(isinstance(other, InWords | Words) for other in steps) or nest.ordered is not None:
        raise ValueError("lanes: it stands in the place of dual, single and words, and no fold is ordered")
    jammed = [loop for loop in loops if loop.form == "jam"]
    if len(jammed) != 1 or jammed[0].extent > LANES or jammed[0].reverse:
        raise ValueError(f"lanes: one dimension is jammed, with at most {LANES} points in order")
    dim = jammed[0].dim
    if jammed[0].extent not in (LANES, nest.extents[dim]):
        raise ValueError(f"lanes: {LANES} points of {nest.space.names[dim]} are jammed, or all")
    if jammed[0].clamped:
        raise ValueError(f"split {jammed[0].dim_name} clamped: with lanes four points are written together")
    for access in nest.accesses("writes"):
        if lane_axis(nest, access, dim) != len(access.indices) - 1:
            raise ValueError(f"lanes: results do not lie side by side along {nest.space.names[dim]}")
    regions = [("finish_reads", nest.finish)]
    if step.sixteen:
        _verify_sixteen(nest, dim, loops)
    else:
        regions += [("start_reads", nest.start), ("step_reads", nest.step)]
    for group, region in regions:
        for access in nest.accesses(group):
            lane_axis(nest, access, dim)
        for op in region.block.ops if region.blocks else ():
            _verify_op(op, nest.space.names[dim])


def _verify_sixteen(nest: Nest, dim: int, loops: Sequence[Loop]) -> None:
    plan, first_fold = lanes_plan(nest), len(nest.space.data)
    if dim not in plan.packed_dims:
        raise ValueError(f"lanes 16: {nest.space.names[dim]} is no dimension of the constant alone")
    free = [loop for loop in loops if loop.dim < first_fold and loop.form != "jam" and loop.extent > 1]
    inside = False
    for loop in free:
        if inside and loop.dim in plan.staged_dims:
            raise ValueError(f"order: with lanes 16 {loop.name} must be outside of what only the constant depends on")
        inside = inside or loop.dim not in plan.staged_dims
    for loop in loops:
        if loop.dim >= first_fold and (loop.is_part or loop.form != "loop" or loop.reverse):
            raise ValueError(f"{loop.dim_name or loop.name}: with lanes 16 the fold runs in order")


def _verify_op(op: Operation, lane: str) -> None:
    if isinstance(op, YieldOp | TapsOp | arith.ConstantOp):
        return
    if isinstance(op, IndexOp):
        if op.dim.data == lane:
            raise ValueError(f"lanes: '{op.name}' op of {lane} is not known in lanes")
        return
    if not isinstance(op, LANEWISE):
        raise ValueError(f"lanes: '{op.name}' op is not computed in lanes")
    if isinstance(op, _WIDE) and any(value.type != i32 for value in (*op.operands, *op.results)):
        raise ValueError(f"lanes: '{op.name}' op is computed of 32 bits in lanes")
    if not all(_fits(value.type) for value in (*op.operands, *op.results)):
        raise ValueError(f"lanes: '{op.name}' op is not of integers of at most 32 bits")
    if isinstance(op, arith.ExtUIOp) and not _is_read_unsigned(op.input):
        raise ValueError(f"lanes: '{op.name}' op widens what is not read from memory for that alone")
    if isinstance(op, arith.TruncIOp) and not all(isinstance(use.operation, YieldOp) for use in op.result.uses):
        raise ValueError(f"lanes: '{op.name}' op narrows what is used further")


def _is_read_unsigned(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) and all(isinstance(use.operation, arith.ExtUIOp) for use in value.uses)


def _fits(type: Attribute) -> bool:
    return isinstance(type, IntegerType) and 8 <= type.width.data <= 32
