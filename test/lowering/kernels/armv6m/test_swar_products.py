"""Kernels of Armv6-M, interpreted, against numpy."""

from __future__ import annotations

import re

import numpy as np
import pytest

from stillpool.lowering.kernels.armv6m.swar_products import swar_products
from stillpool.lowering.kernels.thumb import Counts, allocate, check_registers, text
from stillpool.lowering.kernels.thumb.interpreter import interpret
from stillpool.lowering.kernels.thumb.machine import Machine

CHANNELS = 4
WINDOWS = 3
"""In a pass of the long loop."""


@pytest.mark.parametrize("count", [2, 4, 6, 8, 12, 16])
def test_sums_of_shared_words(count: int) -> None:
    """None, some or all windows are taken one by one; so are none, one or two passes of the long loop run."""
    rng = np.random.default_rng(count)
    numbers, starts = rng.integers(-127, 128, count), rng.integers(-5000, 5000, CHANNELS)
    weights = rng.integers(-127, 128, (CHANNELS, count))
    shared = (weights[0::2] + 65536 * weights[1::2]).reshape(2, count // 2, 2).transpose(1, 0, 2)
    parts = [part.astype(np.int32).tobytes() for part in (numbers, shared, starts)]
    x, w, s = 0, len(parts[0]), len(parts[0]) + len(parts[1])
    machine = Machine(bytearray(b"".join(parts)))
    kernel = swar_products(WINDOWS)
    allocate(kernel)
    kernel.verify()
    check_registers(kernel)
    last = x + 4 * (count % (2 * WINDOWS))
    interpret(kernel, machine, (x, w, w, s, last))
    np.testing.assert_array_equal(np.frombuffer(machine.memory[s:], np.int32), starts + weights @ numbers)


def test_only_high_registers_are_those_of_moves_and_sums() -> None:
    """Instructions of 16 bits name r0 to r7, but for `mov`, `add` and `cmp`."""
    kernel = swar_products(4)
    allocate(kernel)
    others = [line for line in text(kernel).splitlines() if line.split()[0] not in ("mov", "add", "cmp")]
    assert others
    assert not [line for line in others if re.search(r"\b(r8|r9|sl|fp|ip)\b", line)]


def test_instructions_are_counted() -> None:
    """A pass is fifteen instructions for each window, and two for the loop."""
    counts = Counts(swar_products(4))
    assert counts.run([2]) - counts.run([1]) == 4 * 15 + 2 + 15 + 2
