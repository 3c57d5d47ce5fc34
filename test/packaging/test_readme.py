"""The README of the package is read where the repository is not."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest


@pytest.mark.packaging
def test_the_package_index_has_it_without_dead_links(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        (name,) = (name for name in opened.namelist() if name.endswith("/METADATA"))
        metadata = opened.read(name).decode()
    fields, _, text = metadata.partition("\n\n")
    assert "Description-Content-Type: text/markdown" in fields
    assert text.startswith("# stillpool")
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []
