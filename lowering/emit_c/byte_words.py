"""Words of four bytes in C: their functions, as instructions of Arm's DSP extension and in C99 alone.

Source of the instructions: Arm v7-M Architecture Reference Manual, SSUB8, USUB8, SEL, SMLAWB, SMLAWT, SSAT.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i32
from xdsl.dialects.emitc import EmitC_CallOpaqueOp
from xdsl.ir import Operation

from ...dialects.simd import (
    MaximumBytesOp,
    MaximumUnsignedBytesOp,
    MinimumBytesOp,
    MinimumUnsignedBytesOp,
    ScaleByteAddOp,
    ScaleHighAddOp,
    ScaleLowAddOp,
    ShiftSaturateOp,
    StoreBytesOp,
    function_of,
)
from .buffers import address, flat_index
from .instruction import Instruction
from .lowering import Lowering, Patterns


def _of_bytes(compare: str, byte: str, chosen: str) -> Instruction:
    """A choice of bytes by what a subtraction says of each: `sel` takes the first one's where `lhs` is not below."""
    operands = "%1, %2" if chosen == ">" else "%2, %1"
    return Instruction(
        "int32_t lhs, int32_t rhs",
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


def _scale_half(instruction: str, half: str) -> Instruction:
    return Instruction(
        "int32_t lanes, int32_t factor, int32_t acc",
        f"return {instruction}(factor, lanes, acc);",
        f"int64_t product = (int64_t)factor * {half};\n"
        "return (int32_t)((uint32_t)acc + (uint32_t)(int32_t)(product >> 16));",
    )


BYTE_WORDS: dict[type[Operation], Instruction] = {
    MaximumBytesOp: _of_bytes("ssub8", "int8_t", ">"),
    MinimumBytesOp: _of_bytes("ssub8", "int8_t", "<"),
    MaximumUnsignedBytesOp: _of_bytes("usub8", "uint8_t", ">"),
    MinimumUnsignedBytesOp: _of_bytes("usub8", "uint8_t", "<"),
    ScaleByteAddOp: Instruction(
        "int32_t byte, int32_t factor, int32_t acc",
        "return __smlawb(factor, (int32_t)((uint32_t)byte << 8), acc);",
        "int64_t product = (int64_t)factor * byte;\n"
        "return (int32_t)((uint32_t)acc + (uint32_t)(int32_t)(product >> 8));",
    ),
    ScaleLowAddOp: _scale_half("__smlawb", "(int16_t)(uint16_t)lanes"),
    ScaleHighAddOp: _scale_half("__smlawt", "(lanes >> 16)"),
    StoreBytesOp: Instruction(
        "int8_t *bytes, int32_t word",
        "__builtin_memcpy(bytes, &word, sizeof word);",
        "for (int32_t n = 0; n < 4; n++) {\n  bytes[n] = (int8_t)(uint8_t)((uint32_t)word >> (8 * n));\n}",
        result="void",
    ),
}
"""Operations that are one function each."""


def shift_saturate(op: ShiftSaturateOp) -> Instruction:
    """Return the function of an operation whose numbers are part of the instruction."""
    bits, right = op.bits.value.data, op.right.value.data
    most = (1 << (bits - 1)) - 1
    return Instruction(
        "int32_t value",
        # Compilers shift in an instruction of its own.
        f'int32_t result;\n__asm__("ssat %0, #{bits}, %1, asr #{right}" : "=r"(result) : "r"(value));\nreturn result;',
        f"int32_t shifted = value >> {right};\nint32_t least = -{most} - 1;\nint32_t most = {most};\n"
        "int32_t raised = shifted > least ? shifted : least;\nreturn raised < most ? raised : most;",
    )


def _store_bytes(op: StoreBytesOp, at: Lowering) -> None:
    build, (buffer, type) = at.build, at.buffer(op.memref)
    indices = [at.value(index) for index in op.indices]
    computed, constant = flat_index(build, buffer.strides, indices, type.get_shape())
    first = address(build, buffer.moved(build, constant, computed, buffer.strides), type, const=False)
    build.add(EmitC_CallOpaqueOp(function_of(op), [first, at.value(op.word)], []))


def _call(op: Operation, at: Lowering) -> None:
    operands = [at.value(operand) for operand in op.operands]
    at.define(op.results[0], at.build.call(function_of(op), operands, i32))


PATTERNS: Patterns = {
    **dict.fromkeys([kind for kind in BYTE_WORDS if kind is not StoreBytesOp], _call),
    ShiftSaturateOp: _call,
    StoreBytesOp: _store_bytes,
}
