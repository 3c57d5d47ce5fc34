"""Instructions of MVE: Arm C Language Extensions, "M-profile Vector Extension (MVE) intrinsics"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import i32
from xdsl.utils.comparisons import to_signed

from .intrinsic import BYTES, COUNT, POINTER, PREDICATE, SIXTEEN, intrinsic

if TYPE_CHECKING:
    # Loads the interpreters of all dialects.
    from xdsl.interpreters.utils.ptr import RawPtr

_Lanes = NDArray[np.int32]


def _wide(a: _Lanes) -> NDArray[np.int64]:
    return a.astype(np.int64)


def _saturated(a: NDArray[np.int64]) -> _Lanes:
    return np.clip(a, -(1 << 31), (1 << 31) - 1).astype(np.int32)


def _shifted(a: _Lanes, b: _Lanes, half: int) -> _Lanes:
    """Shift to the left, or to the right by negative numbers; `half` is 1 where halves of what is lost round up."""
    left, right = np.maximum(_wide(b), 0), np.maximum(-_wide(b), 0)
    return ((_wide(a) << left) + (half << right >> 1) >> right).astype(np.int32)


def _loaded(a: RawPtr, count: int) -> NDArray[np.int8]:
    return np.frombuffer(a.memory, np.int8, count, a.offset)


def _rounded(a: _Lanes, b: _Lanes, bits: int) -> _Lanes:
    """Products without their lowest bits."""
    return _saturated(_wide(a) * b + (1 << bits - 1) >> bits)


vaddq_s32 = intrinsic("vaddq_s32", "Sums, which wrap around.", lambda a, b: a + b)
vsubq_s32 = intrinsic("vsubq_s32", "Differences, which wrap around.", lambda a, b: a - b)
vmulq_s32 = intrinsic("vmulq_s32", "The low halves of products.", lambda a, b: a * b)
vmaxq_s32 = intrinsic("vmaxq_s32", "The larger ones.", lambda a, b: np.maximum(a, b))
vminq_s32 = intrinsic("vminq_s32", "The smaller ones.", lambda a, b: np.minimum(a, b))
vnegq_s32 = intrinsic("vnegq_s32", "Numbers with the other sign.", lambda a: -a)
vandq_s32 = intrinsic("vandq_s32", "The bits that both have.", lambda a, b: a & b)
vqaddq_s32 = intrinsic("vqaddq_s32", "Sums, saturated.", lambda a, b: _saturated(_wide(a) + b))
vshrq_n_s32 = intrinsic("vshrq_n_s32", "Shifts to the right, with sign.", lambda a, by: a >> by)
vshlq_s32 = intrinsic("vshlq_s32", "Shifts to the left, by less than 0 to the right.", lambda a, b: _shifted(a, b, 0))
vrshlq_s32 = intrinsic("vrshlq_s32", "Shifts as `vshlq_s32` does, rounded, halves up.", lambda a, b: _shifted(a, b, 1))
vrmulhq_s32 = intrinsic("vrmulhq_s32", "High halves of products, rounded, halves up.", lambda a, b: _rounded(a, b, 32))
vqrdmulhq_s32 = intrinsic(
    "vqrdmulhq_s32", "High halves of doubled products, rounded, saturated.", lambda a, b: _rounded(a, b, 31)
)

vdupq_n_s32 = intrinsic("vdupq_n_s32", "A number in every lane.", lambda a: np.full(COUNT, a, np.int32), a=i32)
vsetq_lane_s32 = intrinsic(
    "vsetq_lane_s32",
    "Lanes, one of which is another number.",
    lambda a, b, by: np.where(np.arange(COUNT) == by, np.int32(a), b),
    a=i32,
)

vldrbq_s32 = intrinsic(
    "vldrbq_s32", "Four bytes with a sign, as lanes.", lambda a: _loaded(a, COUNT).astype(np.int32), a=POINTER
)
vldrbq_s8 = intrinsic("vldrbq_s8", "Sixteen bytes.", lambda a: _loaded(a, SIXTEEN), BYTES, a=POINTER)
vctp8q = intrinsic(
    "vctp8q",
    "A predicate of so many bytes, the first ones.",
    lambda a: np.arange(SIXTEEN) < a,
    PREDICATE,
    "vctp8q((uint32_t){a})",
    a=i32,
)
vldrbq_z_s8 = intrinsic(
    "vldrbq_z_s8",
    "The bytes of a predicate, and zeros in place of others.",
    lambda a, b: np.append(_loaded(a, b.sum()), np.zeros(SIXTEEN - b.sum(), np.int8)),
    BYTES,
    a=POINTER,
    b=PREDICATE,
)
vmladavaq_s8 = intrinsic(
    "vmladavaq_s8",
    "A number, and the products of sixteen bytes added to it.",
    lambda a, b, c: to_signed(a + int(b.astype(int) @ c.astype(int)), 32),
    i32,
    a=i32,
    b=BYTES,
    c=BYTES,
)
