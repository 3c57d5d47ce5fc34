"""The part of a self-test that names the first wrong operator: CRC-32 of what each leaves in a pool."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class OperatorSum:
    """Bytes that an operator must leave in memory."""

    position: int
    label: str
    """The operator, in words."""
    pool: str
    offset: int
    bytes: int
    sums: tuple[int, ...]
    """CRC-32 by sample, as zlib computes it."""


DECLARED = """\
static void hear_operator(int32_t position);

"""

_CODE = """\
typedef struct operator_sum {{
    int32_t position;
    const char *label;
    const uint8_t *bytes;
    int32_t count;
    uint32_t sums[{samples}];
}} operator_sum;

/* CRC-32 of what operators leave in memory{left_out}. */
static const operator_sum operator_sums[] = {{
{rows}}};

static int current_sample;
static const char *first_wrong;

static uint32_t crc32_of(const uint8_t *bytes, int32_t count)
{{
    uint32_t crc = 0xFFFFFFFFu;
    int32_t i;
    int bit;
    for (i = 0; i < count; ++i) {{
        crc ^= bytes[i];
        for (bit = 0; bit < 8; ++bit) {{
            crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1u)));
        }}
    }}
    return ~crc;
}}

static void hear_operator(int32_t position)
{{
    int32_t i;
    for (i = 0; i < (int32_t)(sizeof operator_sums / sizeof operator_sums[0]); ++i) {{
        const operator_sum *sum = &operator_sums[i];
        if (first_wrong == NULL && sum->position == position
            && crc32_of(sum->bytes, sum->count) != sum->sums[current_sample]) {{
            first_wrong = sum->label;
        }}
    }}
}}

static void name_operator(void)
{{
    if (first_wrong != NULL) {{
        printf("first wrong operator: %s\\n", first_wrong);
    }} else {{
        printf("all operators with a checksum are right\\n");
    }}
}}

"""

HOOK = "hear_operator(position);"
"""Body of the application's function."""


def operator_code(sums: Sequence[OperatorSum], starts: Mapping[str, str], operators: int, samples: int) -> str:
    """The table and the functions that compare with it.

    Args:
        sums: at least one.
        starts: a pointer to the first byte of each pool, as C, by name.
        operators: how many the run has.
        samples: of each sum.
    """
    rows = "".join(
        f'    {{{sum.position}, "{_plain(sum.label)}", {starts[sum.pool]} + {sum.offset}, {sum.bytes}, '
        f"{{{', '.join(f'0x{value:08X}u' for value in sum.sums)}}}}},\n"
        for sum in sums
    )
    missing = operators - len(sums)
    left_out = (
        f";\n * {missing} of {operators} are left out: outputs, floats, views, and what the compiler added or fused"
        if missing
        else ""
    )
    return _CODE.format(samples=samples, rows=rows, left_out=left_out)


def _plain(label: str) -> str:
    """A label as the inside of a C string."""
    return re.sub(r"[^\w (),.-]", "?", label, flags=re.ASCII)
