"""Kernels with registers, memories that they run on, and operands of dual products."""

from __future__ import annotations

import numpy as np

from stillpool.dialects.simd.rescaling import Rescaling
from stillpool.lowering.kernels.armv7em.dual_products import Walk
from stillpool.lowering.kernels.thumb import KernelOp, allocate, check_registers
from stillpool.lowering.kernels.thumb.machine import Machine

PASSES = 3
"""Of loops over words."""
CHANNELS = 4
RESCALINGS = [
    Rescaling(False, False),
    Rescaling(True, True),
    Rescaling(True, False, 5),
    Rescaling(False, False, 3),
    Rescaling(False, True, 6, True),
    Rescaling(False, False, zero_point=-128),
    Rescaling(False, False, zero_point=5),
    Rescaling(False, True, zero_point=3),
]


def words(walk: Walk) -> int:
    """That one channel takes."""
    return PASSES * walk.passed + walk.after


def allocated(kernel: KernelOp) -> KernelOp:
    """A kernel whose registers are given, and hold what is read."""
    allocate(kernel)
    kernel.verify()
    check_registers(kernel)
    return kernel


def machine_of(*parts: np.ndarray) -> tuple[Machine, list[int]]:
    """A memory with these one after the other, and where each begins."""
    padded = [part.tobytes() + bytes(-part.nbytes % 4) for part in parts]
    starts = [sum(map(len, padded[:number])) for number in range(len(padded))]
    return Machine(bytearray(b"".join(padded))), starts


def operands(rng: np.random.Generator, walk: Walk, points: int, *, shares: bool) -> tuple[np.ndarray, ...]:
    """Lanes of points and weights, the words of weights, and what sums start from."""
    count = words(walk)
    lanes = rng.integers(-256, 256, (count, points, 2)).astype(np.int16)
    weights = rng.integers(-128, 128, (CHANNELS, count, 2)).astype(np.int16)
    packed = weights.transpose(1, 0, 2).copy()
    if shares:
        packed = (packed[:, 0::2].astype(int) + 256 * packed[:, 1::2]).astype(np.uint16).view(np.int16)
    starts = rng.integers(-1000, 1000, CHANNELS).astype(np.int32)
    return lanes, weights, packed, starts
