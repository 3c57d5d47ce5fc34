"""The C of instructions on words: small functions that are an instruction of Arm's DSP extension, and portable C else.

Sources of the instructions: Arm C Language Extensions, 8.5 (32-bit SIMD intrinsics); Arm v7-M Architecture Reference
Manual, SSUB8, USUB8, SEL, SMLAWB, SMLAWT, SSAT.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_AddOp
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects import emitc
from ...dialects.simd import words
from ...dialects.simd.instruction import function_named, function_of, numbers_of
from ...dialects.simd.moves import LoadBytesOp, StoreBytesOp
from ...dialects.simd.taps import ScaleBytesOp, SumTapsOp
from ...dialects.simd.tiles import TileBytesOp
from ...dialects.simd.unpack_points import UnpackPointsOp
from .c_function import FLOATS, Argument, Function, Instruction, Kernels, pointer
from .literals import known
from .lowering import Lowering, Patterns

_HEADER = """\
#if defined(__ARM_FEATURE_SIMD32) && defined(__GNUC__) && !defined(__ARM_BIG_ENDIAN) && !defined(STILLPOOL_PORTABLE)
#include <arm_acle.h>
#define STILLPOOL_DSP
#endif"""


def _assembly(text: str, result: str, *operands: str, volatile: bool = False) -> str:
    """A body of one instruction that compilers do not make themselves; `%0` is its result."""
    read = ", ".join(f'"r"({operand})' for operand in operands)
    keyword = "__asm__ volatile" if volatile else "__asm__"
    return f'int32_t {result};\n{keyword}("{text}" : "=r"({result}) : {read});\nreturn {result};'


def _clamped(value: str, bits: int, *, signed: bool = True) -> str:
    """The nearest number of so many bits in portable C."""
    most = (1 << (bits - signed)) - 1
    return (
        f"int32_t least = {f'-{most} - 1' if signed else '0'};\nint32_t most = {most};\n"
        f"int32_t raised = {value} > least ? {value} : least;\nreturn raised < most ? raised : most;"
    )


def _saturate(name: str, bits: int) -> Instruction:
    """The instruction, which compilers do not find in the portable form.

    GCC's own macro for it converts from unsigned, which it warns of where it is used.
    """
    signed = name == "ssat"
    arm = (
        "#if defined(__GNUC__) && !defined(__clang__)\n"
        f"return (int32_t)__builtin_arm_{name}(value, {bits});\n"
        f"#else\nreturn {'' if signed else '(int32_t)'}__{name}(value, {bits});\n#endif"
    )
    return Instruction(arm, _clamped("value", bits, signed=signed))


def _shift_saturate(right: int, bits: int) -> Instruction:
    # Compilers shift in an instruction of its own.
    portable = f"int32_t shifted = value >> {right};\n" + _clamped("shifted", bits)
    return Instruction(_assembly(f"ssat %0, #{bits}, %1, asr #{right}", "result", "value"), portable)


def _unpack_nibbles(place: int) -> Instruction:
    # Bits from the nibble to the highest of its half.
    shift = 4 * (words.NIBBLES - 1 - place)
    shifted = f"(uint32_t)word << {shift}" if shift else "(uint32_t)word"
    return Instruction(
        # Compilers shift in an instruction of its own. Volatile as below: a round needs all registers.
        f'int32_t lanes;\n__asm__ volatile("and %0, %2, %1, lsl #{shift}"\n'
        '  : "=r"(lanes) : "r"(word), "r"(0xf000f000u));\nreturn lanes;',
        f"return (int32_t)(({shifted}) & 0xf000f000u);",
    )


_BOTH = "return (int32_t)((low & 0xffffu) | (high << 16));"
"""Two lanes as a word in portable C."""


def _unpacked(shift: int, added: str = "") -> str:
    """The bytes from a bit on, and 16 bits further, as lanes in portable C, which may be changed."""
    low, high = (f"(uint32_t)(int32_t)(int8_t)(uint8_t)((uint32_t)word >> {bit})" for bit in (shift, shift + 16))
    return f"uint32_t low = {low};\nuint32_t high = {high};\n{added}{_BOTH}"


_LANES_ADDED = "low += (uint32_t)lanes;\nhigh += (uint32_t)lanes >> 16;\n"


def _lane_by_lane(sign: str) -> str:
    """Sums or differences of lanes in portable C."""
    return (
        f"uint32_t low = (uint32_t)lhs {sign} (uint32_t)rhs;\n"
        f"uint32_t high = ((uint32_t)lhs >> 16) {sign} ((uint32_t)rhs >> 16);\n{_BOTH}"
    )


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


