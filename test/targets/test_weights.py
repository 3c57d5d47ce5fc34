"""Assembly that takes constants in: every assembler that is here reads it, and the object has what C declares."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest
from xdsl.dialects.builtin import BytesAttr, DenseIntOrFPElementsAttr, TensorType, i8, i32

from stillpool.dialects.emitc import GlobalOp
from stillpool.lowering.emit_c.types import array
from stillpool.targets.weights.assembly import assembly
from stillpool.targets.weights.taken_in import taken_in

STRICT = ("-Wall", "-Wextra", "-Wundef", "-pedantic", "-Werror")
CONSTANTS = {"m_bytes": (i8, b"\1\2\3"), "m_words": (i32, struct.pack("<2i", -5, 7))}
MAIN = """\
#include <stdint.h>
extern const int8_t m_bytes[3];
extern const int32_t m_words[2];
int main(void)
{
    return m_bytes[2] == 3 && m_words[0] == -5 && m_words[1] == 7 && (uintptr_t)m_words % 4 == 0 ? 0 : 1;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """`m_data.S`, and what it takes in where headers are."""
    globals_ = [
        GlobalOp(
            name,
            array(len(data) * 8 // type_.width.data, type_),
            DenseIntOrFPElementsAttr(TensorType(type_, [len(data) * 8 // type_.width.data]), BytesAttr(data)),
            const=True,
        )
        for name, (type_, data) in CONSTANTS.items()
    ]
    taken = taken_in(globals_)
    assert taken.data == b"\1\2\3\0" + CONSTANTS["m_words"][1]
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "m_data.bin").write_bytes(taken.data)
    (tmp_path / "m_data.S").write_text(assembly("m_data.bin", "M_DATA_BIN", taken.arrays))
    (tmp_path / "main.c").write_text(MAIN)
    return tmp_path


def compiled(folder: Path, command: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run([*command, *STRICT, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip(f"{command[0]} is not installed")


@pytest.mark.parametrize("flags", [(), ("-std=c99", "-Os"), ("-flto", "-O2")], ids=" ".join)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_programs_find_their_constants(compiler: str, flags: tuple[str, ...], folder: Path) -> None:
    done = compiled(folder, [compiler], *flags, "-Iinclude", "m_data.S", "main.c", "-o", "program")
    assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run([folder / "program"], check=False).returncode == 0


@pytest.mark.parametrize(
    "command",
    [
        ["arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb"],
        ["clang", "--target=armv7m-none-eabi"],
        ["clang", "--target=riscv32"],
        ["clang", "--target=arm64-apple-macos"],
        ["clang", "--target=x86_64-pc-windows-gnu"],
    ],
    ids=" ".join,
)
def test_it_assembles_for_other_processors_and_object_formats(command: list[str], folder: Path) -> None:
    done = compiled(folder, command, "-Iinclude", "-c", "m_data.S", "-o", "m_data.o")
    assert (done.returncode, done.stderr) == (0, "")
    bytes_ = (folder / "m_data.o").read_bytes()
    assert (b"_m_words" in bytes_) == ("apple" in command[-1])
    assert b"m_words" in bytes_
    assert b"\1\2\3" in bytes_


def test_another_place_of_the_file_can_be_named(folder: Path) -> None:
    (folder / "include" / "m_data.bin").rename(folder / "other.bin")
    place = '-DM_DATA_BIN="other.bin"'
    done = compiled(folder, ["gcc"], place, "m_data.S", "main.c", "-o", "program")
    assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run([folder / "program"], check=False).returncode == 0


@pytest.mark.skipif(sys.byteorder == "big", reason="for compilers of little-endian machines")
def test_big_endian_processors_are_refused(folder: Path) -> None:
    done = compiled(folder, ["clang", "--target=powerpc-none-eabi"], "-Iinclude", "-c", "m_data.S", "-o", "m_data.o")
    assert done.returncode
    assert "compile the model with --weights source for this processor" in done.stderr


def test_the_object_says_types_sizes_and_sections(folder: Path) -> None:
    done = compiled(folder, ["gcc"], "-Iinclude", "-c", "m_data.S", "-o", "m_data.o")
    assert (done.returncode, done.stderr) == (0, "")
    found = subprocess.run(["readelf", "-sSW", "m_data.o"], cwd=folder, capture_output=True, text=True, check=True)
    assert ".rodata.m_words" in found.stdout
    symbols = {
        line.split()[-1]: line.split()[2:5] for line in found.stdout.splitlines() if line.endswith(tuple(CONSTANTS))
    }
    assert symbols["m_bytes"] == ["3", "OBJECT", "GLOBAL"]
    assert symbols["m_words"] == ["8", "OBJECT", "GLOBAL"]
