"""Accesses under a condition at the last bytes of a pool: what follows them is not under that condition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from models import example

from stillpool import compile
from stillpool.errors import UsageError
from stillpool.machines.cpus import get_cpu
from stillpool.run.emulate.emulator import emulate

FUNCTION = """
static int32_t after_a_block(const uint8_t *last)
{
    int32_t read = 0, sum = 0;
    __asm__ volatile(
        ".syntax unified\\n\\t"
        "mov r2, #1\\n\\tcmp r2, #15\\n\\tittt ls\\n\\tldrbls %0, [%2]\\n\\tmovls %0, #2\\n\\tmovls %0, #3\\n\\t"
        "cmp r2, #0\\n\\tb 1f\\n1:\\tadd %1, %1, #5\\n\\tadd %1, %1, #5\\n\\t"
        : "+r"(read), "+r"(sum) : "r"(last) : "r2", "cc", "memory");
    return read == 3 && sum == 10;
}
"""


@pytest.mark.parametrize("cpu", ["cortex-m3", "cortex-m4", "cortex-m33"])
def test_conditions_end_with_their_block(cpu: str, images: np.ndarray) -> None:
    artifact = compile(example())
    head, call, tail = artifact.sources.source.rpartition("    digits_network(")
    last = "pools->workspace + DIGITS_WORKSPACE_POOL_SIZE - 1"
    check = f"    if (!after_a_block({last})) {{\n        return -99;\n    }}\n"
    at = head.index("int32_t digits_run(")
    text = f"{head[:at]}{FUNCTION}\n{head[at:]}{check}{call}{tail}"
    made = replace(artifact, sources=replace(artifact.sources, source=text))
    try:
        # A run that returns anything but 0 is an error.
        emulate(made, get_cpu(cpu), {"image": images})
    except UsageError as error:
        pytest.skip(str(error))
