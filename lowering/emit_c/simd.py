"""The `simd` dialect in C: small functions that are an instruction where the processor has it, and portable C else.

Source of the instructions: Arm C Language Extensions, 8.5 (32-bit SIMD intrinsics).
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.dialects.emitc import EmitC_AddOp
from xdsl.ir import Operation, SSAValue

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.simd import (
    DualAddOp,
    DualMultiplyAddOp,
    DualSubtractOp,
    LoadBytesOp,
    MultiplyHighAddOp,
    MultiplyHighFloorAddOp,
    PackHighOp,
    PackOp,
    Saturate,
    SaturateOp,
    SaturateUnsignedOp,
    ScaleBytesOp,
    ScaleNarrowAddOp,
    ScaleRealOp,
    ShiftSaturateOp,
    SumTapsOp,
    TileBytesOp,
    UnpackEvenAddOp,
    UnpackEvenOp,
    UnpackEvenUnsignedOp,
    UnpackNextOp,
    UnpackNibblesOp,
    UnpackOddAddOp,
    UnpackOddOp,
    UnpackOddUnsignedOp,
    UnpackPointsOp,
    function_of,
)
from .buffers import address, flat_index
from .byte_words import BYTE_WORDS, shift_saturate
from .byte_words import PATTERNS as BYTE_WORD_PATTERNS
from .instruction import Instruction
from .literals import known
from .lowering import Lowering, Patterns


def _saturated(name: str, bits: int) -> str:
    """The instruction. GCC's own macro for it converts from unsigned, which it warns of where it is used."""
    return (
        "#if defined(__GNUC__) && !defined(__clang__)\n"
        f"return (int32_t)__builtin_arm_{name}(value, {bits});\n"
        f"#else\nreturn {'' if name == 'ssat' else '(int32_t)'}__{name}(value, {bits});\n#endif"
    )


def _saturate(bits: int, *, signed: bool) -> Instruction:
    most = (1 << (bits - signed)) - 1
    return Instruction(
        "int32_t value",
        # Compilers do not find the instruction in the portable form.
        _saturated("ssat" if signed else "usat", bits),
        f"int32_t least = {f'-{most} - 1' if signed else 0};\nint32_t most = {most};\n"
        "int32_t raised = value > least ? value : least;\nreturn raised < most ? raised : most;",
    )


def _unpacked_unsigned(shift: int) -> str:
    """The bytes from a bit on, and 16 bits further, as lanes that are not negative in portable C."""
    shifted = f"((uint32_t)word >> {shift})" if shift else "(uint32_t)word"
    return f"return (int32_t)({shifted} & 0xff00ffu);"


def _unpacked(shift: int) -> str:
    """The bytes from a bit on, and 16 bits further, as lanes in portable C."""
    return (
        f"uint32_t low = (uint32_t)(int32_t)(int8_t)(uint8_t)((uint32_t)word >> {shift});\n"
        f"uint32_t high = (uint32_t)(int32_t)(int8_t)(uint8_t)((uint32_t)word >> {shift + 16});\n"
        "return (int32_t)((low & 0xffffu) | (high << 16));"
    )


def _lane_by_lane(sign: str) -> str:
    """Sums or differences of lanes in portable C."""
    return (
        f"uint32_t low = (uint32_t)lhs {sign} (uint32_t)rhs;\n"
        f"uint32_t high = ((uint32_t)lhs >> 16) {sign} ((uint32_t)rhs >> 16);\n"
        "return (int32_t)((low & 0xffffu) | (high << 16));"
    )


def _unpacked_and_added(shift: int) -> str:
    """Return the function for unpacked lanes plus other lanes."""
    return (
        f"uint32_t low = (uint32_t)(int32_t)(int8_t)(uint8_t)((uint32_t)word >> {shift});\n"
        f"uint32_t high = (uint32_t)(int32_t)(int8_t)(uint8_t)((uint32_t)word >> {shift + 16});\n"
        "low += (uint32_t)lanes;\nhigh += (uint32_t)lanes >> 16;\n"
        "return (int32_t)((low & 0xffffu) | (high << 16));"
    )


def _rotated(assembler: str, name: str = "sxtb16") -> str:
    return f'int32_t lanes;\n{assembler}("{name} %0, %1, ror #8" : "=r"(lanes) : "r"(word));\nreturn lanes;'


