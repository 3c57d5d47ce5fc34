"""Sums of products of bytes whose constant is packed for processors that multiply many at once."""

from __future__ import annotations

from dataclasses import dataclass

from ...dialects.task import NestOp
from ...dialects.task.lanes import lanes_plan
from ..tasks.dual.constants import Constants

_LEAST_PRODUCTS = 4
"""Fold points from which on many in an instruction pay."""


@dataclass(frozen=True)
class ByteProducts:
    """Which dimensions of a nest lie side by side, and which stand outside."""

    channel: int
    """The largest dimension of the constant alone."""
    staged: list[int]
    """Dimensions of the space on which the other factor depends."""

    @staticmethod
    def of(nest: NestOp, constants: Constants) -> ByteProducts | None:
        """Return the products of a nest; None if it is no such sum, or the constant is not its own."""
        try:
            plan = lanes_plan(nest)
        except ValueError:
            return None
        packed = nest.accesses("step_reads")[plan.packed.read]
        is_own = constants.uses(packed.buffer) is not None and packed.buffer.has_one_use()
        used = {position for index in packed.indices for position in nest.form(index).positions()}
        channels = [d for d in plan.packed_dims if d in used and nest.extents[d] > 1]
        if not is_own or plan.pairs < _LEAST_PRODUCTS or not channels:
            return None
        staged = [d for d in range(len(nest.space.data)) if d in plan.staged_dims]
        return ByteProducts(max(channels, key=lambda d: nest.extents[d]), staged)
