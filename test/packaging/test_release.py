"""What the release workflow hands to the package index: built in a copy without git, from the source distribution."""

from __future__ import annotations

import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from installing import NOT_COPIED, environment, run

ROOT = Path(__file__).resolve().parents[2]
PAGE = "https://example.org/someone/stillpool"
TAG = "v0.1.0"

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with what the workflow installs."""
    folder = tmp_path_factory.mktemp("tools")
    return environment(folder, "build", "twine")


@pytest.fixture(scope="module")
def made(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheel, made of the source distribution, and this, as the workflow makes them."""
    folder = tmp_path_factory.mktemp("release")
    shutil.copytree(ROOT, folder / "source", ignore=NOT_COPIED, symlinks=True)
    where = {"GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "someone/stillpool"}
    where["GITHUB_REF_NAME"] = TAG
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    run(programs / "python", "-m", "build", folder / "source", "--outdir", folder, cwd=folder,
        environment=environment | where)  # fmt: skip
    return sorted(folder.glob("stillpool-*"))


def test_the_index_takes_both(made: list[Path], programs: Path) -> None:
    assert [path.suffix for path in made] == [".whl", ".gz"]
    text = run(programs / "python", "-m", "twine", "check", "--strict", *made, cwd=made[0].parent)
    assert text.count("PASSED") == 2


def test_the_source_distribution_makes_the_same_wheel(made: list[Path], wheel: Path) -> None:
    first, second = (set(zipfile.ZipFile(path).namelist()) for path in (made[0], wheel))
    assert first == second


def test_links_lead_to_the_page_of_the_repository(made: list[Path]) -> None:
    (name,) = (name for name in zipfile.ZipFile(made[0]).namelist() if name.endswith("/METADATA"))
    metadata = zipfile.ZipFile(made[0]).read(name).decode()
    assert f"Project-URL: Source, {PAGE}\n" in metadata
    linked = re.findall(rf"\]\({PAGE}/blob/{TAG}/([^)#]*)", metadata)
    assert linked
    assert all((ROOT / path).exists() for path in linked)
