"""The C of dot products: kernels of a few lines for each instruction set, portable C else, and the loops around them.

Sources: Intel Intrinsics Guide (VPDPBUSD, VPMADDWD); Arm C Language Extensions, "Dot product intrinsics" (SDOT).
"""

from __future__ import annotations

from textwrap import indent

from ...dialects.simd.dots import CHANNELS, DOT, AddDotProductsOp
from ...dialects.simd.instruction import function_of
from .c_function import Function, Kernels

_BLOCK = CHANNELS * DOT


_X86 = "#include <immintrin.h>\n#include <string.h>\n"
_INLINE = "#define STILLPOOL_DOTS static inline __attribute__((always_inline))"


def _kernel(directive: str, include: str, comment: str, members: str, add: str, zero: str, end: str) -> str:
    """The functions in C for sixteen sums of one point in registers, behind a directive that asks for a processor.

    The struct of the sums has `members`. `add` adds the products of `count` bytes, four at most, in one of four chains,
    `zero` declares sums that are zero, `end` adds `dots` to `sums` in memory.
    """
    add, zero, end = (indent(body, "  ") for body in (add, zero, end))
    return f"""\
{directive}
{include}
/* {comment} */
typedef struct {{
  {members}
}} simd_dots;
STILLPOOL_DOTS void simd_add_dots(simd_dots *dots, int32_t chain, const int8_t *bytes,
                                  int32_t count, const int8_t *weights) {{
{add}
}}
STILLPOOL_DOTS simd_dots simd_no_dots(void) {{
{zero}
  return dots;
}}
STILLPOOL_DOTS void simd_store_dots(int32_t *sums, const simd_dots *dots) {{
{end}
}}"""


_WORD = "int32_t word = 0;\nmemcpy(&word, bytes, (size_t)count);"

_VNNI = _kernel(
    "#if defined(__GNUC__) && defined(__AVX512F__) && defined(__AVX512VNNI__) && !defined(STILLPOOL_PORTABLE)",
    _X86 + _INLINE,
    "Source: VPDPBUSD. It takes unsigned bytes: they are raised by 128, and what that adds is subtracted in the end.\n"
    " * Four chains of sums hide how long the instruction takes.",
    "__m512i sum[4];\n  __m512i more[2];",
    f"""\
const __m512i raised = _mm512_set1_epi8(-128);
__m512i w = _mm512_loadu_si512(weights);
{_WORD}
dots->sum[chain] = _mm512_dpbusd_epi32(dots->sum[chain], _mm512_xor_si512(_mm512_set1_epi32(word), raised), w);
dots->more[chain % 2] = _mm512_dpbusd_epi32(dots->more[chain % 2], raised, w);""",
    "__m512i zero = _mm512_setzero_si512();\nsimd_dots dots = {{zero, zero, zero, zero}, {zero, zero}};",
    """\
__m512i sum = _mm512_add_epi32(dots->sum[0], dots->sum[1]);
__m512i other = _mm512_add_epi32(dots->sum[2], dots->sum[3]);
__m512i more = _mm512_add_epi32(dots->more[0], dots->more[1]);
sum = _mm512_sub_epi32(_mm512_add_epi32(sum, other), more);
_mm512_storeu_si512(sums, _mm512_add_epi32(_mm512_loadu_si512(sums), sum));""",
)

_AVX2 = _kernel(
    "#elif defined(__GNUC__) && defined(__AVX2__) && !defined(STILLPOOL_PORTABLE)",
    _X86 + _INLINE,
    "Source: VPMADDWD, which leaves two sums of each channel side by side.",
    "__m256i pairs[4];",
    f"""\
{_WORD}
__m256i x = _mm256_cvtepi8_epi16(_mm_set1_epi32(word));
(void)chain;
for (int32_t n = 0; n < 4; n++) {{
  __m256i w = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(weights + 16 * n)));
  dots->pairs[n] = _mm256_add_epi32(dots->pairs[n], _mm256_madd_epi16(x, w));
}}""",
    "__m256i zero = _mm256_setzero_si256();\nsimd_dots dots = {{zero, zero, zero, zero}};",
    """\
for (int32_t n = 0; n < 2; n++) {
  /* Neighbours are added within halves of vectors. */
  __m256i added = _mm256_hadd_epi32(dots->pairs[2 * n], dots->pairs[2 * n + 1]);
  __m256i *place = (__m256i *)(void *)(sums + 8 * n);
  added = _mm256_permute4x64_epi64(added, 0xD8);
  _mm256_storeu_si256(place, _mm256_add_epi32(_mm256_loadu_si256(place), added));
}""",
)

