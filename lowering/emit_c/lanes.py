"""The C of operations on lanes: small functions of the M-profile vector extension's intrinsics, and portable C else.

Source of the intrinsics: Arm C Language Extensions, "M-profile Vector Extension (MVE) intrinsics".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ...dialects.simd import lanes
from ...dialects.simd.dots import SumProductsOp, SumWindowOp
from ...dialects.simd.instruction import function_of
from ...dialects.simd.lanes import LANES, SIXTEEN
from ...dialects.simd.memory import ReadsMemory, type_of
from ...dialects.simd.moves import LoadLanesOp, LoadSixteenOp, MoveOfPart, StoreLanesOp, StoreSixteenOp
from ..kernels.mve import instructions as mve
from ..kernels.mve.kernels import Lanewise, lanewise, rounding_shift_right, shift_right, sum_products, sum_window
from ..kernels.mve.printing import body
from .c_function import Function, Instruction, Kernels, Meant
from .meanings import ELEMENTS

_HEADER = f"""\
#if defined(__ARM_FEATURE_MVE) && defined(__GNUC__) && !defined(__ARM_BIG_ENDIAN) && !defined(STILLPOOL_PORTABLE)
#include <arm_mve.h>
#define STILLPOOL_MVE
typedef int32x4_t simd_lanes;
typedef int8x16_t simd_sixteen;
#else
typedef struct {{
  int32_t {ELEMENTS[lanes.LanesType]}[{LANES}];
}} simd_lanes;
typedef struct {{
  int8_t {ELEMENTS[lanes.SixteenType]}[{SIXTEEN}];
}} simd_sixteen;
#endif"""


@dataclass(frozen=True)
class Vector:
    """A vector in C."""

    type: str
    bits: int
    """Bits of an element."""
    elements: str
    """Parameter that points to elements in memory."""

    def same(self, parameter: str) -> Instruction:
        """A number as all elements."""
        bits = self.bits
        return Instruction(f"return vdupq_n_s{bits}({parameter});", f"int{bits}_t {parameter}", self.type)

    def load(self, bits: int, *, unsigned: bool, is_part: bool) -> Instruction:
        """Numbers from memory, of so many bits there; `is_part` is for fewer than a vector has."""
        unsigned = unsigned and bits < self.bits
        sign, element = "u" if unsigned else "s", f"{'u' if unsigned else ''}int{bits}_t"
        pointer = f"(const {element} *){self.elements}" if unsigned else self.elements
        read = self._in_memory("vldr", bits, f"{sign}{self.bits}", pointer, "_z" if is_part else "")
        mve = f"return {f'vreinterpretq_s{self.bits}_u{self.bits}({read})' if unsigned else read};"
        return Instruction(mve, f"const int{bits}_t *{self.elements}{', int32_t count' if is_part else ''}", self.type)

    def store(self, bits: int, *, is_part: bool) -> Instruction:
        """Numbers to memory, the low bits of each; `is_part` is for fewer than a vector has."""
        write = self._in_memory("vstr", bits, f"s{self.bits}", f"{self.elements}, value", "_p" if is_part else "")
        parameters = f"int{bits}_t *{self.elements}, {self.type} value{', int32_t count' if is_part else ''}"
        return Instruction(f"{write};", parameters, "void")

    def _in_memory(self, instruction: str, bits: int, suffix: str, operands: str, predicated: str) -> str:
        letter = {8: "b", 16: "h", 32: "w"}[bits]
        predicate = f", vctp{self.bits}q((uint32_t)count)" if predicated else ""
        return f"{instruction}{letter}q{predicated}_{suffix}({operands}{predicate})"


FOUR, BYTES = Vector("simd_lanes", 32, "elements"), Vector("simd_sixteen", 8, "bytes")


def _lanewise(compute: Lanewise) -> Instruction:
    return Instruction(body(lanewise(compute), FOUR.type), f"{FOUR.type} lhs, {FOUR.type} rhs", FOUR.type)


_SAME: dict[type[Operation], Callable[[], Instruction]] = {
    lanes.LanesOfOp: partial(FOUR.same, "value"),
    lanes.SixteenOfOp: partial(BYTES.same, "byte"),
    **{
        kind: partial(_lanewise, compute)
        for kind, compute in (
            (lanes.LanesAddOp, mve.vaddq_s32),
            (lanes.LanesSubtractOp, mve.vsubq_s32),
            (lanes.LanesMultiplyOp, mve.vmulq_s32),
            (lanes.LanesMaximumOp, mve.vmaxq_s32),
            (lanes.LanesMinimumOp, mve.vminq_s32),
            (lanes.LanesShiftLeftOp, mve.vshlq_s32),
            (lanes.LanesShiftRightOp, shift_right),
            (lanes.LanesRoundingShiftRightOp, rounding_shift_right),
            (lanes.LanesMultiplyHighOp, mve.vrmulhq_s32),
            (lanes.LanesDoubledHighOp, mve.vqrdmulhq_s32),
        )
    },
}
"""Functions of values, the same for all operations of a class."""


def _sum_products_of() -> Instruction:
    """Products of all bytes of a point."""
    starts = ", ".join(f"int32_t sum{c}" for c in range(LANES))
    return Instruction(
        body(sum_products(), FOUR.type),
        f"const int8_t *bytes, int32_t count, const int8_t *weights, {starts}",
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
    return Instruction(
        body(sum_window(rows, columns), FOUR.type),
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


def _called(name: str, op: Operation, instruction: Callable[[], Instruction]) -> Function:
    return Meant(name, op, lambda meaning: instruction().definition(name, "STILLPOOL_MVE", meaning=meaning))


def _on_values(op: Operation) -> Function:
    return _called(function_of(op), op, _SAME[type(op)])


def _move(op: MoveOfPart) -> Function:
    vector, type = _VECTORS[op.__class__], type_of(op.memref).element_type
    assert isinstance(type, IntegerType), "verified"
    bits, unsigned = type.width.data, isinstance(op, LoadLanesOp) and op.unsigned is not None
    is_part, kind = op.moved < op.MOST, f"_{'u' if unsigned else 'i'}{bits}" if vector is FOUR else ""
    load = partial(vector.load, bits, unsigned=unsigned, is_part=is_part)
    store = partial(vector.store, bits, is_part=is_part)
    name = f"{function_of(op)}{kind}{'_part' if is_part else ''}"
    return _called(name, op, load if isinstance(op, ReadsMemory) else store)


def _sum_products(op: SumProductsOp) -> Function:
    return _called(function_of(op), op, _sum_products_of)


def _sum_window(op: SumWindowOp) -> Function:
    rows, columns = op.extents.get_values()
    return _called(f"{function_of(op)}_{rows}x{columns}", op, partial(_sum_window_of, rows, columns))


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