def _of_bytes(compare: str, byte: str, chosen: str) -> Instruction:
    """A choice of bytes by what a subtraction says of each: `sel` takes the first one's where `lhs` is not below."""
    operands = "%1, %2" if chosen == ">" else "%2, %1"
    return Instruction(
        # Flags for each byte, which the second instruction reads.
        f'int32_t word;\n__asm__("{compare} %0, %1, %2\\n\\tsel %0, {operands}"\n'
        '  : "=&r"(word) : "r"(lhs), "r"(rhs) : "cc");\nreturn word;',
        "uint32_t word = 0;\n"
        "for (int32_t shift = 0; shift < 32; shift += 8) {\n"
        f"  {byte} a = ({byte})(uint8_t)((uint32_t)lhs >> shift);\n"
        f"  {byte} b = ({byte})(uint8_t)((uint32_t)rhs >> shift);\n"
        f"  word |= (uint32_t)(uint8_t)(a {chosen} b ? a : b) << shift;\n"
        "}\n"
        "return (int32_t)word;",
    )


def _scaled(factor: str, right: int) -> str:
    """The sum of a product with a long factor and what it is added to in portable C."""
    return (
        f"int64_t product = (int64_t)factor * {factor};\n"
        f"return (int32_t)((uint32_t)acc + (uint32_t)(int32_t)(product >> {right}));"
    )


_INSTRUCTIONS: dict[type[Operation], Instruction] = {
    words.DualAddOp: Instruction("return __sadd16(lhs, rhs);", _lane_by_lane("+")),
    words.DualSubtractOp: Instruction("return __ssub16(lhs, rhs);", _lane_by_lane("-")),
    words.DualMultiplyAddOp: Instruction(
        "return __smlad(lhs, rhs, acc);",
        "uint32_t low = (uint32_t)((int32_t)(int16_t)(uint16_t)lhs * (int32_t)(int16_t)(uint16_t)rhs);\n"
        "uint32_t high = (uint32_t)((lhs >> 16) * (rhs >> 16));\n"
        "return (int32_t)((uint32_t)acc + low + high);",
    ),
    # There is no intrinsic for it, and GCC does not find the instruction in the portable form.
    words.MultiplyHighAddOp: Instruction(_assembly("smmlar %0, %1, %2, %3", "sum", "lhs", "rhs", "acc"), _HIGH_HALF),
    # As above.
    words.MultiplyHighFloorAddOp: Instruction(
        _assembly("smmla %0, %1, %2, %3", "sum", "lhs", "rhs", "acc"),
        "int64_t product = (int64_t)lhs * (int64_t)rhs;\nreturn (int32_t)((uint32_t)acc + (uint32_t)(product >> 32));",
    ),
    words.ScaleNarrowAddOp: Instruction(_NARROW, _NARROW),
    words.ScaleRealOp: Instruction(
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
        needs=FLOATS,
    ),
    words.PackOp: Instruction(
        # There is no intrinsic for it, nor do compilers find the instruction in the portable form. Volatile as below.
        _assembly("pkhbt %0, %1, %2, lsl #16", "word", "low", "high", volatile=True),
        "return (int32_t)(((uint32_t)low & 0xffffu) | ((uint32_t)high << 16));",
    ),
    words.PackHighOp: Instruction(
        # Volatile for GCC to leave what comes next behind it: in front of it that needs more registers than there are.
        _assembly("pkhtb %0, %1, %2, asr #16", "word", "high", "low", volatile=True),
        "return (int32_t)(((uint32_t)low >> 16) | ((uint32_t)high & 0xffff0000u));",
    ),
    words.UnpackEvenOp: Instruction("return __sxtb16(word);", _unpacked(0)),
    # Compilers rotate in an instruction of its own.
    words.UnpackOddOp: Instruction(_assembly("sxtb16 %0, %1, ror #8", "lanes", "word"), _unpacked(8)),
    # GCC takes all words of a round apart at once, for which there are not enough registers.
    words.UnpackNextOp: Instruction(_assembly("sxtb16 %0, %1, ror #8", "lanes", "word", volatile=True), _unpacked(8)),
    words.UnpackEvenUnsignedOp: Instruction(
        "return (int32_t)__uxtb16((uint32_t)word);", "return (int32_t)((uint32_t)word & 0xff00ffu);"
    ),
    words.UnpackOddUnsignedOp: Instruction(
        _assembly("uxtb16 %0, %1, ror #8", "lanes", "word"), "return (int32_t)(((uint32_t)word >> 8) & 0xff00ffu);"
    ),
    words.UnpackEvenAddOp: Instruction("return __sxtab16(lanes, word);", _unpacked(0, _LANES_ADDED)),
    words.UnpackOddAddOp: Instruction(
        _assembly("sxtab16 %0, %1, %2, ror #8", "sum", "lanes", "word"), _unpacked(8, _LANES_ADDED)
    ),
    words.MaximumBytesOp: _of_bytes("ssub8", "int8_t", ">"),
    words.MinimumBytesOp: _of_bytes("ssub8", "int8_t", "<"),
    words.MaximumUnsignedBytesOp: _of_bytes("usub8", "uint8_t", ">"),
    words.MinimumUnsignedBytesOp: _of_bytes("usub8", "uint8_t", "<"),
    words.ScaleByteAddOp: Instruction(
        "return __smlawb(factor, (int32_t)((uint32_t)byte << 8), acc);", _scaled("byte", 8)
    ),
    words.ScaleLowAddOp: Instruction("return __smlawb(factor, lanes, acc);", _scaled("(int16_t)(uint16_t)lanes", 16)),
    words.ScaleHighAddOp: Instruction("return __smlawt(factor, lanes, acc);", _scaled("(lanes >> 16)", 16)),
    LoadBytesOp: Instruction(
        # One instruction, wherever the bytes lie; the C library's function is not inlined in a freestanding program.
        "int32_t word;\n__builtin_memcpy(&word, bytes, sizeof word);\nreturn word;",
        "uint32_t low = (uint32_t)(uint8_t)bytes[0] | ((uint32_t)(uint8_t)bytes[1] << 8);\n"
        "uint32_t high = (uint32_t)(uint8_t)bytes[2] | ((uint32_t)(uint8_t)bytes[3] << 8);\n"
        "return (int32_t)(low | (high << 16));",
        parameters="const int8_t *bytes",
    ),
    StoreBytesOp: Instruction(
        "__builtin_memcpy(bytes, &word, sizeof word);",
        "for (int32_t n = 0; n < 4; n++) {\n  bytes[n] = (int8_t)(uint8_t)((uint32_t)word >> (8 * n));\n}",
        parameters="int8_t *bytes, int32_t word",
        result="void",
    ),
}
"""Operations that are one function each."""

