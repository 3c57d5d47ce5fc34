"""The `simd` dialect in C: small functions that are an instruction where the processor has it, and portable C else.

Source of the instructions: Arm C Language Extensions, 8.5 (32-bit SIMD intrinsics).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Operation

from ...dialects import emitc
from ...dialects.simd import DualMultiplyAddOp, MultiplyHighAddOp, PackOp, SaturateOp, function_of
from .lowering import Lowering, Patterns


@dataclass(frozen=True)
class Instruction:
    """One operation as a C function of i32."""

    parameters: tuple[str, ...]
    arm: str
    """The body with Arm's DSP extension."""
    portable: str
    """The body in C99 alone."""

    def definition(self, function: str) -> str:
        """The function under a name, its body chosen by the preprocessor."""
        listed = ", ".join(f"int32_t {name}" for name in self.parameters)
        return (
            f"static inline int32_t {function}({listed}) {{\n"
            f"#ifdef STILLPOOL_DSP\n{_indented(self.arm)}\n#else\n{_indented(self.portable)}\n#endif\n}}"
        )


def _indented(body: str) -> str:
    return "\n".join(f"  {line}" for line in body.splitlines())


def _saturate(op: SaturateOp) -> Instruction:
    bits = op.bits.value.data
    most = (1 << (bits - 1)) - 1
    return Instruction(
        ("value",),
        # Compilers do not find the instruction in the portable form.
        f"return __ssat(value, {bits});",
        f"int32_t least = -{most} - 1;\nint32_t most = {most};\n"
        "int32_t raised = value > least ? value : least;\nreturn raised < most ? raised : most;",
    )


INSTRUCTIONS: dict[type[Operation], Instruction] = {
    DualMultiplyAddOp: Instruction(
        ("lhs", "rhs", "acc"),
        "return __smlad(lhs, rhs, acc);",
        "uint32_t low = (uint32_t)((int32_t)(int16_t)(uint16_t)lhs * (int32_t)(int16_t)(uint16_t)rhs);\n"
        "uint32_t high = (uint32_t)((lhs >> 16) * (rhs >> 16));\n"
        "return (int32_t)((uint32_t)acc + low + high);",
    ),
    MultiplyHighAddOp: Instruction(
        ("lhs", "rhs", "acc"),
        # There is no intrinsic for it, and GCC does not find the instruction in the portable form.
        'int32_t sum;\n__asm__("smmlar %0, %1, %2, %3" : "=r"(sum) : "r"(lhs), "r"(rhs), "r"(acc));\nreturn sum;',
        "int64_t product = (int64_t)lhs * (int64_t)rhs + 2147483648;\n"
        "return (int32_t)((uint32_t)acc + (uint32_t)(product >> 32));",
    ),
    PackOp: Instruction(
        ("low", "high"),
        # There is no intrinsic for it, and compilers do not find the instruction in the portable form.
        'int32_t word;\n__asm__("pkhbt %0, %1, %2, lsl #16" : "=r"(word) : "r"(low), "r"(high));\nreturn word;',
        "return (int32_t)(((uint32_t)low & 0xffffu) | ((uint32_t)high << 16));",
    ),
}
"""Those that are one function each."""

_HEADER = """\
#if defined(__ARM_FEATURE_SIMD32) && defined(__GNUC__) && !defined(STILLPOOL_PORTABLE)
#include <arm_acle.h>
#define STILLPOOL_DSP
#endif"""


def used(module: ModuleOp) -> dict[str, Instruction]:
    """What the module's operations need, by the name of the function, in alphabetical order."""
    found: dict[str, Instruction] = {}
    for op in module.walk():
        if isinstance(op, SaturateOp):
            found[function_of(op)] = _saturate(op)
        elif (instruction := INSTRUCTIONS.get(type(op))) is not None:
            found[function_of(op)] = instruction
    return dict(sorted(found.items()))


def definitions(instructions: Mapping[str, Instruction]) -> list[emitc.VerbatimOp]:
    """The functions, which stand before all others."""
    texts = [instruction.definition(name) for name, instruction in instructions.items()]
    return [emitc.VerbatimOp(text) for text in ([_HEADER, *texts] if texts else [])]


def _call(op: Operation, at: Lowering) -> None:
    operands = [at.value(operand) for operand in op.operands]
    at.define(op.results[0], at.build.call(function_of(op), operands, i32))


PATTERNS: Patterns = dict.fromkeys([*INSTRUCTIONS, SaturateOp], _call)
