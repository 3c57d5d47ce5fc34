"""Board presets are whole, and a wrong board file is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from stillpool.errors import InputError, UsageError
from stillpool.machines.boards import board_names, get_board
from stillpool.machines.cpus import cpu_names

MINIMAL = """
name = "mine"
description = "a board"
cpu = "cortex-m4"
clock_hz = 1_000_000
[[memory]]
name = "sram"
kind = "ram"
bytes = 1024
[[memory]]
name = "flash"
kind = "flash"
bytes = 4096
"""


def test_presets_are_there() -> None:
    assert {"cortex-m7", "esp32-s3-psram", "single-sram-m4", "stm32h7-sdram"} <= set(board_names())
    sold = {
        "nucleo-l4r5zi",
        "nucleo-f446re",
        "nucleo-h743zi",
        "nucleo-u575zi-q",
        "raspberry-pi-pico",
        "raspberry-pi-pico-2",
    }
    sold |= {"nrf52840-dk", "nrf5340-dk", "esp32-c3-devkitm-1", "arduino-nano-33-ble", "nucleo-n657x0-q"}
    assert sold <= set(board_names())
    assert all(get_board(name).target != "host" for name in sold), "stillpool has a profile of each processor"


@pytest.mark.parametrize("name", board_names())
def test_preset_is_whole(name: str) -> None:
    board = get_board(name)
    assert board.name == name
    assert board.target in ("host", *cpu_names())
    speeds = [memory.read_bandwidth for memory in board.kind("ram")]
    assert speeds == sorted(speeds, reverse=True)
    assert all(memory.write_bandwidth == 0 for memory in board.kind("flash"))
    assert board.source
    assert all(memory.source for memory in board.memories), "each figure has a source"


def test_a_file_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINIMAL)
    board = get_board(str(path))
    assert (board.name, board.target, [m.bytes for m in board.memories]) == ("mine", "cortex-m4", [1024, 4096])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("bytes = 1024", "bytes = -1", "memory 1: bytes = -1 is out of range"),
        ("bytes = 1024", 'bytes = "1K"', "memory 1: key 'bytes' must be a whole number"),
        ('kind = "ram"', 'kind = "rom"', "memory 1: kind 'rom' is neither 'ram' nor 'flash'"),
        ('kind = "ram"', 'kind = "flash"', "there is no memory of kind 'ram'"),
        ('name = "flash"', 'name = "sram"', "memory 'sram' is declared twice"),
        ("clock_hz = 1_000_000", "", "key 'clock_hz' is missing"),
        ("bytes = 4096", "bytes = 4096\nspeed = 3", "memory 2: unknown key 'speed'"),
        ('cpu = "cortex-m4"', "cpu = cortex", "is not a TOML file"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "wrong.toml"
    assert old in MINIMAL
    path.write_text(MINIMAL.replace(old, new))
    with pytest.raises(InputError, match=message):
        get_board(str(path))


def test_unknown_names_list_the_presets() -> None:
    with pytest.raises(UsageError, match="single-sram-m4"):
        get_board("nonsense")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ('name = "sram"', 'name = "\\u0007"', "letters, digits and underscores"),
        ('name = "sram"', 'name = "fast ram"', "letters, digits and underscores"),
        ("bytes = 1024", 'bytes = 1024\nsection = ".a\\n"', "not the name of a linker section"),
    ],
)
def test_names_that_c_cannot_spell_are_refused(key: str, value: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(MINIMAL.replace(key, value))
    with pytest.raises(InputError, match=rf"memory 1: .*{message}"):
        get_board(str(path))
