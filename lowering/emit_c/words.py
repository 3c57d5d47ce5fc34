"""The C of instructions on words: small functions that are an instruction of Arm's DSP extension, and portable C else.

Sources of the instructions: Arm C Language Extensions, 8.5 (32-bit SIMD intrinsics); Arm v7-M Architecture Reference
Manual, SSUB8, USUB8, SEL, SMLAWB, SMLAWT, SSAT.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_AddOp
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc
from ...dialects.simd import words
from ...dialects.simd.instruction import function_of, numbers_of
from ...dialects.simd.moves import LoadBytesOp, StoreBytesOp
from ..kernels.armv7em import instructions as v7
from ..kernels.thumb.instruction import Simple
from ..kernels.thumb.printing import instruction, intrinsic
from .c_function import FLOATS, Bodies, Extension, Function, Kernels, Meant, indented, pointer
from .literals import known
from .lowering import Lowering, Patterns

_HEADER = """\
#if defined(__ARM_FEATURE_SIMD32) && defined(__GNUC__) && !defined(__ARM_BIG_ENDIAN) && !defined(STILLPOOL_PORTABLE)
#include <arm_acle.h>
#define STILLPOOL_DSP
#endif"""
_DSP = Extension("STILLPOOL_DSP")


def _bodies(instructions: str, portable: str = "", armv6m: str = "", needs: str = "") -> Bodies:
    """Bodies of lines that are not indented."""
    return Bodies(indented(instructions), portable=indented(portable), armv6m=indented(armv6m), needs=needs)


def _one(
    kind: type[Simple], result: str, *operands: str, by: int | None = None, volatile: bool = False, armv6m: str = ""
) -> Bodies:
    """One instruction that compilers do not make themselves."""
    statement = instruction(kind, result, *operands, by=by, volatile=volatile)
    return _bodies(f"int32_t {result};\n{statement}\nreturn {result};", armv6m=armv6m)


def _call(kind: type[Simple], *operands: str) -> Bodies:
    """One instruction that compilers have a function for."""
    return _bodies(f"return {intrinsic(kind, *operands)};")


def _saturate(name: str, bits: int) -> Bodies:
    """The instruction, which compilers do not find in the portable form.

    GCC's own macro for it converts from unsigned, which it warns of where it is used.
    """
    return _bodies(
        "#if defined(__GNUC__) && !defined(__clang__)\n"
        f"return (int32_t)__builtin_arm_{name}(value, {bits});\n"
        f"#else\nreturn {'' if name == 'ssat' else '(int32_t)'}__{name}(value, {bits});\n#endif"
    )


def _shift_saturate(right: int, bits: int) -> Bodies:
    # Compilers shift in an instruction of its own.
    return _one({8: v7.ssat, 16: v7.ssat_half}[bits], "result", "value", by=right)


def _unpack_nibbles(place: int) -> Bodies:
    # Bits from the nibble to the highest of its half. As for `ssat`; volatile as below: a round needs all registers.
    shift = 4 * (words.NIBBLES - 1 - place)
    return _one(v7.and_lsl, "lanes", "word", "0xf000f000u", by=shift, volatile=True)


_HIGH_HALF = (
    "int32_t lhs_high = lhs >> 16;\nint32_t lhs_low = (int32_t)((uint32_t)lhs & 0xffffu);\n"
    "int32_t rhs_high = rhs >> 16;\nint32_t rhs_low = (int32_t)((uint32_t)rhs & 0xffffu);\n"
    "uint32_t low = (uint32_t)lhs_low * (uint32_t)rhs_low;\n"
    "int32_t middle = lhs_high * rhs_low + (int32_t)(low >> 16);\n"
    "int32_t other = lhs_low * rhs_high + (int32_t)((uint32_t)middle & 0xffffu);\n"
    "int32_t high = lhs_high * rhs_high + (middle >> 16) + (((other >> 15) + 1) >> 1);\n"
    "return (int32_t)((uint32_t)acc + (uint32_t)high);"
)
"""The upper 32 bits of a product, rounded, and a sum with them. No part of the product leaves 32 bits."""


_NARROW = (
    # Bits of the product that are not asked for are shifted out part by part.
    "int32_t lowest = lhs * (int32_t)((uint32_t)rhs & 0x3ffu);\n"
    "int32_t lower = (lowest >> 10) + lhs * (int32_t)(((uint32_t)rhs >> 10) & 0x3ffu);\n"
    "int32_t high = (lower >> 10) + lhs * (rhs >> 20);\n"
    "return (int32_t)((uint32_t)acc + (uint32_t)((high + 1024) >> 11));"
)
"""Product with a number of 20 bits and its sign, in three products instead of four."""


