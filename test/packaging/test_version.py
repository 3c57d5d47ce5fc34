"""The version is stated once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import stillpool

ROOT = Path(__file__).parents[2]


def test_the_package_has_the_version_of_the_module() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert "version" in project["dynamic"]


@pytest.mark.packaging
def test_the_wheel_has_it(wheel: Path) -> None:
    assert wheel.name.split("-")[1] == stillpool.__version__
