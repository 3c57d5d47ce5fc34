"""Tables of factors per channel that the end of a nest reads, and records in their place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import BlockArgument, SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.fx.ops import Rescaling
from ....dialects.task import NestOp
from ....dialects.task.syntax import Access
from ....lowering.constants import Constants, Use
from ....lowering.tasks.steps.rewriting import reading
from .records import Record


def float_bits(multiplier: int, shift: int) -> int:
    """The bits of the float32 `multiplier * 2**(shift - 31)`, as an int32."""
    return int(np.float32(math.ldexp(multiplier, shift - 31)).view(np.int32))


@dataclass(frozen=True)
class Tables:
    """Constant multipliers and shifts that a rescaling alone reads, both at the place of the channel."""

    multiplier: BlockArgument
    shift: BlockArgument
    """Shift of the region at the end of the nest."""
    multipliers: Sequence[Use]
    shifts: Sequence[Use]
    """Where they come from, in the same order."""

    @staticmethod
    def of(nest: NestOp, op: Rescaling, constants: Constants) -> Tables | None:
        """Return the tables of a rescaling at the end of a nest; None if it has others or none."""
        multiplier, shift = op.multiplier, op.shift
        if isinstance(shift.owner, arith.SubiOp) and shift.has_one_use():
            # A single rounding shifts to the right by 31 less the shift.
            shift = shift.owner.rhs
        if isinstance(shift.owner, arith.ExtSIOp) and shift.has_one_use():
            shift = shift.owner.input
        block, accesses = nest.finish.block, nest.accesses("finish_reads")
        if not isinstance(multiplier, BlockArgument) or not isinstance(shift, BlockArgument):
            return None
        if any(one.block is not block or one.index >= len(accesses) for one in (multiplier, shift)):
            return None
        reads = [accesses[one.index] for one in (multiplier, shift)]
        if reads[0].indices != reads[1].indices or len(reads[0].indices) != 1:
            return None
        if not all(value.has_one_use() for value in (multiplier, shift, *(read.buffer for read in reads))):
            return None
        multipliers, shifts = (constants.uses(read.buffer) for read in reads)
        if multipliers is None or shifts is None or len(multipliers) != len(shifts):
            return None
        return Tables(multiplier, shift, multipliers, shifts)

    def numbers(self, constants: Constants) -> Iterator[list[tuple[int, int]]]:
        """Multiplier and shift of every channel, for each place where the constants come from."""
        for multipliers, shifts in zip(self.multipliers, self.shifts, strict=True):
            both = (constants.values(use).tolist() for use in (multipliers, shifts))
            yield list(zip(*both, strict=True))

    def insert_record(self) -> Sequence[SSAValue]:
        """Values for multiplier, nudge and shift to the right, which `install` makes what the nest reads."""
        block, first = self.multiplier.block, self.multiplier.index
        values = [block.insert_arg(i32, first + number) for number in range(3)]
        for value, name in zip(values, ("multiplier", "nudge", "right"), strict=True):
            value.name_hint = name
        return values

    def keep(self, nest: NestOp, constants: Constants, records: Sequence[Sequence[Record]]) -> None:
        """Let the tables say the multipliers, and how far to shift to the right but for the last bit."""
        for read, uses, numbers in (
            (self.multiplier, self.multipliers, [np.array([r.multiplier for r in each], np.int32) for each in records]),
            (self.shift, self.shifts, [np.array([r.right - 1 for r in each], np.int8) for each in records]),
        ):
            constants.replace(nest.accesses("finish_reads")[read.index].buffer, uses, numbers)

    def install_floats(self, nest: NestOp, constants: Constants) -> NestOp:
        """Let the table of multipliers say factors as floats' bits, without shifts; returns the nest that reads it."""
        reads = list(nest.accesses("finish_reads"))
        numbers = [np.array([float_bits(*factor) for factor in each], np.int32) for each in self.numbers(constants)]
        buffer, shift = (reads[one.index].buffer for one in (self.multiplier, self.shift))
        constants.replace(buffer, self.multipliers, numbers)
        reads = list(nest.accesses("finish_reads"))
        del reads[self.shift.index]
        nest.finish.block.erase_arg(self.shift)
        made = reading(nest, reads)
        constants.remove(shift, self.shifts)
        return made

    def install(self, nest: NestOp, constants: Constants, records: Sequence[Sequence[Record]]) -> NestOp:
        """Read records in place of the tables, whose values nothing uses any more; returns the nest that does."""
        accesses = {group: nest.accesses(group) for group in nest.GROUPS}
        first, last = self.multiplier.index - 3, self.shift.index
        last -= 3 if last > first else 0
        numbers = [np.array([[r.multiplier, r.nudge, r.right] for r in each], np.int32) for each in records]
        constants.replace(accesses["finish_reads"][first].buffer, self.multipliers, numbers)
        buffer, shift = (nest.accesses("finish_reads")[number].buffer for number in (first, last))
        buffer.name_hint = "rescale"
        (channel,) = accesses["finish_reads"][first].indices
        reads = [[access] for access in nest.accesses("finish_reads")]
        reads[first] = [Access(buffer, (channel, AffineExpr.constant(number))) for number in range(3)]
        reads[last] = []
        for value in (self.multiplier, self.shift):
            nest.finish.block.erase_arg(value)
        made = reading(nest, [access for each in reads for access in each])
        constants.remove(shift, self.shifts)
        return made