_HIGH_HALF = (
    # Armv6-M multiplies 32 bits by 32 to the low half alone.
    "#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1\n"
    "int32_t lhs_high = lhs >> 16;\nint32_t lhs_low = (int32_t)((uint32_t)lhs & 0xffffu);\n"
    "int32_t rhs_high = rhs >> 16;\nint32_t rhs_low = (int32_t)((uint32_t)rhs & 0xffffu);\n"
    "uint32_t low = (uint32_t)lhs_low * (uint32_t)rhs_low;\n"
    "int32_t middle = lhs_high * rhs_low + (int32_t)(low >> 16);\n"
    "int32_t other = lhs_low * rhs_high + (int32_t)((uint32_t)middle & 0xffffu);\n"
    "int32_t high = lhs_high * rhs_high + (middle >> 16) + (((other >> 15) + 1) >> 1);\n"
    "return (int32_t)((uint32_t)acc + (uint32_t)high);\n"
    "#else\n"
    "int64_t product = (int64_t)lhs * (int64_t)rhs + 2147483648;\n"
    "return (int32_t)((uint32_t)acc + (uint32_t)(product >> 32));\n"
    "#endif"
)
"""The upper 32 bits of a product, rounded, and a sum with them. No part of the product leaves 32 bits."""


_NARROW = (
    # Armv6-M: bits of the product that are not asked for are shifted out part by part.
    "int32_t lowest = lhs * (int32_t)((uint32_t)rhs & 0x3ffu);\n"
    "int32_t lower = (lowest >> 10) + lhs * (int32_t)(((uint32_t)rhs >> 10) & 0x3ffu);\n"
    "int32_t high = (lower >> 10) + lhs * (rhs >> 20);\n"
    "return (int32_t)((uint32_t)acc + (uint32_t)((high + 1024) >> 11));"
)
"""Product with a number of 20 bits and its sign, in three products instead of four."""


def _unpack_nibbles(op: UnpackNibblesOp) -> Instruction:
    shifted = f"(uint32_t)word << {op.shift}" if op.shift else "(uint32_t)word"
    portable = f"return (int32_t)(({shifted}) & 0xf000f000u);"
    return Instruction(
        "int32_t word",
        # Compilers shift in an instruction of its own. Volatile as below: a round needs all registers.
        f'int32_t lanes;\n__asm__ volatile("and %0, %2, %1, lsl #{op.shift}"\n'
        '  : "=r"(lanes) : "r"(word), "r"(0xf000f000u));\nreturn lanes;',
        portable,
    )