_NEON = _kernel(
    "#elif defined(__aarch64__) && defined(__ARM_FEATURE_DOTPROD) && !defined(__ARM_BIG_ENDIAN) \\\n"
    "    && !defined(STILLPOOL_PORTABLE)",
    "#include <arm_neon.h>\n#include <string.h>\n" + _INLINE,
    "Source: SDOT.",
    "int32x4_t sum[4];",
    f"""\
{_WORD}
int8x16_t x = vreinterpretq_s8_s32(vdupq_n_s32(word));
(void)chain;
for (int32_t n = 0; n < 4; n++) {{
  dots->sum[n] = vdotq_s32(dots->sum[n], x, vld1q_s8(weights + 16 * n));
}}""",
    "int32x4_t zero = vdupq_n_s32(0);\nsimd_dots dots = {{zero, zero, zero, zero}};",
    """\
for (int32_t n = 0; n < 4; n++) {
  vst1q_s32(sums + 4 * n, vaddq_s32(vld1q_s32(sums + 4 * n), dots->sum[n]));
}""",
)

_PORTABLE = _kernel(
    "#else",
    "#define STILLPOOL_DOTS static inline",
    "What the instructions of other processors mean.",
    f"uint32_t sum[{CHANNELS}];",
    f"""\
(void)chain;
for (int32_t c = 0; c < {CHANNELS}; c++) {{
  for (int32_t k = 0; k < count; k++) {{
    dots->sum[c] += (uint32_t)(bytes[k] * weights[{DOT} * c + k]);
  }}
}}""",
    "simd_dots dots = {{0}};",
    f"""\
for (int32_t c = 0; c < {CHANNELS}; c++) {{
  sums[c] = (int32_t)((uint32_t)sums[c] + dots->sum[c]);
}}""",
)

_INSTRUCTIONS = "\n".join([_VNNI, _AVX2, _NEON, _PORTABLE, "#endif"])
"""Kernels by what the machine has that the C is compiled for."""

_NAMES = ("simd_dots", "simd_add_dots", "simd_no_dots", "simd_store_dots")
"""Names that the kernels define."""

_ADD_DOT_PRODUCTS = f"""\
/* Tile: {CHANNELS} sums of one point at a time, {DOT} products of each in an instruction; bytes in rows and columns.
 * Layout: for every {CHANNELS} sums and {DOT} bytes {DOT} weights of each sum; those missing at the end are zero. */
STILLPOOL_DOTS void simd_add_dot_products(int32_t *sums, int32_t channels, const int8_t *bytes, int32_t rows,
                                          int32_t row, int32_t columns, int32_t column, int32_t count,
                                          const int8_t *weights) {{
  for (int32_t c = 0; c < channels; c += {CHANNELS}) {{
    simd_dots dots = simd_no_dots();
    for (int32_t n = 0; n < rows * columns; n++) {{
      const int8_t *run = bytes + n / columns * row + n % columns * column;
      int32_t k = 0;
      for (; k + {4 * DOT} <= count; k += {4 * DOT}) {{
        simd_add_dots(&dots, 0, run + k, {DOT}, weights);
        simd_add_dots(&dots, 1, run + k + {DOT}, {DOT}, weights + {_BLOCK});
        simd_add_dots(&dots, 2, run + k + {2 * DOT}, {DOT}, weights + {2 * _BLOCK});
        simd_add_dots(&dots, 3, run + k + {3 * DOT}, {DOT}, weights + {3 * _BLOCK});
        weights += {4 * _BLOCK};
      }}
      for (; k + {DOT} <= count; k += {DOT}) {{
        simd_add_dots(&dots, 0, run + k, {DOT}, weights);
        weights += {_BLOCK};
      }}
      if (count % {DOT} != 0) {{
        simd_add_dots(&dots, 1, run + k, count % {DOT}, weights);
        weights += {_BLOCK};
      }}
    }}
    simd_store_dots(sums + c, &dots);
  }}
}}"""
"""The loops around them."""


def _add_dot_products(op: AddDotProductsOp) -> Function:
    (rows, columns), (row, column) = op.extents.get_values(), op.steps.get_values()
    window = rows, row, columns, column, op.count
    return Function(function_of(op), lambda _: _ADD_DOT_PRODUCTS, op.sums, op.channels, op.memref, *window, op.weights)


KERNELS = Kernels({AddDotProductsOp: _add_dot_products}, [_INSTRUCTIONS], *_NAMES)
