"""The C of operations on lanes: small functions of the M-profile vector extension's intrinsics, and portable C else.

Source of the intrinsics: Arm C Language Extensions, "M-profile Vector Extension (MVE) intrinsics".
"""

from __future__ import annotations

from xdsl.ir import Operation

from ...dialects.simd import (
    LANES,
    SIXTEEN,
    LanesAddOp,
    LanesDoubledHighOp,
    LanesMaximumOp,
    LanesMinimumOp,
    LanesMultiplyHighOp,
    LanesMultiplyOp,
    LanesRoundingShiftRightOp,
    LanesShiftLeftOp,
    LanesShiftRightOp,
    LanesSubtractOp,
)
from .c_function import Instruction

HEADER = f"""\
#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__) && !defined(__ARM_BIG_ENDIAN) && !defined(STILLPOOL_PORTABLE)
#include <arm_mve.h>
#define STILLPOOL_MVE
typedef int32x4_t simd_lanes;
typedef int8x16_t simd_sixteen;
#else
typedef struct {{
  int32_t lane[{LANES}];
}} simd_lanes;
typedef struct {{
  int8_t byte[{SIXTEEN}];
}} simd_sixteen;
#endif"""


def _on_lanes(parameters: str, mve: str, portable: str, result: str = "simd_lanes", comment: str = "") -> Instruction:
    """A function of the vector extension."""
    return Instruction(parameters, mve, portable, result, comment)


def _each(expression: str, before: str = "") -> str:
    """A body that computes every lane; `i` is its number."""
    lines = "".join(f"  {line}\n" for line in before.splitlines())
    return (
        "simd_lanes result;\n"
        f"for (int32_t i = 0; i < {LANES}; i++) {{\n{lines}  result.lane[i] = {expression};\n}}\nreturn result;"
    )


def _wrapping(symbol: str) -> str:
    return _each(f"(int32_t)((uint32_t)lhs.lane[i] {symbol} (uint32_t)rhs.lane[i])")


def _lanewise(mve: str, portable: str) -> Instruction:
    return _on_lanes("simd_lanes lhs, simd_lanes rhs", mve, portable)


_PRODUCT = "int64_t product = (int64_t)lhs.lane[i] * (int64_t)rhs.lane[i];"

LANEWISE: dict[type[Operation], Instruction] = {
    LanesAddOp: _lanewise("return vaddq_s32(lhs, rhs);", _wrapping("+")),
    LanesSubtractOp: _lanewise("return vsubq_s32(lhs, rhs);", _wrapping("-")),
    LanesMultiplyOp: _lanewise("return vmulq_s32(lhs, rhs);", _wrapping("*")),
    LanesMaximumOp: _lanewise(
        "return vmaxq_s32(lhs, rhs);", _each("lhs.lane[i] > rhs.lane[i] ? lhs.lane[i] : rhs.lane[i]")
    ),
    LanesMinimumOp: _lanewise(
        "return vminq_s32(lhs, rhs);", _each("lhs.lane[i] < rhs.lane[i] ? lhs.lane[i] : rhs.lane[i]")
    ),
    LanesShiftLeftOp: _lanewise(
        "return vshlq_s32(lhs, rhs);", _each("(int32_t)((uint32_t)lhs.lane[i] << rhs.lane[i])")
    ),
    LanesShiftRightOp: _lanewise("return vshlq_s32(lhs, vnegq_s32(rhs));", _each("lhs.lane[i] >> rhs.lane[i]")),
    LanesRoundingShiftRightOp: _lanewise(
        # What is negative is one less before it is rounded, halves up; where nothing is shifted out it is not.
        "int32x4_t left = vnegq_s32(rhs);\n"
        "int32x4_t nudge = vshrq_n_s32(vandq_s32(lhs, left), 31);\n"
        "return vrshlq_s32(vqaddq_s32(lhs, nudge), left);",
        _each(
            "(lhs.lane[i] >> rhs.lane[i]) + (remainder > half)",
            "int32_t mask = (int32_t)(((uint32_t)1 << rhs.lane[i]) - 1u);\n"
            "int32_t remainder = lhs.lane[i] & mask;\n"
            "int32_t half = (mask >> 1) + (lhs.lane[i] < 0);",
        ),
    ),
    LanesMultiplyHighOp: _lanewise(
        "return vrmulhq_s32(lhs, rhs);", _each("(int32_t)((product + 2147483648) >> 32)", _PRODUCT)
    ),
    LanesDoubledHighOp: _lanewise(
        "return vqrdmulhq_s32(lhs, rhs);",
        _each(
            "(int32_t)(high < 2147483647 ? high : 2147483647)",
            f"{_PRODUCT}\nint64_t high = (product + 1073741824) >> 31;",
        ),
    ),
}
"""Functions of two vectors, lane by lane."""