INSTRUCTIONS: dict[type[Operation], Instruction] = {
    DualAddOp: Instruction("int32_t lhs, int32_t rhs", "return __sadd16(lhs, rhs);", _lane_by_lane("+")),
    DualSubtractOp: Instruction("int32_t lhs, int32_t rhs", "return __ssub16(lhs, rhs);", _lane_by_lane("-")),
    DualMultiplyAddOp: Instruction(
        "int32_t lhs, int32_t rhs, int32_t acc",
        "return __smlad(lhs, rhs, acc);",
        "uint32_t low = (uint32_t)((int32_t)(int16_t)(uint16_t)lhs * (int32_t)(int16_t)(uint16_t)rhs);\n"
        "uint32_t high = (uint32_t)((lhs >> 16) * (rhs >> 16));\n"
        "return (int32_t)((uint32_t)acc + low + high);",
    ),
    MultiplyHighAddOp: Instruction(
        "int32_t lhs, int32_t rhs, int32_t acc",
        # There is no intrinsic for it, and GCC does not find the instruction in the portable form.
        'int32_t sum;\n__asm__("smmlar %0, %1, %2, %3" : "=r"(sum) : "r"(lhs), "r"(rhs), "r"(acc));\nreturn sum;',
        _HIGH_HALF,
    ),
    MultiplyHighFloorAddOp: Instruction(
        "int32_t lhs, int32_t rhs, int32_t acc",
        # As above.
        'int32_t sum;\n__asm__("smmla %0, %1, %2, %3" : "=r"(sum) : "r"(lhs), "r"(rhs), "r"(acc));\nreturn sum;',
        "int64_t product = (int64_t)lhs * (int64_t)rhs;\nreturn (int32_t)((uint32_t)acc + (uint32_t)(product >> 32));",
    ),
    ScaleNarrowAddOp: Instruction("int32_t lhs, int32_t rhs, int32_t acc", _NARROW, _NARROW),
    ScaleRealOp: Instruction(
        "int32_t value, int32_t factor",
        # Compilers contract products with sums that follow, and call a function to round.
        "float real;\n__builtin_memcpy(&real, &factor, sizeof real);\n"
        "float product = (float)value * real;\n"
        '__asm__("vcvtr.s32.f32 %0, %0" : "+t"(product));\n'
        "int32_t rounded;\n__builtin_memcpy(&rounded, &product, sizeof rounded);\nreturn rounded;",
        # Volatile for a compiler that keeps more precision, or contracts.
        "union {\n  int32_t bits;\n  float real;\n} number;\nnumber.bits = factor;\n"
        "volatile float kept = (float)value;\nkept = kept * number.real;\n"
        "float product = kept;\nint32_t whole = (int32_t)product;\nfloat rest = product - (float)whole;\n"
        "if (rest > 0.5f || (rest >= 0.5f && (whole & 1) != 0)) {\n  return whole + 1;\n}\n"
        "return rest < -0.5f || (rest <= -0.5f && (whole & 1) != 0) ? whole - 1 : whole;",
        needs="defined(__ARM_FP) && (__ARM_FP & 4)",
    ),
    PackOp: Instruction(
        "int32_t low, int32_t high",
        # There is no intrinsic for it, nor do compilers find the instruction in the portable form. Volatile as below.
        "int32_t word;\n"
        '__asm__ volatile("pkhbt %0, %1, %2, lsl #16" : "=r"(word) : "r"(low), "r"(high));\nreturn word;',
        "return (int32_t)(((uint32_t)low & 0xffffu) | ((uint32_t)high << 16));",
    ),
    PackHighOp: Instruction(
        "int32_t low, int32_t high",
        # Volatile for GCC to leave what comes next behind it: in front of it that needs more registers than there are.
        "int32_t word;\n"
        '__asm__ volatile("pkhtb %0, %1, %2, asr #16" : "=r"(word) : "r"(high), "r"(low));\nreturn word;',
        "return (int32_t)(((uint32_t)low >> 16) | ((uint32_t)high & 0xffff0000u));",
    ),
    UnpackEvenOp: Instruction("int32_t word", "return __sxtb16(word);", _unpacked(0)),
    # Compilers rotate in an instruction of its own.
    UnpackOddOp: Instruction("int32_t word", _rotated("__asm__"), _unpacked(8)),
    # GCC takes all words of a round apart at once, for which there are not enough registers.
    UnpackNextOp: Instruction("int32_t word", _rotated("__asm__ volatile"), _unpacked(8)),
    UnpackEvenUnsignedOp: Instruction(
        "int32_t word", "return (int32_t)__uxtb16((uint32_t)word);", _unpacked_unsigned(0)
    ),
    UnpackOddUnsignedOp: Instruction("int32_t word", _rotated("__asm__", "uxtb16"), _unpacked_unsigned(8)),
    UnpackEvenAddOp: Instruction(
        "int32_t word, int32_t lanes", "return __sxtab16(lanes, word);", _unpacked_and_added(0)
    ),
    UnpackOddAddOp: Instruction(
        "int32_t word, int32_t lanes",
        'int32_t sum;\n__asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(sum) : "r"(lanes), "r"(word));\nreturn sum;',
        _unpacked_and_added(8),
    ),
    LoadBytesOp: Instruction(
        "const int8_t *bytes",
        # One instruction, wherever the bytes lie; the C library's function is not inlined in a freestanding program.
        "int32_t word;\n__builtin_memcpy(&word, bytes, sizeof word);\nreturn word;",
        "uint32_t low = (uint32_t)(uint8_t)bytes[0] | ((uint32_t)(uint8_t)bytes[1] << 8);\n"
        "uint32_t high = (uint32_t)(uint8_t)bytes[2] | ((uint32_t)(uint8_t)bytes[3] << 8);\n"
        "return (int32_t)(low | (high << 16));",
    ),
}
"""Operations that are one function each; `byte_words` has more."""

