"""The extension of xDSL's dialect leans on private lists: these tests say when xDSL has caught up."""

from __future__ import annotations

import subprocess
import sys

from xdsl.dialects.tosa import TOSA

from stillpool.dialects import tosa


def test_xdsl_has_gained_nothing_meanwhile() -> None:
    """An operation listed here exists in xDSL itself now: delete ours and use xDSL's."""
    script = "from xdsl.dialects.tosa import TOSA; print(*(op.name for op in TOSA.operations))"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    theirs = set(answer.stdout.split())
    assert theirs & {op.name for op in tosa.ADDED} == set()
    assert {op.name for op in tosa.WIDENED} <= theirs


def test_every_operation_is_registered_once() -> None:
    names = [op.name for op in TOSA.operations]
    assert sorted(names) == sorted(set(names))
    assert {op.name for op in (*tosa.ADDED, *tosa.WIDENED)} <= set(names)
