"""The firmware around an emulated model: storage for what the application owns, and the call."""

from __future__ import annotations

from ...targets.interfaces.interface import Interface


def application(interface: Interface) -> str:
    """C that owns the arrays and runs the model on one sample after the other.

    `stillpool_sample`, `stillpool_read`, `stillpool_begin`, `stillpool_end` and `stillpool_write` connect it to the
    emulator (`firmware/session_*.c`).
    """
    model, caller = interface.model, interface.caller
    reads = [f"    stillpool_read({caller.elements('input', t)}, {t.bytes}u);" for t in model.inputs]
    writes = [f"    stillpool_write({caller.elements('output', t)}, {t.bytes}u);" for t in model.outputs]
    lines = [
        f'#include "{caller.include}"',
        '#include "session.h"',
        "",
        caller.storage(),
        "void stillpool_application(void) {",
        *(f"    {statement}" for statement in caller.setup()),
        "  while (stillpool_sample()) {",
        "    int32_t status;",
        "    uint32_t now;",
        *reads,
        "    stillpool_paint();",
        "    stillpool_begin();",
        f"    status = {caller.call()};",
        "    now = stillpool_now();",
        "    stillpool_end(status, now, stillpool_depth());",
        *writes,
        "  }",
        "}",
    ]
    return "\n".join(lines) + "\n"
