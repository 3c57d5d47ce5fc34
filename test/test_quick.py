"""Which tests `make quick` runs is told by what they import."""

from __future__ import annotations

from pathlib import Path

import pytest
from quick import HERE, is_quick


@pytest.mark.parametrize(
    ("text", "quick"),
    [
        ("import numpy\nfrom stillpool.planner import plan\n", True),
        ("import subprocess\n", False),
        ("from stillpool import compile\n", False),
        ("from stillpool import planner\n", True),
        ("from stillpool.driver.compile.prepare import prepare\n", False),
        ("from stillpool import driver\n", False),
        ("def test():\n    import stillpool\n", False),
        ("import helper\n", False),
        ("import compilers\n", False),
        ("import pytest\n@pytest.mark.sweep\ndef test(): ...\n", False),
    ],
)
def test_what_a_module_imports_counts(text: str, quick: bool, tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("from click.testing import CliRunner\n")
    (tmp_path / "test_it.py").write_text(text)
    assert is_quick(tmp_path / "test_it.py") is quick


def test_fixtures_count() -> None:
    """Those of `conftest.py` beside a test start MLIR's tools there."""
    assert not is_quick(HERE / "lowering" / "emit_c" / "test_names_agree.py")
    assert is_quick(HERE / "planner" / "test_pools.py")
