"""What TFLite Micro computes in a process that has used memory before."""

from __future__ import annotations

import ctypes

import numpy as np
import tflm_worker
from single import Operand, Single, integers

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's mallopt."""

MOST = 32 << 20
"""Bytes: the largest threshold that malloc takes, or comes to by itself."""


def margins() -> list[int]:
    """The margin of a SPACE_TO_BATCH_ND, in a process whose freed memory holds no zeros."""
    libc = ctypes.CDLL(None)
    assert libc.mallopt(MMAP_THRESHOLD, MOST)
    assert libc.mallopt(TRIM_THRESHOLD, 2 * MOST)
    operands = (
        Operand((2, 2, 1, 1), "int8", zero_point=-7),
        integers([1, 1]),
        Operand((2, 2), "int32", values=(0, 1, 0, 0)),
    )
    target = Operand((2, 3, 1, 1), "int8", zero_point=-7)
    case = Single("SPACE_TO_BATCH_ND", operands, (target,), "SpaceToBatchND", oracle="tflm", seed=1).case()
    used = np.full(MOST >> 1, 0x50, np.uint8)
    del used
    (result,) = tflm_worker.run(case.model, case.inputs, case.outputs)
    return [int(value) for value in result.reshape(-1, 3)[:, 2]]
