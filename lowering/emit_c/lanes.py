"""The C of operations on lanes: small functions of the M-profile vector extension's intrinsics, and portable C else.

Source of the intrinsics: Arm C Language Extensions, "M-profile Vector Extension (MVE) intrinsics".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from textwrap import indent

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ...dialects.simd import lanes
from ...dialects.simd.dots import SumProductsOp, SumWindowOp
from ...dialects.simd.instruction import function_of
from ...dialects.simd.lanes import LANES, SIXTEEN
from ...dialects.simd.memory import type_of
from ...dialects.simd.moves import LoadLanesOp, LoadSixteenOp, StoreLanesOp, StoreSixteenOp
from ..kernels.mve import instructions as mve
from ..kernels.mve.kernels import Lanewise, lanewise, rounding_shift_right, shift_right, sum_products, sum_window
from ..kernels.mve.printing import body
from .c_function import Argument, Function, Instruction, Kernels

_HEADER = f"""\
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


@dataclass(frozen=True)
class Vector:
    """A vector in C."""

    type: str
    member: str
    """Its elements in portable C."""
    count: int
    bits: int
    """Bits of an element."""
    elements: str
    """Parameter that points to elements in memory."""

    def each(self, expression: str, before: str = "") -> str:
        """A body that computes every element; `i` is its number."""
        lines = indent(f"{before}\nresult.{self.member}[i] = {expression};".lstrip(), "  ")
        return f"{self.type} result;\nfor (int32_t i = 0; i < {self.count}; i++) {{\n{lines}\n}}\nreturn result;"

    def same(self, parameter: str) -> Instruction:
        """A number as all elements."""
        mve = f"return vdupq_n_s{self.bits}({parameter});"
        return Instruction(mve, self.each(parameter), f"int{self.bits}_t {parameter}", self.type)

    def load(self, bits: int, *, unsigned: bool, is_part: bool) -> Instruction:
        """Numbers from memory, of so many bits there; `is_part` is for fewer than a vector has."""
        unsigned = unsigned and bits < self.bits
        sign, element = "u" if unsigned else "s", f"{'u' if unsigned else ''}int{bits}_t"
        pointer = f"(const {element} *){self.elements}" if unsigned else self.elements
        read = self._in_memory("vldr", bits, f"{sign}{self.bits}", pointer, "_z" if is_part else "")
        mve = f"return {f'vreinterpretq_s{self.bits}_u{self.bits}({read})' if unsigned else read};"
        value = f"({element}){self.elements}[i]" if unsigned else f"{self.elements}[i]"
        portable = self.each(f"i < count ? {value} : 0" if is_part else value)
        parameters = f"const int{bits}_t *{self.elements}{', int32_t count' if is_part else ''}"
        return Instruction(mve, portable, parameters, self.type)

    def store(self, bits: int, *, is_part: bool) -> Instruction:
        """Numbers to memory, the low bits of each; `is_part` is for fewer than a vector has."""
        write = self._in_memory("vstr", bits, f"s{self.bits}", f"{self.elements}, value", "_p" if is_part else "")
        low = f"{'' if bits == self.bits else f'(int{bits}_t)'}value.{self.member}[i]"
        count = "count" if is_part else self.count
        portable = f"for (int32_t i = 0; i < {count}; i++) {{\n  {self.elements}[i] = {low};\n}}"
        parameters = f"int{bits}_t *{self.elements}, {self.type} value{', int32_t count' if is_part else ''}"
        return Instruction(f"{write};", portable, parameters, "void")

    def _in_memory(self, instruction: str, bits: int, suffix: str, operands: str, predicated: str) -> str:
        letter = {8: "b", 16: "h", 32: "w"}[bits]
        predicate = f", vctp{self.bits}q((uint32_t)count)" if predicated else ""
        return f"{instruction}{letter}q{predicated}_{suffix}({operands}{predicate})"


FOUR = Vector("simd_lanes", "lane", LANES, 32, "elements")
BYTES = Vector("simd_sixteen", "byte", SIXTEEN, 8, "bytes")


