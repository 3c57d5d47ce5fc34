"""`prepare-tasks` is the passes that it is said to be, one after the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from xdsl.parser import Parser

from stillpool.driver import pipeline

FILES = (
    *("shorten_rescaling", "shorten_rescaling_real", "shorten_rounding", "shorten_byte_sums", "double_early"),
    *("split_phases", "flash", "round_in_floats"),
)
CHOICES = ("choose-forms", "prepare-tasks")
CHOSEN = "{cpu=cortex-m4 optimize=balanced FLASH}"
OTHERS = (
    "narrow-sums,shorten-rounding,shorten-byte-sums,shorten-rescaling{floats=true},double-early,split-phases,"
    "round-in-floats"
)


def run(name: str, passes: str) -> str:
    text = Path(__file__).with_name(f"{name}.mlir").read_text(encoding="utf-8")
    module = Parser(pipeline.context(), text).parse_module()
    pipeline.apply(module, pipeline.parsed(passes), where=name)
    return str(module)


@pytest.mark.parametrize("flash", ["", "flash=0"])
@pytest.mark.parametrize("name", FILES)
def test_all_at_once_is_one_after_the_other(name: str, flash: str) -> None:
    chosen, together = (f"{one}{CHOSEN.replace('FLASH', flash)}" for one in CHOICES)
    assert run(name, f"{chosen},{OTHERS}") == run(name, together)
