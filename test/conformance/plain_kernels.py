"""An instruction set as a package brings it, here in plain C, which every processor has."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from stillpool.lowering.kernels import InstructionSet, Kernel, sets
from stillpool.plugins import Plugins

KERNELS = Path(__file__).parents[2] / "examples" / "rvv" / "acme_rvv"
DOT = """
static inline void plain_dot(int32_t *sum, const int8_t *x, const int8_t *w, int32_t zero, int32_t k) {
  for (int32_t i = k - 1; i >= 0; i--) *sum += (x[i] - zero) * w[i];
}
"""
WINDOW = """
static inline void plain_window(int32_t *sums, const int8_t *x, const int8_t *w, int32_t x_row, int32_t x_column,
    int32_t w_row, int32_t w_column, int32_t zero, int32_t c, int32_t rows, int32_t columns) {
  for (int32_t i = 0; i < c; i++)
    for (int32_t column = 0; column < columns; column++)
      for (int32_t row = 0; row < rows; row++)
        sums[i] += (x[row * x_row + column * x_column + i] - zero) * w[row * w_row + column * w_column + i];
}
"""
PLAIN = InstructionSet(
    "1",
    tuple(
        Kernel(name, (KERNELS / f"{name}.mlir").read_text(), code, lambda **_: 0.0)
        for name, code in (("dot", DOT), ("window", WINDOW))
    ),
)


class One:
    """What a package brings under a name."""

    required = Plugins.required

    def __init__(self, name: str, brought: Any):
        self._brought = {name: brought}

    def names(self) -> list[str]:
        return list(self._brought)

    def load(self, name: str) -> Any:
        return self._brought.get(name)


@contextmanager
def installed(brought: InstructionSet = PLAIN) -> Generator[pytest.MonkeyPatch]:
    """The instruction set `plain` is installed for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sets, "SETS", One("plain", brought))
        yield patch
