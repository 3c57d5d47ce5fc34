"""What the check refuses with every access in its order it refuses with ranges of bytes alone, too."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, PassFailedException

from stillpool.driver.pipeline import context
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.transforms.usmp.check import abstract_run
from stillpool.transforms.usmp.check.check_pass import UsmpCheckPass
from stillpool.transforms.usmp.check.timed_run import TooMuch

FILES = sorted(Path(__file__).parent.glob("usmp_check*.mlir"))
OVER = "was written over it"


class Never:
    """In the place of the run that knows every access."""

    def __init__(self, *told: object):
        raise TooMuch


def refusal(text: str) -> str:
    """Why a module is refused; nothing if it is not."""
    module = parse(context(), text.encode(), "case.mlir")
    assert isinstance(module, ModuleOp)
    try:
        UsmpCheckPass().apply(context(), module)
    except (DiagnosticException, PassFailedException) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ranges_accept_no_more(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And hardly less: every order that the cases are about shows in ranges, but for one."""
    cases = file.read_text(encoding="utf-8").split("// -----")
    exact = [refusal(text) for text in cases]
    monkeypatch.setattr(abstract_run, "TimedRun", Never)
    coarse = [refusal(text) for text in cases]
    # Spans are wider than what happens, so that accesses beyond a memref are not seen.
    accepted = [text for text, one, other in zip(cases, exact, coarse, strict=True) if OVER in one and not other]
    assert not accepted, accepted[0]
    refused = [text for text, one, other in zip(cases, exact, coarse, strict=True) if other and not one]
    assert len(refused) == (file.stem == "usmp_check_scattered"), refused[0]
