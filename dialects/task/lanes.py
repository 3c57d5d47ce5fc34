"""The step `lanes`: which regions and places vectors of four numbers allow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i8, i16, i32
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.parser import AttrParser

from ..fx import RescaleOp, RoundingDoublingHighMulOp, RoundingShiftRightOp
from ..simd.lanes import LANES, SIXTEEN
from ..simd.words import MultiplyHighAddOp, SaturateOp, SaturateUnsignedOp
from .code import Code, Collect, Whole
from .dual import DualPlan, Single, dual_plan
from .join import join_axis
from .loop import Loop, check_fold, check_outside, check_unclamped, jammed_alone
from .ops import IndexOp, TapsOp, YieldOp
from .step import Spelling
from .structure import Nest
from .syntax import Access

_WIDE = (
    *(arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.ShLIOp, arith.ShRSIOp),
    *(MultiplyHighAddOp, SaturateOp, SaturateUnsignedOp),
    *(RescaleOp, RoundingDoublingHighMulOp, RoundingShiftRightOp),
)
"""Operations that lanes compute on numbers of 32 bits."""
_ANY_WIDTH = (arith.MaxSIOp, arith.MinSIOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
"""Operations that they compute on narrow numbers, too, which are lanes with their sign."""


def lanes_plan(nest: Nest, who: str = "lanes 16") -> DualPlan:
    """Which factor is read sixteen bytes at a time and which one is packed, all fold points in one run.

    `who` is the step to name where the nest does not allow it.

    Raises:
        ValueError: the nest does not allow the step.
    """
    plan = dual_plan(nest, Single(len(nest.fold.data), 1), who=who)
    staged, packed = plan.staged, plan.packed
    if not staged.signed or staged.bits != 8 or not -128 <= staged.zero_point <= 127:
        raise ValueError(f"{who}: what is not constant is no signed byte")
    if not packed.fits_byte:
        raise ValueError(f"{who}: an element of the constant less its zero point does not fit a byte")
    access = nest.accesses("step_reads")[staged.read]
    if not access.is_dense:
        raise ValueError(f"{who}: the bytes of {access.type} do not lie side by side")
    if join_axis(access) == len(access.indices) - 1:
        raise ValueError(f"{who}: rows are joined along the bytes that lie side by side")
    return plan


def lane_axis(nest: Nest, access: Access, dim: int) -> int | None:
    """The dimension of a memref along which the points of a dimension of the space lie; None if they share a place.

    Raises:
        ValueError: they lie along several, or not one after the other.
    """
    factors, type = nest.steps_along(access, dim), access.type
    along = [axis for axis, factor in enumerate(factors) if factor]
    if not along:
        return None
    if len(along) > 1 or factors[along[0]] != 1 or not access.is_dense:
        raise ValueError(f"lanes: elements of {type} do not lie one after the other along {nest.space.names[dim]}")
    if type.element_type not in (i8, i16, i32):
        raise ValueError(f"lanes: {type.element_type} is not widened to 32 bits")
    if join_axis(access) == along[0]:
        raise ValueError("lanes: rows are joined along what lies side by side")
    return along[0]


def _sixteen(parser: AttrParser) -> bool:
    position = parser.pos
    count = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if count not in (None, SIXTEEN):
        parser.raise_error(f"expected nothing or {SIXTEEN} after lanes, got {count}", position, parser.pos)
    return count is not None


_Sixteen: TypeAlias = Annotated[bool, Spelling(_sixteen, lambda sixteen: str(SIXTEEN) if sixteen else "")]


@dataclass(frozen=True)
class Lanes(Code):
    """The points of the jammed dimension, at most four, are the lanes of vectors: what they compute is one instruction.

    What lies side by side along it is read and written together; constants are turned so that they do.
    """

    sixteen: _Sixteen = False
    """Whether sums of products run over sixteen fold points in one instruction: the constant is packed into bytes, zero
    points are in where the sums start, and what does not lie side by side is copied so that it does."""

    beside = (Collect, Whole)
    reorders = True

    @property
    def writes_out(self) -> bool:
        return self.sixteen

    def check(self, nest: Nest, loops: Sequence[Loop]) -> None:
        why = f"lanes: one dimension is jammed, with {LANES} points in order, or all of fewer"
        loop = jammed_alone(loops, lambda loop: loop.extent == min(LANES, nest.extents[loop.dim]), why)
        dim, name = loop.dim, nest.space.names[loop.dim]
        check_unclamped([loop], "split {} clamped: with lanes four points are written together")
        for access in nest.accesses("writes"):
            if lane_axis(nest, access, dim) != len(access.indices) - 1:
                raise ValueError(f"lanes: results do not lie side by side along {name}")
        regions = [("finish_reads", nest.finish)]
        if self.sixteen:
            verify_bytes(nest, dim, loops, "lanes 16")
        else:
            regions += [("start_reads", nest.start), ("step_reads", nest.step)]
        for group, region in regions:
            for access in nest.accesses(group):
                lane_axis(nest, access, dim)
            for op in region.block.ops if region.blocks else ():
                _verify_op(op, name)


def verify_bytes(nest: Nest, dim: int, loops: Sequence[Loop], who: str) -> None:
    """Check that sums of products can run over many bytes at once, for channels along a dimension.

    Bytes are put side by side outside of loops over channels, and the fold is in order.

    Raises:
        ValueError: the nest or a loop does not allow it.
    """
    plan = lanes_plan(nest, who)
    if dim in plan.staged_dims:
        raise ValueError(f"{who}: {nest.space.names[dim]} is no dimension of the constant alone")
    of = f"order: with {who} {{}} must be outside of what only the constant depends on"
    check_outside(loops, plan.staged_dims, of)
    check_fold(loops, f"with {who} the fold runs in order")


def _verify_op(op: Operation, lane: str) -> None:
    if isinstance(op, IndexOp) and op.dim.data == lane:
        raise ValueError(f"lanes: '{op.name}' op of {lane} is not known in lanes")
    if isinstance(op, YieldOp | TapsOp | IndexOp | arith.ConstantOp):
        return
    if not isinstance(op, _WIDE + _ANY_WIDTH):
        raise ValueError(f"lanes: '{op.name}' op is not computed in lanes")
    types = {value.type for value in (*op.operands, *op.results)}
    if isinstance(op, _WIDE) and types != {i32}:
        raise ValueError(f"lanes: '{op.name}' op is computed of 32 bits in lanes")
    if not all(isinstance(type, IntegerType) and 8 <= type.width.data <= 32 for type in types):
        raise ValueError(f"lanes: '{op.name}' op is not of integers of at most 32 bits")
    if isinstance(op, arith.ExtUIOp) and not _is_read_unsigned(op.input):
        raise ValueError(f"lanes: '{op.name}' op widens what is not read from memory for that alone")
    if isinstance(op, arith.TruncIOp) and not all(isinstance(use.operation, YieldOp) for use in op.result.uses):
        raise ValueError(f"lanes: '{op.name}' op narrows what is used further")


def _is_read_unsigned(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) and all(isinstance(use.operation, arith.ExtUIOp) for use in value.uses)