_INSTRUCTIONS: dict[type[Operation], Bodies] = {
    words.DualAddOp: _call(v7.sadd16, "lhs", "rhs"),
    words.DualSubtractOp: _call(v7.ssub16, "lhs", "rhs"),
    words.DualMultiplyAddOp: _call(v7.smlad, "acc", "lhs", "rhs"),
    # There is no intrinsic for it, and GCC does not find the instruction in the portable form.
    words.MultiplyHighAddOp: _one(v7.smmlar, "sum", "lhs", "rhs", "acc", armv6m=_HIGH_HALF),
    # As above.
    words.MultiplyHighFloorAddOp: _one(v7.smmla, "sum", "lhs", "rhs", "acc"),
    words.ScaleNarrowAddOp: _bodies(_NARROW, armv6m=_NARROW),
    words.ScaleRealOp: _bodies(
        # Compilers contract products with sums that follow, and call a function to round.
        "float real;\n__builtin_memcpy(&real, &factor, sizeof real);\n"
        "float product = (float)value * real;\n"
        f"{instruction(v7.vcvtr, 'product', 'product', letter='t')}\n"
        "int32_t rounded;\n__builtin_memcpy(&rounded, &product, sizeof rounded);\nreturn rounded;",
        # Volatile for a compiler that keeps more precision, or contracts.
        portable="union {\n  int32_t bits;\n  float real;\n} number;\nnumber.bits = factor;\n"
        "volatile float kept = (float)value;\nkept = kept * number.real;\n"
        "float product = kept;\nint32_t whole = (int32_t)product;\nfloat rest = product - (float)whole;\n"
        "if (rest > 0.5f || (rest >= 0.5f && (whole & 1) != 0)) {\n  return whole + 1;\n}\n"
        "return rest < -0.5f || (rest <= -0.5f && (whole & 1) != 0) ? whole - 1 : whole;",
        needs=FLOATS,
    ),
    # There is no intrinsic for it, nor do compilers find the instruction in the portable form. Volatile as below.
    words.PackOp: _one(v7.pkhbt, "word", "low", "high", by=16, volatile=True),
    # Volatile for GCC to leave what comes next behind it: in front of it that needs more registers than there are.
    words.PackHighOp: _one(v7.pkhtb, "word", "high", "low", by=16, volatile=True),
    words.UnpackEvenOp: _call(v7.sxtb16, "word"),
    # Compilers rotate in an instruction of its own.
    words.UnpackOddOp: _one(v7.sxtb16, "lanes", "word", by=8),
    # GCC takes all words of a round apart at once, for which there are not enough registers.
    words.UnpackNextOp: _one(v7.sxtb16, "lanes", "word", by=8, volatile=True),
    words.UnpackEvenUnsignedOp: _bodies(f"return (int32_t){intrinsic(v7.uxtb16, '(uint32_t)word')};"),
    words.UnpackOddUnsignedOp: _one(v7.uxtb16, "lanes", "word", by=8),
    words.UnpackEvenAddOp: _call(v7.sxtab16, "lanes", "word"),
    words.UnpackOddAddOp: _one(v7.sxtab16, "sum", "lanes", "word", by=8),
    words.MaximumBytesOp: _one(v7.ssub8_sel, "word", "lhs", "rhs"),
    words.MinimumBytesOp: _one(v7.ssub8_sel_least, "word", "lhs", "rhs"),
    words.MaximumUnsignedBytesOp: _one(v7.usub8_sel, "word", "lhs", "rhs"),
    words.MinimumUnsignedBytesOp: _one(v7.usub8_sel_least, "word", "lhs", "rhs"),
    words.ScaleByteAddOp: _call(v7.smlawb, "factor", "(int32_t)((uint32_t)byte << 8)", "acc"),
    words.ScaleLowAddOp: _call(v7.smlawb, "factor", "lanes", "acc"),
    words.ScaleHighAddOp: _call(v7.smlawt, "factor", "lanes", "acc"),
    # One instruction, wherever the bytes lie; the C library's function is not inlined in a freestanding program.
    LoadBytesOp: _bodies("int32_t word;\n__builtin_memcpy(&word, bytes, sizeof word);\nreturn word;"),
    StoreBytesOp: _bodies("__builtin_memcpy(bytes, &word, sizeof word);"),
}
"""Operations that are one function each."""

_NUMBERED: dict[type[Operation], Callable[..., Bodies]] = {
    words.SaturateOp: partial(_saturate, "ssat"),
    words.SaturateUnsignedOp: partial(_saturate, "usat"),
    words.ShiftSaturateOp: _shift_saturate,
    words.UnpackNibblesOp: _unpack_nibbles,
}
"""Operations that are a function for each of the numbers in them."""


def _function(op: Operation) -> Function:
    """The function of an instruction with its numbers in it."""
    numbers = numbers_of(op)
    return Meant(
        function_of(op), op, _DSP, lambda: _NUMBERED[type(op)](**numbers) if numbers else _INSTRUCTIONS[type(op)]
    )


def _load_bytes(op: LoadBytesOp, at: Lowering) -> None:
    buffer, type = at.buffer(op.memref)
    parts = [_parts(at.value(index)) for index in op.indices]
    # Words of one window differ in a constant, which compilers see where the rest is written alike.
    constant = sum(
        # Along a dimension of one element there is index 0 alone, however it is written.
        distance * stride
        for (_, distance), stride, size in zip(parts, buffer.strides, type.get_shape(), strict=True)
        if stride is not None and size != 1
    )
    first = pointer(op.memref, [index for index, _ in parts], at, const=True, behind=constant)
    at.define(op.result, at.build.call(function_of(op), [first], i32))


def _parts(index: SSAValue) -> tuple[SSAValue, int]:
    """An index as a sum of another and a constant."""
    match index.owner:
        case (EmitC_AddOp() | emitc.SubOp()) as op if (number := known(op.rhs)) is not None:
            rest, constant = _parts(op.lhs)
            return rest, constant + number if isinstance(op, EmitC_AddOp) else constant - number
        case _:
            return index, 0


KERNELS = Kernels(dict.fromkeys([*_INSTRUCTIONS, *_NUMBERED], _function), [_HEADER], is_sorted=True)
PATTERNS: Patterns = {LoadBytesOp: _load_bytes}
