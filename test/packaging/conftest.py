"""The wheel, built once."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from installing import NOT_COPIED, run

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of what the repository holds; an earlier build in the checkout cannot leak into it."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "source", ignore=NOT_COPIED, symlinks=True)
    run(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", folder, folder / "source", cwd=folder)
    left = {path.name for path in (folder / "source").iterdir() if path.name == "build" or path.suffix == ".egg-info"}
    assert not left, "a build leaves nothing in the checkout"
    (made,) = folder.glob("stillpool-*-py3-none-any.whl")
    return made