LANES_OF = _on_lanes("int32_t value", "return vdupq_n_s32(value);", _each("value"))


def load(bits: int, *, unsigned: bool, is_part: bool) -> Instruction:
    """Elements as lanes; `is_part` is for fewer than four."""
    letter = {8: "b", 16: "h", 32: "w"}[bits]
    element = f"{'u' if unsigned and bits < 32 else ''}int{bits}_t"
    suffix = f"{'u' if unsigned and bits < 32 else 's'}32"
    pointer = "elements" if element == f"int{bits}_t" else f"(const {element} *)elements"
    predicate, more = (f", vctp{32}q((uint32_t)count)", "_z") if is_part else ("", "")
    read = f"vldr{letter}q{more}_{suffix}({pointer}{predicate})"
    mve = f"return {read if suffix == 's32' else f'vreinterpretq_s32_u32({read})'};"
    value = f"({element})elements[i]" if unsigned and bits < 32 else "elements[i]"
    portable = _each(f"i < count ? {value} : 0" if is_part else value)
    return _on_lanes(f"const int{bits}_t *elements" + (", int32_t count" if is_part else ""), mve, portable)


def store(bits: int, *, is_part: bool) -> Instruction:
    """Lanes as elements, the low bits of each; `is_part` is for fewer than four."""
    letter = {8: "b", 16: "h", 32: "w"}[bits]
    predicate, more = (f", vctp{32}q((uint32_t)count)", "_p") if is_part else ("", "")
    mve = f"vstr{letter}q{more}_s32(elements, value{predicate});"
    low = "value.lane[i]" if bits == 32 else f"(int{bits}_t)value.lane[i]"
    portable = f"for (int32_t i = 0; i < {'count' if is_part else LANES}; i++) {{\n  elements[i] = {low};\n}}"
    parameters = f"int{bits}_t *elements, simd_lanes value" + (", int32_t count" if is_part else "")
    return _on_lanes(parameters, mve, portable, "void")


_CHANNELS = range(LANES)

_BARRIER = '__asm__("" : "+r"({0}));\n'
"""Hides from GCC where a pointer points, so that it moves with the load and not in an instruction of its own."""

_SIXTEEN_PRODUCTS = "".join(
    f"  sum{c} = vmladavaq_s8(sum{c}, x, vldrbq_s8(weights));\n  weights += {SIXTEEN};\n  {_BARRIER.format('weights')}"
    for c in _CHANNELS
)

SUM_PRODUCTS = _on_lanes(
    "const int8_t *bytes, int32_t count, const int8_t *weights, " + ", ".join(f"int32_t sum{c}" for c in _CHANNELS),
    f"for (int32_t block = 0; block < count / {SIXTEEN}; block++) {{\n  int8x16_t x = vldrbq_s8(bytes);\n"
    f"  bytes += {SIXTEEN};\n  {_BARRIER.format('bytes')}{_SIXTEEN_PRODUCTS}}}\n"
    f"if (count % {SIXTEEN} != 0) {{\n"
    f"  int8x16_t x = vldrbq_z_s8(bytes, vctp8q((uint32_t)(count % {SIXTEEN})));\n{_SIXTEEN_PRODUCTS}}}\n"
    "simd_lanes sums = vdupq_n_s32(sum0);\n"
    + "".join(f"sums = vsetq_lane_s32(sum{c}, sums, {c});\n" for c in _CHANNELS[1:])
    + "return sums;",
    f"simd_lanes sums = {{{{{', '.join(f'sum{c}' for c in _CHANNELS)}}}}};\n"
    "for (int32_t n = 0; n < count; n++) {\n"
    f"  const int8_t *w = weights + n / {SIXTEEN} * {SIXTEEN * LANES} + n % {SIXTEEN};\n"
    f"  for (int32_t i = 0; i < {LANES}; i++) {{\n"
    f"    sums.lane[i] = (int32_t)((uint32_t)sums.lane[i] + (uint32_t)(bytes[n] * w[{SIXTEEN} * i]));\n"
    "  }\n}\nreturn sums;",
    comment=(
        f"Tile: {LANES} channels of one point, {SIXTEEN} products each in an instruction.\n"
        f" * Layout: for every {SIXTEEN} bytes {SIXTEEN} weights of each channel, those missing at the end zero.\n"
        " * Source: VMLADAVA, Arm v8-M Architecture Reference Manual. The empty assembly lets pointers move with loads."
    ),
)


