"""The shipped example, compiled once, and what its layouts hold."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import stillpool
from stillpool.run.artifact import Artifact
from stillpool.targets.projects.format import Project

sys.path.insert(0, str(Path(__file__).parent))

DIGITS = Path(__file__).resolve().parents[3] / "examples" / "digits" / "digits.tflite"


@pytest.fixture(scope="session")
def artifact() -> Artifact:
    """The digits."""
    return stillpool.compile(DIGITS)


@pytest.fixture(scope="session")
def project(artifact: Artifact) -> Project:
    """What all layouts of the digits are made from."""
    return artifact.project


@pytest.fixture
def unpacked(request: pytest.FixtureRequest, artifact: Artifact, tmp_path: Path) -> Path:
    """A folder with the project in the layout that the test is parametrised with."""
    artifact.write(tmp_path / "digits", request.param)
    return tmp_path / "digits"