def _lanewise(compute: Lanewise, expression: str, before: str = "") -> Instruction:
    parameters, portable = f"{FOUR.type} lhs, {FOUR.type} rhs", FOUR.each(expression, before)
    return Instruction(body(lanewise(compute), FOUR.type), portable, parameters, FOUR.type)


def _wrapping(compute: Lanewise, symbol: str) -> Instruction:
    return _lanewise(compute, f"(int32_t)((uint32_t)lhs.lane[i] {symbol} (uint32_t)rhs.lane[i])")


def _larger(compute: Lanewise, symbol: str) -> Instruction:
    return _lanewise(compute, f"lhs.lane[i] {symbol} rhs.lane[i] ? lhs.lane[i] : rhs.lane[i]")


_PRODUCT = "int64_t product = (int64_t)lhs.lane[i] * (int64_t)rhs.lane[i];"

_SAME: dict[type[Operation], Callable[[], Instruction]] = {
    lanes.LanesOfOp: partial(FOUR.same, "value"),
    lanes.SixteenOfOp: partial(BYTES.same, "byte"),
    lanes.LanesAddOp: partial(_wrapping, mve.vaddq_s32, "+"),
    lanes.LanesSubtractOp: partial(_wrapping, mve.vsubq_s32, "-"),
    lanes.LanesMultiplyOp: partial(_wrapping, mve.vmulq_s32, "*"),
    lanes.LanesMaximumOp: partial(_larger, mve.vmaxq_s32, ">"),
    lanes.LanesMinimumOp: partial(_larger, mve.vminq_s32, "<"),
    lanes.LanesShiftLeftOp: partial(_lanewise, mve.vshlq_s32, "(int32_t)((uint32_t)lhs.lane[i] << rhs.lane[i])"),
    lanes.LanesShiftRightOp: partial(_lanewise, shift_right, "lhs.lane[i] >> rhs.lane[i]"),
    lanes.LanesRoundingShiftRightOp: partial(
        _lanewise,
        rounding_shift_right,
        "(lhs.lane[i] >> rhs.lane[i]) + (remainder > half)",
        "int32_t mask = (int32_t)(((uint32_t)1 << rhs.lane[i]) - 1u);\n"
        "int32_t remainder = lhs.lane[i] & mask;\n"
        "int32_t half = (mask >> 1) + (lhs.lane[i] < 0);",
    ),
    lanes.LanesMultiplyHighOp: partial(_lanewise, mve.vrmulhq_s32, "(int32_t)((product + 2147483648) >> 32)", _PRODUCT),
    lanes.LanesDoubledHighOp: partial(
        _lanewise,
        mve.vqrdmulhq_s32,
        "(int32_t)(high < 2147483647 ? high : 2147483647)",
        f"{_PRODUCT}\nint64_t high = (product + 1073741824) >> 31;",
    ),
}
"""Functions of values, the same for all operations of a class."""


def _sum_products_of() -> Instruction:
    """Products of all bytes of a point."""
    sums = [f"sum{c}" for c in range(LANES)]
    portable = (
        f"simd_lanes sums = {{{{{', '.join(sums)}}}}};\n"
        "for (int32_t n = 0; n < count; n++) {\n"
        f"  const int8_t *w = weights + n / {SIXTEEN} * {SIXTEEN * LANES} + n % {SIXTEEN};\n"
        f"  for (int32_t i = 0; i < {LANES}; i++) {{\n"
        f"    sums.lane[i] = (int32_t)((uint32_t)sums.lane[i] + (uint32_t)(bytes[n] * w[{SIXTEEN} * i]));\n"
        "  }\n}\nreturn sums;"
    )
    return Instruction(
        body(sum_products(), FOUR.type),
        portable,
        f"const int8_t *bytes, int32_t count, const int8_t *weights, {', '.join(f'int32_t {each}' for each in sums)}",
        FOUR.type,
        comment=(
            f"Tile: {LANES} channels of one point, {SIXTEEN} products each in an instruction.\n"
            f" * Layout: for every {SIXTEEN} bytes {SIXTEEN} weights of each channel, those missing at the end zero.\n"
            " * Source: VMLADAVA, Arm v8-M Architecture Reference Manual. "
            "The empty assembly lets pointers move with loads."
        ),
    )


