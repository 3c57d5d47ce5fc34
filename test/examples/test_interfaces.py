"""Applications of every interface: built with sanitisers, they give the numbers of the native one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

INTERFACES = Path(__file__).resolve().parents[2] / "examples" / "interfaces"
# An application of TVM's tests calls variables as the types are called: no -Wshadow.
FLAGS = (
    "-O0 -pedantic -Wall -Wextra -Wconversion -Wsign-conversion -Wcast-qual -Wundef -Wstrict-prototypes -Werror "
    "-fsanitize=address,undefined -fno-sanitize-recover=all"
)
CASES = re.findall(r"^ALL = (.*)$", (INTERFACES / "Makefile").read_text(encoding="utf-8"), re.M)[0].split()


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("interfaces")


def answers(case: str, build: Path) -> dict[str, str]:
    """What an application prints: a number for all answers of a model, by the model's name."""
    stillpool = Path(sys.executable).with_name("stillpool")
    flags = [f"CFLAGS={FLAGS}", f"CXXFLAGS={FLAGS.replace('-Wstrict-prototypes ', '')}"]
    variables = [f"STILLPOOL={stillpool}", f"PYTHON={sys.executable}", f"BUILD={build}", *flags]
    command = ["make", "-s", "-C", str(INTERFACES), case, *variables]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def native(build: Path) -> dict[str, str]:
    found = answers("native", build)
    assert found.keys() == {"digits", "novelty"}
    return found


EVERY_DAY = ("ai_two_models", "packed", "st_firmware", "tvm_platform", "tvm_u3", "x_cube_ai")


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if case in EVERY_DAY else pytest.mark.sweep) for case in CASES if case != "native"],
)
def test_gives_the_numbers_of_the_native_interface(case: str, build: Path, native: dict[str, str]) -> None:
    found = answers(case, build)
    assert "digits" in found
    assert found.items() <= native.items()


def test_every_application_is_built() -> None:
    assert set(EVERY_DAY) < set(CASES)
    assert {path.stem for path in INTERFACES.iterdir() if path.suffix in (".c", ".cc")} == set(CASES)