_HEADER = """\
#if defined(__ARM_FEATURE_SIMD32) && defined(__GNUC__) && !defined(__ARM_BIG_ENDIAN) && !defined(STILLPOOL_PORTABLE)
#include <arm_acle.h>
#define STILLPOOL_DSP
#endif"""


def used(module: ModuleOp) -> dict[str, Instruction]:
    """Return the functions that the module's operations need, by name, in alphabetical order."""
    found: dict[str, Instruction] = {}
    for op in operations(module):
        if isinstance(op, Saturate):
            found[function_of(op)] = _saturate(op.bits.value.data, signed=isinstance(op, SaturateOp))
        elif isinstance(op, ShiftSaturateOp):
            found[function_of(op)] = shift_saturate(op)
        elif isinstance(op, SumTapsOp):
            found["simd_dual_multiply_add"] = INSTRUCTIONS[DualMultiplyAddOp]
        elif isinstance(op, ScaleBytesOp | TileBytesOp):
            if isinstance(op, TileBytesOp):
                found["simd_dual_multiply_add"] = INSTRUCTIONS[DualMultiplyAddOp]
            high = MultiplyHighFloorAddOp if op.rescaling.floor else MultiplyHighAddOp
            high = ScaleRealOp if op.rescaling.is_real else high
            found[high.name.replace(".", "_")] = INSTRUCTIONS[high]
            kind = "" if op.unsigned is None else "_unsigned"
            found[f"simd_saturate{kind}_8"] = _saturate(8, signed=not kind)
        elif isinstance(op, UnpackPointsOp):
            unpacking = [UnpackEvenOp, UnpackOddOp]
            if op.unsigned is not None:
                unpacking = [UnpackEvenUnsignedOp, UnpackOddUnsignedOp]
            for kind in (LoadBytesOp, *unpacking, *([] if op.singles is None else [PackOp])):
                found[kind.name.replace(".", "_")] = INSTRUCTIONS[kind]
        elif isinstance(op, UnpackNibblesOp):
            found[function_of(op)] = _unpack_nibbles(op)
        elif (instruction := INSTRUCTIONS.get(type(op)) or BYTE_WORDS.get(type(op))) is not None:
            found[function_of(op)] = instruction
    return dict(sorted(found.items()))


def definitions(instructions: Mapping[str, Instruction]) -> list[emitc.VerbatimOp]:
    """The functions, which stand before all others."""
    texts = [instruction.definition(name) for name, instruction in instructions.items()]
    return [emitc.VerbatimOp(text) for text in ([_HEADER, *texts] if texts else [])]


def _call(op: Operation, at: Lowering) -> None:
    operands = [at.value(operand) for operand in op.operands]
    at.define(op.results[0], at.build.call(function_of(op), operands, i32))


def _load_bytes(op: LoadBytesOp, at: Lowering) -> None:
    build, (buffer, type) = at.build, at.buffer(op.memref)
    parts = [_parts(at.value(index)) for index in op.indices]
    # Words of one window differ in a constant, which compilers see where the rest is written alike.
    computed, constant = flat_index(build, buffer.strides, [index for index, _ in parts], type.get_shape())
    for (_, distance), stride, size in zip(parts, buffer.strides, type.get_shape(), strict=True):
        # Along a dimension of one element there is index 0 alone, however it is written.
        constant += distance * stride if stride is not None and size != 1 else 0
    first = address(build, buffer.moved(build, constant, computed, buffer.strides), type, const=True)
    at.define(op.result, build.call(function_of(op), [first], i32))


def _parts(index: SSAValue) -> tuple[SSAValue, int]:
    """An index as a sum of another and a constant."""
    match index.owner:
        case (EmitC_AddOp() | emitc.SubOp()) as op if (number := known(op.rhs)) is not None:
            rest, constant = _parts(op.lhs)
            return rest, constant + number if isinstance(op, EmitC_AddOp) else constant - number
        case _:
            return index, 0


_CALLED = (*INSTRUCTIONS, SaturateOp, SaturateUnsignedOp, UnpackNibblesOp)
PATTERNS: Patterns = {**dict.fromkeys(_CALLED, _call), **BYTE_WORD_PATTERNS, LoadBytesOp: _load_bytes}
