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
        "arithmetic": 1.0,
        "branch": 0.0,
        "carried": 2.07,
        "division": 0.0,
        "function": 0.0,
        "fx.count_leading_zeros": 49.12,
        "fx.one_over_one_plus": 49.12,
        "fx.rescale": 14.37,
        "fx.rounding_doubling_high_mul": 22.02,
        "fx.rounding_shift_right": 11.51,
        "index": 0.0,
        "index comparison": 1.17,
        "iteration": 0.0,
        "loop": 6.8,
        "memref.load": 1.63,
        "memref.store": 1.19,
        "multiplication": 1.35,
        "selection": 0.0,
        "simd.dual_multiply_add": 0.63,
        "simd.multiply_high_add": 0.0,
        "simd.pack": 3.64,
        "simd.pack_high": 0.0,
        "simd.saturate": 0.0,
        "simd.unpack_even": 1.0,
        "simd.unpack_next": 1.0,
        "simd.unpack_odd": 1.0,
        "other": 1.0,
    },
    code={
        "arithmetic": 4.2,
        "branch": 0.0,
        "carried": 0.0,
        "division": 0.0,
        "function": 0.0,
        "fx.count_leading_zeros": 80.0,
        "fx.one_over_one_plus": 80.0,
        "fx.rescale": 76.4,
        "fx.rounding_doubling_high_mul": 80.0,
        "fx.rounding_shift_right": 42.0,
        "index": 0.0,
        "index comparison": 10.0,
        "iteration": 20.1,
        "loop": 20.1,
        "memref.load": 2.1,
        "memref.store": 0.0,
        "multiplication": 11.0,
        "selection": 8.0,
        "simd.dual_multiply_add": 6.0,
        "simd.multiply_high_add": 0.0,
        "simd.pack": 0.0,
        "simd.pack_high": 16.2,
        "simd.saturate": 1.2,
        "simd.unpack_even": 0.0,
        "simd.unpack_odd": 0.0,
        "other": 4.0,
    },
)
"""Armv7-M and later: Cortex-M3, M4, M7, M33, M55."""

THUMB1 = RV32 = THUMB2
"""Armv6-M and RV32IMC: what saves most there is what saves most on the others; sums are further off."""
