"""What operations of loops cost as machine code: instructions and bytes, by instruction set.

The numbers are least squares over operators of public models, with and without schedules, as GCC 12.2 -O2 compiles
them for Cortex-M4: `bench/schedule_costs.py` makes them, and says how far off the sums are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Costs:
    """Of one operation of each kind, as `lowering.schedule.cost` counts them; `other` for a kind that is not there."""

    instructions: Mapping[str, float]
    """Each time that it runs."""
    code: Mapping[str, float]
    """Bytes, each time that it stands in the text."""


THUMB2 = Costs(
    instructions={
        "arithmetic": 1.22,
        "branch": 0.0,
        "carried": 0.0,
        "division": 0.0,
        "function": 0.0,
        "fx.count_leading_zeros": 36.24,
        "fx.one_over_one_plus": 36.24,
        "fx.rescale": 11.74,
        "fx.rounding_doubling_high_mul": 21.41,
        "fx.rounding_shift_right": 11.2,
        "index": 0.0,
        "index comparison": 1.79,
        "iteration": 0.23,
        "loop": 4.68,
        "memref.load": 1.63,
        "memref.store": 2.0,
        "multiplication": 0.39,
        "selection": 0.83,
        "simd.dual_multiply_add": 0.64,
        "simd.multiply_high_add": 0.0,
        "simd.pack": 0.92,
        "simd.pack_high": 1.51,
        "simd.saturate": 0.68,
        "simd.unpack_even": 0.0,
        "simd.unpack_next": 2.58,
        "simd.unpack_odd": 0.0,
        "other": 1.0,
    },
    code={
        "arithmetic": 2.31,
        "branch": 0.0,
        "carried": 0.0,
        "division": 0.0,
        "function": 0.0,
        "fx.count_leading_zeros": 85.58,
        "fx.one_over_one_plus": 85.58,
        "fx.rescale": 45.39,
        "fx.rounding_doubling_high_mul": 85.58,
        "fx.rounding_shift_right": 44.79,
        "index": 0.79,
        "index comparison": 8.9,
        "iteration": 15.24,
        "loop": 15.24,
        "memref.load": 4.52,
        "memref.store": 0.0,
        "multiplication": 9.84,
        "selection": 10.14,
        "simd.dual_multiply_add": 5.02,
        "simd.multiply_high_add": 0.0,
        "simd.pack": 0.0,
        "simd.pack_high": 12.49,
        "simd.saturate": 0.0,
        "simd.unpack_even": 0.0,
        "simd.unpack_next": 5.63,
        "simd.unpack_odd": 0.0,
        "other": 4.0,
    },
)
"""Armv7-M and later: Cortex-M3, M4, M7, M33, M55."""

RV32 = THUMB2
"""RV32IMC: what saves most there is what saves most on the others; sums are further off."""
THUMB1 = Costs({**THUMB2.instructions, "simd.swar_products": 8.5}, {**THUMB2.code, "simd.swar_products": 240.0})
"""Armv6-M: likewise. Of its own operation, the instructions for each number that is multiplied."""
