"""The firmware around an emulated model: storage for what the application owns, the call, and where everything lies."""

from __future__ import annotations

from dataclasses import dataclass

from ...targets.interfaces.description import Side, Tensor
from ...targets.interfaces.native import Native
from ...targets.projects import calling


@dataclass(frozen=True)
class Owned:
    """An array that the model may touch."""

    symbol: str
    bytes: int
    section: str
    """Input section that holds it."""
    writable: bool
    what: str
    """For messages: `pool 'workspace'`, `input 'x'`."""


def owned(native: Native) -> list[Owned]:
    """The pools in RAM, and the inputs and outputs that the caller owns."""
    arrays: list[Owned] = []
    for pool in native.model.workspace_pools:
        symbol = f"{native.m}_{pool.identifier}_pool" if native.builtin_pools else f"pool_{pool.identifier}"
        section = pool.section if native.builtin_pools and pool.section else f".bss.{symbol}"
        arrays.append(Owned(symbol, max(pool.bytes, 1), section, True, f"pool '{pool.name}'"))
    sides: tuple[Side, ...] = ("input", "output")
    for side in sides:
        for tensor in native.model.caller_owned(side):
            symbol = f"{side}_{tensor.identifier}"
            arrays.append(Owned(symbol, tensor.bytes, f".bss.{symbol}", True, f"{side} '{tensor.name}'"))
    return arrays


def place(native: Native, side: Side, tensor: Tensor) -> tuple[str, int, int]:
    """Symbol, offset from it, and bytes of an input or output."""
    if tensor.pool is None:
        return f"{side}_{tensor.identifier}", 0, tensor.bytes
    pool = next(pool for pool in native.model.pools if pool.name == tensor.pool)
    symbol = f"{native.m}_{pool.identifier}_pool" if native.builtin_pools else f"pool_{pool.identifier}"
    assert tensor.offset is not None, "a tensor in a pool has an offset"
    return symbol, tensor.offset, tensor.bytes


def application(native: Native) -> str:
    """C that owns the arrays and runs the model on one sample after the other.

    `stillpool_sample`, `stillpool_read`, `stillpool_begin`, `stillpool_end` and `stillpool_write` connect it to the
    emulator (`firmware/session_*.c`).
    """
    reads = [f"    stillpool_read(inputs.{t.identifier}, {t.bytes}u);" for t in native.model.inputs]
    writes = [f"    stillpool_write(outputs.{t.identifier}, {t.bytes}u);" for t in native.model.outputs]
    lines = [
        f'#include "{native.m}.h"',
        '#include "session.h"',
        "",
        calling.storage(native),
        "void stillpool_application(void) {",
        calling.setup(native).rstrip("\n"),
        "  while (stillpool_sample()) {",
        "    int32_t status;",
        "    uint32_t now;",
        *reads,
        "    stillpool_paint();",
        "    stillpool_begin();",
        f"    status = {calling.call(native)};",
        "    now = stillpool_now();",
        "    stillpool_end(status, now, stillpool_depth());",
        *writes,
        "  }",
        "}",
    ]
    return "\n".join(lines) + "\n"