def sum_window(rows: int, columns: int) -> Instruction:
    """Products of all points of a window."""
    taps = [(r, c) for r in range(rows) for c in range(columns)]
    mve = ""
    for r, c in taps:
        mve += '__asm__("" : "+r"(elements), "+r"(weights) : "w"(sum));\n'
        mve += "sum = vaddq_s32(sum, vmulq_s32(vldrbq_s32(elements), vldrbq_s32(weights)));\n"
        last = c == columns - 1
        mve += "" if (r, c) == taps[-1] else f"elements += {f'row - {columns - 1} * column' if last else 'column'};\n"
        mve += "" if (r, c) == taps[-1] else f"weights += {LANES};\n"
    portable = (
        f"for (int32_t r = 0; r < {rows}; r++) {{\n  for (int32_t c = 0; c < {columns}; c++) {{\n"
        "    const int8_t *x = elements + r * row + c * column;\n"
        f"    const int8_t *w = weights + (r * {columns} + c) * {LANES};\n"
        f"    for (int32_t i = 0; i < {LANES}; i++) {{\n"
        "      sum.lane[i] = (int32_t)((uint32_t)sum.lane[i] + (uint32_t)(x[i] * w[i]));\n"
        "    }\n  }\n}\nreturn sum;"
    )
    return _on_lanes(
        "const int8_t *elements, int32_t row, int32_t column, const int8_t *weights, simd_lanes sum",
        mve + "return sum;",
        portable,
        comment=(
            f"Tile: {LANES} channels of one point, {rows} x {columns} products each.\n"
            f" * Layout: channels side by side; {LANES} weights for each point of the window, one after the other.\n"
            " * The empty assembly keeps a pointer for each point of the window, and what is loaded for it, out of\n"
            " * registers before its turn: there are not enough."
        ),
    )


def load_sixteen(*, is_part: bool) -> Instruction:
    """Sixteen bytes, or fewer."""
    read = "vldrbq_z_s8(bytes, vctp8q((uint32_t)count))" if is_part else "vldrbq_s8(bytes)"
    value = "i < count ? bytes[i] : 0" if is_part else "bytes[i]"
    portable = (
        f"simd_sixteen result;\nfor (int32_t i = 0; i < {SIXTEEN}; i++) {{\n  result.byte[i] = {value};\n}}\n"
        "return result;"
    )
    parameters = "const int8_t *bytes" + (", int32_t count" if is_part else "")
    return _on_lanes(parameters, f"return {read};", portable, "simd_sixteen")


def store_sixteen(*, is_part: bool) -> Instruction:
    """The first of sixteen bytes, or all of them."""
    mve = "vstrbq_p_s8(bytes, value, vctp8q((uint32_t)count));" if is_part else "vstrbq_s8(bytes, value);"
    count = "count" if is_part else str(SIXTEEN)
    portable = f"for (int32_t i = 0; i < {count}; i++) {{\n  bytes[i] = value.byte[i];\n}}"
    parameters = "int8_t *bytes, simd_sixteen value" + (", int32_t count" if is_part else "")
    return _on_lanes(parameters, mve, portable, "void")


SIXTEEN_OF = _on_lanes(
    "int8_t byte",
    "return vdupq_n_s8(byte);",
    f"simd_sixteen result;\nfor (int32_t i = 0; i < {SIXTEEN}; i++) {{\n  result.byte[i] = byte;\n}}\nreturn result;",
    "simd_sixteen",
)
