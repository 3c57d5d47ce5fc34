"""The extension of xDSL's dialect leans on a private list: these tests say when xDSL has caught up."""

from __future__ import annotations

import subprocess
import sys

from xdsl.dialects.emitc import EmitC

from stillpool.dialects import emitc


def test_xdsl_has_gained_nothing_meanwhile() -> None:
    """An operation listed here exists in xDSL itself now: delete ours and use xDSL's."""
    script = "from xdsl.dialects.emitc import EmitC; print(*(op.name for op in EmitC.operations))"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    theirs = set(answer.stdout.split())
    assert theirs & {op.name for op in emitc.ADDED} == set()
    assert theirs == {"emitc.add", "emitc.apply", "emitc.call_opaque"}


def test_every_operation_is_registered_once() -> None:
    names = [op.name for op in EmitC.operations]
    assert sorted(names) == sorted(set(names))
    assert {op.name for op in emitc.ADDED} <= set(names)
