"""The C of operations on lanes: small functions of the M-profile vector extension's intrinsics, and portable C else.

Source of the intrinsics: Arm C Language Extensions, "M-profile Vector Extension (MVE) intrinsics".
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.func import FuncOp
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
from .c_function import Bodies, Extension, Function, Kernels, Meant, indented
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


_MVE = Extension("STILLPOOL_MVE")


_LANEWISE: dict[type[Operation], Lanewise] = {
    lanes.LanesAddOp: mve.vaddq_s32,
    lanes.LanesSubtractOp: mve.vsubq_s32,
    lanes.LanesMultiplyOp: mve.vmulq_s32,
    lanes.LanesMaximumOp: mve.vmaxq_s32,
    lanes.LanesMinimumOp: mve.vminq_s32,
    lanes.LanesShiftLeftOp: mve.vshlq_s32,
    lanes.LanesShiftRightOp: shift_right,
    lanes.LanesRoundingShiftRightOp: rounding_shift_right,
    lanes.LanesMultiplyHighOp: mve.vrmulhq_s32,
    lanes.LanesDoubledHighOp: mve.vqrdmulhq_s32,
}


def _kernel(kernel: FuncOp, comment: str = "") -> Bodies:
    return Bodies(indented(body(kernel, "simd_lanes")), comment)


def _lanewise(op: Operation) -> Function:
    return Meant(function_of(op), op, _MVE, lambda: _kernel(lanewise(_LANEWISE[type(op)])))


def _same(op: Operation) -> Function:
    """A number as all elements of a vector."""
    bits, value, parameters = (32, "value", "") if isinstance(op, lanes.LanesOfOp) else (8, "byte", "int8_t byte")
    bodies = Bodies(f"  return vdupq_n_s{bits}({value});", parameters=parameters)
    return Meant(function_of(op), op, _MVE, lambda: bodies)


def _move(op: MoveOfPart) -> Function:
    """Elements from memory or to it, the low bits of each; all that a vector has, or so many."""
    type, is_part = type_of(op.memref).element_type, op.moved < op.MOST
    assert isinstance(type, IntegerType), "verified"
    of_lanes = isinstance(op, LoadLanesOp | StoreLanesOp)
    bits, (wide, elements) = type.width.data, (32, "elements") if of_lanes else (8, "bytes")
    unsigned = isinstance(op, LoadLanesOp) and op.unsigned is not None

    def bodies() -> Bodies:
        letter = {8: "b", 16: "h", 32: "w"}[bits]
        predicate = f", vctp{wide}q((uint32_t)count)" if is_part else ""
        if not isinstance(op, ReadsMemory):
            return Bodies(f"  vstr{letter}q{'_p' if is_part else ''}_s{wide}({elements}, value{predicate});")
        load = f"vldr{letter}q{'_z' if is_part else ''}"
        if unsigned and bits < wide:
            read = f"{load}_u{wide}((const uint{bits}_t *){elements}{predicate})"
            return Bodies(f"  return vreinterpretq_s{wide}_u{wide}({read});")
        return Bodies(f"  return {load}_s{wide}({elements}{predicate});")

    kind = f"_{'u' if unsigned else 'i'}{bits}" if of_lanes else ""
    return Meant(f"{function_of(op)}{kind}{'_part' if is_part else ''}", op, _MVE, bodies)


def _sum_products(op: SumProductsOp) -> Function:
    comment = (
        f"Tile: {LANES} channels of one point, {SIXTEEN} products each in an instruction.\n"
        f" * Layout: for every {SIXTEEN} bytes {SIXTEEN} weights of each channel, those missing at the end zero.\n"
        " * Source: VMLADAVA, Arm v8-M Architecture Reference Manual. "
        "The empty assembly lets pointers move with loads."
    )
    return Meant(function_of(op), op, _MVE, lambda: _kernel(sum_products(), comment))


def _sum_window(op: SumWindowOp) -> Function:
    rows, columns = op.extents.get_values()
    comment = (
        f"Tile: {LANES} channels of one point, {rows} x {columns} products each.\n"
        f" * Layout: channels side by side; {LANES} weights for each point of the window, one after the other.\n"
        " * The empty assembly keeps a pointer for each point of the window, and what is loaded for it, out of\n"
        " * registers before its turn: there are not enough."
    )
    name = f"{function_of(op)}_{rows}x{columns}"
    return Meant(name, op, _MVE, lambda: _kernel(sum_window(rows, columns), comment))


KERNELS = Kernels(
    {
        **dict.fromkeys(_LANEWISE, _lanewise),
        **dict.fromkeys((lanes.LanesOfOp, lanes.SixteenOfOp), _same),
        **dict.fromkeys((LoadLanesOp, StoreLanesOp, LoadSixteenOp, StoreSixteenOp), _move),
        SumProductsOp: _sum_products,
        SumWindowOp: _sum_window,
    },
    [_HEADER],
    "simd_lanes",
    "simd_sixteen",
    is_sorted=True,
)
