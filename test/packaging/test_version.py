"""The version is that of the tag."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from installing import NOT_COPIED, run

import stillpool

ROOT = Path(__file__).parents[2]


def test_the_module_has_the_version_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert "version" in project["dynamic"]
    assert stillpool.__version__ == version("stillpool")


@pytest.mark.parametrize(("tag", "code"), [("v1.2.3", 0), ("v1.2.4", 1)])
def test_the_workflow_releases_what_has_the_version_of_the_tag(tag: str, code: int, tmp_path: Path) -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    (command,) = re.findall(r"The tag is the version\n +run: (.*)", workflow)
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "stillpool-1.2.3.tar.gz").touch()
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env={**os.environ, "GITHUB_REF_NAME": tag}, check=False)
    assert done.returncode == code


@pytest.mark.packaging
@pytest.mark.parametrize(("tags", "made"), [(["v1.2.3"], "1.2.3"), ([], r"0\.\d+\.\d+\.dev1")])
def test_the_wheel_has_the_version_of_the_tag(tags: list[str], made: str, wheel: Path, tmp_path: Path) -> None:
    """The files are those of the wheel of a copy without git."""
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=NOT_COPIED, symlinks=True)
    git = ("git", "-C", source, "-c", "user.name=someone", "-c", "user.email=someone@example.org")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"], *(["tag", tag] for tag in tags)):
        run(*git, *words, cwd=tmp_path)
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", tmp_path, source, cwd=tmp_path)
    (found,) = tmp_path.glob("*.whl")
    assert re.fullmatch(made, found.name.split("-")[1])
    names = [{re.sub(r"^stillpool-[^/]*", "", name) for name in _names(path)} for path in (found, wheel)]
    assert names[0] == names[1]


def _names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as opened:
        return opened.namelist()