def _sum_window_of(rows: int, columns: int) -> Instruction:
    """Products of all points of a window."""
    portable = (
        f"for (int32_t r = 0; r < {rows}; r++) {{\n  for (int32_t c = 0; c < {columns}; c++) {{\n"
        "    const int8_t *x = elements + r * row + c * column;\n"
        f"    const int8_t *w = weights + (r * {columns} + c) * {LANES};\n"
        f"    for (int32_t i = 0; i < {LANES}; i++) {{\n"
        "      sum.lane[i] = (int32_t)((uint32_t)sum.lane[i] + (uint32_t)(x[i] * w[i]));\n"
        "    }\n  }\n}\nreturn sum;"
    )
    return Instruction(
        body(sum_window(rows, columns), FOUR.type),
        portable,
        "const int8_t *elements, int32_t row, int32_t column, const int8_t *weights, simd_lanes sum",
        FOUR.type,
        comment=(
            f"Tile: {LANES} channels of one point, {rows} x {columns} products each.\n"
            f" * Layout: channels side by side; {LANES} weights for each point of the window, one after the other.\n"
            " * The empty assembly keeps a pointer for each point of the window, and what is loaded for it, out of\n"
            " * registers before its turn: there are not enough."
        ),
    )


_VECTORS: Mapping[type[Operation], Vector] = {
    LoadLanesOp: FOUR,
    StoreLanesOp: FOUR,
    LoadSixteenOp: BYTES,
    StoreSixteenOp: BYTES,
}
"""The vector that an operation loads or stores."""


def _called(name: str, instruction: Callable[[], Instruction], *arguments: Argument) -> Function:
    return Function(name, lambda: instruction().definition(name, "STILLPOOL_MVE"), *arguments)


def _on_values(op: Operation) -> Function:
    given = [op.byte] if isinstance(op, lanes.SixteenOfOp) else op.operands
    return _called(function_of(op), _SAME[type(op)], *given)


def _move(op: LoadLanesOp | StoreLanesOp | LoadSixteenOp | StoreSixteenOp) -> Function:
    vector, type = _VECTORS[op.__class__], type_of(op.memref).element_type
    assert isinstance(type, IntegerType), "verified"
    bits, unsigned = type.width.data, isinstance(op, LoadLanesOp) and op.unsigned is not None
    is_part, kind = op.moved < vector.count, f"_{'u' if unsigned else 'i'}{bits}" if vector is FOUR else ""
    name, count = f"{function_of(op)}{kind}{'_part' if is_part else ''}", op.count if is_part else None
    if isinstance(op, LoadLanesOp | LoadSixteenOp):
        load = partial(vector.load, bits, unsigned=unsigned, is_part=is_part)
        return _called(name, load, op.memref, count)
    return _called(name, partial(vector.store, bits, is_part=is_part), op.memref, op.value, count)


def _sum_products(op: SumProductsOp) -> Function:
    return _called(function_of(op), _sum_products_of, op.memref, op.count, op.weights, op.starts)


def _sum_window(op: SumWindowOp) -> Function:
    (rows, columns), steps = op.extents.get_values(), op.steps.get_values()
    name = f"{function_of(op)}_{rows}x{columns}"
    return _called(name, partial(_sum_window_of, rows, columns), op.memref, *steps, op.weights, op.sum)


KERNELS = Kernels(
    {
        **dict.fromkeys(_SAME, _on_values),
        **dict.fromkeys(_VECTORS, _move),
        SumProductsOp: _sum_products,
        SumWindowOp: _sum_window,
    },
    [_HEADER],
    is_sorted=True,
)