_NUMBERED: dict[type[Operation], Callable[..., Instruction]] = {
    words.SaturateOp: partial(_saturate, "ssat"),
    words.SaturateUnsignedOp: partial(_saturate, "usat"),
    words.ShiftSaturateOp: _shift_saturate,
    words.UnpackNibblesOp: _unpack_nibbles,
}
"""Operations that are a function for each of the numbers in them."""


def _function(kind: type[IRDLOperation], numbers: Mapping[str, int], *arguments: Argument) -> Function:
    """The function of an instruction with these numbers in it."""
    name, operands = function_named(kind, numbers), [name for name, _ in kind.get_irdl_definition().operands]
    instruction = _NUMBERED[kind](**numbers) if numbers else _INSTRUCTIONS[kind]
    return Function(name, lambda: instruction.definition(name, "STILLPOOL_DSP", operands), *arguments)


def _of(op: IRDLOperation) -> Function:
    return _function(type(op), numbers_of(op), *op.operands)


def _further(op: Operation) -> Iterator[Function]:
    """The functions that the function of an operation calls."""
    if isinstance(op, SumTapsOp | TileBytesOp):
        yield _function(words.DualMultiplyAddOp, {})
    if isinstance(op, ScaleBytesOp | TileBytesOp):
        rescaling = op.rescaling
        high = words.MultiplyHighFloorAddOp if rescaling.floor else words.MultiplyHighAddOp
        yield _function(words.ScaleRealOp if rescaling.is_real else high, {})
        yield _function(words.SaturateUnsignedOp if rescaling.unsigned else words.SaturateOp, {"bits": 8})
    if isinstance(op, UnpackPointsOp):
        signed = words.UnpackEvenOp, words.UnpackOddOp
        unpacking = signed if op.unsigned is None else (words.UnpackEvenUnsignedOp, words.UnpackOddUnsignedOp)
        for each in (LoadBytesOp, *unpacking, *([] if op.singles is None else [words.PackOp])):
            yield _function(each, {})


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


KERNELS = Kernels(
    {
        **dict.fromkeys([*_INSTRUCTIONS, *_NUMBERED], _of),
        StoreBytesOp: lambda op: _function(StoreBytesOp, {}, op.memref, op.word),
    },
    [_HEADER],
    further=dict.fromkeys((SumTapsOp, ScaleBytesOp, TileBytesOp, UnpackPointsOp), _further),
    is_sorted=True,
)
PATTERNS: Patterns = {LoadBytesOp: _load_bytes}
