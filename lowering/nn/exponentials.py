"""Exponentials of the differences between 8-bit elements and their row's maximum, as gemmlowp computes them.

A table of Q0.31 numbers made at compile time holds all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.fx.fixed_point import INT32_MAX, exp_on_negative_values, rescale
from ...dialects.nn.normalise import FixedPoint
from ..builder import Value
from .kernel import Kernel
from .requantise import fits_int32
from .rows import Rows

SUM_INTEGER_BITS = 12
"""The sum of exponentials is Q12.19."""

ONE = 1 << (31 - SUM_INTEGER_BITS)

LARGEST_DIFFERENCE = 255
"""Between two elements of 8 bits."""


@dataclass(frozen=True)
class Exponentials:
    """The table as an argument of the function."""

    k: Kernel
    table: SSAValue
    entries: int

    @staticmethod
    def of(k: Kernel, quantised: FixedPoint) -> Exponentials:
        """Return the table for the first factor, which brings differences to Q5.26."""
        factor = quantised.rescale
        values = exponentials(factor.multipliers[0], factor.shifts[0], quantised.diff_min)
        return Exponentials(k, k.table(np.array(values, np.int32), "exponentials"), len(values))

    def at(self, difference: SSAValue) -> SSAValue:
        """The exponential of what is `difference` below the maximum, Q0.31."""
        if self.entries <= LARGEST_DIFFERENCE:
            difference = self.k.min(difference, self.entries - 1)
        return self.k.load(self.table, [self.k.i32_to_index(difference)], "exponential")

    def total(self, rows: Rows, row: Value, largest: SSAValue) -> SSAValue:
        """Their sum over a row, Q12.19."""
        k = self.k

        def add_exponential(i: Value, total: SSAValue) -> SSAValue:
            exponential = self.at(k.sub(largest, rows.load(row, i)))
            # Rounded, halves up, as nothing is negative; to add them before the first shift could leave int32.
            halves = k.shift_right(exponential, SUM_INTEGER_BITS - 1)
            term = k.shift_right(k.value(k.add(halves, 1), i32), 1)
            # Terms are at most ONE. A sum that could leave int32 stops growing: all quotients are 0 long before.
            total = total if fits_int32(rows.depth * ONE) else k.min(total, INT32_MAX - ONE)
            return k.add(total, term, "total")

        return rows.fold(k.value(0, i32), add_exponential)


def exponentials(multiplier: int, shift: int, diff_min: int) -> list[int]:
    """Q0.31 exponentials of the differences 0, -1, -2 ... to the row's maximum, then one 0 if they end early.

    `multiplier` and `shift` bring a difference to Q5.26; differences below `diff_min` count as 0.
    """
    values: list[int] = []
    for difference in range(0, -LARGEST_DIFFERENCE - 1, -1):
        if difference < diff_min:
            return [*values, 0]
        values.append(exp_on_negative_values(rescale(difference, multiplier, shift)))
    return values
