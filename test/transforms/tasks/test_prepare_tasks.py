"""`prepare-tasks` is the passes that it is said to be, one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.parser import Parser

from stillpool.driver import pipeline

FILES = ("shorten_rescaling", "shorten_rounding", "shorten_byte_sums", "double_early", "split_phases", "flash")
EACH = (
    "choose-forms{cpu=cortex-m4 optimize=balanced},narrow-sums,shorten-rounding,shorten-byte-sums,shorten-rescaling,"
    "double-early,split-phases"
)


def run(name: str, passes: str) -> str:
    text = Path(__file__).with_name(f"{name}.mlir").read_text(encoding="utf-8")
    module = Parser(pipeline.context(), text).parse_module()
    pipeline.apply(module, pipeline.parsed(passes), where=name)
    return str(module)


@pytest.mark.parametrize("name", FILES)
def test_all_at_once_is_one_after_the_other(name: str) -> None:
    together = run(name, "prepare-tasks{cpu=cortex-m4 optimize=balanced}")
    assert run(name, EACH) == together
