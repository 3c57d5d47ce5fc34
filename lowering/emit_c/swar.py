"""Sums of two channels in one word in C: a loop, and the same in assembly for Armv6-M.

Compilers keep half of its eight registers in memory, which takes about twice the instructions.
"""

from __future__ import annotations

from ...dialects.simd import SwarProductsOp, function_of
from .c_function import Function, Kernels

_WINDOWS = 4
"""Pairs of numbers in one pass of the long loop."""
_WHOLE = 27
"""Shifted by which a number of bytes is zero if it is that of whole passes."""

_PAIR = (
    "ldmia r1!, {{r2, r3}}\nmuls r2, r6\nmuls r3, r7\nadds r2, r2, r3\n"
    "add {total}, r2\nasrs r2, r2, #16\nadcs {upper}, r2\n"
)
"""Products of two numbers with the weights of two channels. The bit shifted out last is the carry: it rounds."""

_WINDOW = "ldmia r0!, {r6, r7}\n" + _PAIR.format(total="r8", upper="r4") + _PAIR.format(total="r9", upper="r5")

_SPLIT = (
    "str {upper}, [r3, #{at}]\nlsls {upper}, {upper}, #16\n"
    "mov r2, {total}\nsubs r2, r2, {upper}\nstr r2, [r3, #{below}]\n"
)

_ASSEMBLY = (
    # The frame may be addressed by r7, which neither compiler lets a program say that it changes.
    "mov r12, r7\nmov r10, r2\nmov r11, r3\n"
    "ldr r6, [r3]\nldr r4, [r3, #4]\nlsls r7, r4, #16\nadds r6, r6, r7\nmov r8, r6\n"
    "ldr r6, [r3, #8]\nldr r5, [r3, #12]\nlsls r7, r5, #16\nadds r6, r6, r7\nmov r9, r6\n"
    f"1:\nsubs r2, r2, r0\nlsls r2, r2, #{_WHOLE}\nbeq 2f\n" + _WINDOW + "mov r2, r10\nb 1b\n"
    "2:\ncmp r0, r10\nbeq 4f\n"
    "3:\n" + _WINDOW * _WINDOWS + "cmp r0, r10\nbne 3b\n"
    "4:\nmov r3, r11\n"
    + _SPLIT.format(upper="r4", total="r8", at=4, below=0)
    + _SPLIT.format(upper="r5", total="r9", at=12, below=8)
    + "mov r7, r12\n"
)

_CLOBBERED = ("r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "cc", "memory")


def _assembly() -> str:
    lines = "\n".join(f'    "{line}\\n"' for line in [".syntax unified", *_ASSEMBLY.splitlines()])
    clobbered = ", ".join(f'"{name}"' for name in _CLOBBERED)
    return f"""\
  register const int32_t *number __asm__("r0") = numbers;
  register const int32_t *word __asm__("r1") = words;
  register const int32_t *end __asm__("r2") = numbers + count;
  register int32_t *sum __asm__("r3") = sums;
  __asm__ volatile(
{lines}
    : "+r"(number), "+r"(word), "+r"(end), "+r"(sum)
    :
    : {clobbered});"""


_PORTABLE = """\
  for (int32_t n = 0; n < count; n += 2) {
    for (int32_t c = 0; c < 2; c++) {
      int32_t both = numbers[n] * words[2 * n + 2 * c] + numbers[n + 1] * words[2 * n + 2 * c + 1];
      int32_t upper = (both + 32768) >> 16;
      sums[2 * c] = (int32_t)((uint32_t)sums[2 * c] + (uint32_t)(both - upper * 65536));
      sums[2 * c + 1] = (int32_t)((uint32_t)sums[2 * c + 1] + (uint32_t)upper);
    }
  }"""


def _definition(function: str) -> str:
    """Armv6-M has the 16-bit instructions alone; compilers need registers of their own without optimisation."""
    return f"""\
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 1 && defined(__GNUC__) && defined(__OPTIMIZE__) && \\
  !defined(__PIC__) && !defined(__ARM_RWPI) && !defined(STILLPOOL_PORTABLE)
#define STILLPOOL_ARMV6M
#endif
/* Tile: 4 channels. Each word holds weights of two channels, lower + 65536 * upper, so that one product adds to both.
 * Order: two numbers; of them the words of the first two channels, then of the others. Two products fit 16 bits. */
static inline void {function}(const int32_t *numbers, int32_t count, const int32_t *words, int32_t *sums) {{
#ifdef STILLPOOL_ARMV6M
{_assembly()}
#else
{_PORTABLE}
#endif
}}"""


def _products(op: SwarProductsOp) -> Function:
    name = function_of(op)
    return Function(name, lambda: _definition(name), op.memref, op.count, op.weights, op.sums)


KERNELS = Kernels({SwarProductsOp: _products})
