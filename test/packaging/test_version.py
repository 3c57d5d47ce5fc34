"""The version is stated once."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import stillpool

ROOT = Path(__file__).parents[2]


def test_the_package_has_the_version_of_the_module() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert "version" in project["dynamic"]


@pytest.mark.parametrize(("tag", "code"), [(f"v{stillpool.__version__}", 0), ("v0.0.0", 1), (stillpool.__version__, 1)])
def test_the_workflow_releases_a_tag_of_this_version_alone(tag: str, code: int) -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    (command,) = re.findall(r"The tag is the version\n +run: (.*)", workflow)
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, env={**os.environ, "GITHUB_REF_NAME": tag}, check=False)
    assert done.returncode == code


@pytest.mark.packaging
def test_the_wheel_has_it(wheel: Path) -> None:
    assert wheel.name.split("-")[1] == stillpool.__version__
