"""Flags of compilers that assembly must heed: registers that are not its own, words that lie anywhere."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import stillpool

GCC = "arm-none-eabi-gcc"
DIGITS = Path(__file__).resolve().parents[3] / "examples" / "digits" / "digits.tflite"
ASSEMBLY = {"cortex-m4": "STILLPOOL_TILE_ASSEMBLY", "cortex-m0plus": "STILLPOOL_ARMV6M"}

pytestmark = pytest.mark.skipif(shutil.which(GCC) is None, reason=f"{GCC} is not installed")


@pytest.fixture(scope="module", params=ASSEMBLY)
def network(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A processor, and a network whose C has assembly for it."""
    folder = tmp_path_factory.mktemp("flags")
    for path, data in stillpool.compile(DIGITS, target=request.param, optimize="speed").code.items():
        file = folder / Path(path).name
        file.write_bytes(data)
    return request.param, folder / "digits.c"


def compiled(network: tuple[str, Path], *flags: str) -> str:
    target, file = network
    command = [GCC, f"-mcpu={target}", "-mthumb", "-O2", "-std=c99", f"-I{file.parent}", *flags, "-o", "-", str(file)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def is_assembly(network: tuple[str, Path], *flags: str) -> bool:
    return f"#define {ASSEMBLY[network[0]]}" in compiled(network, "-E", "-dM", *flags)


def takes_r9(network: tuple[str, Path], *flags: str) -> bool:
    return re.search(r"\b(r9|sb)\b", compiled(network, "-S", *flags)) is not None


def test_assembly_is_taken(network: tuple[str, Path]) -> None:
    assert is_assembly(network)
    assert takes_r9(network)


@pytest.mark.parametrize("flag", ["-fpic", "-D__ARM_RWPI"])
def test_not_where_r9_is_the_data_s(network: tuple[str, Path], flag: str) -> None:
    assert not is_assembly(network, flag)


def test_no_words_of_bytes_where_they_may_not_lie_anywhere(network: tuple[str, Path]) -> None:
    """Of ARMv6-M these are aligned in any case."""
    assert is_assembly(network, "-mno-unaligned-access") == (network[0] == "cortex-m0plus")


def test_portable_leaves_fixed_registers_alone(network: tuple[str, Path]) -> None:
    """No macro tells of `-ffixed-r9`."""
    assert takes_r9(network, "-ffixed-r9")
    assert not takes_r9(network, "-ffixed-r9", "-DSTILLPOOL_PORTABLE")
