"""`fit`: what a model takes of each memory of a board, and what is short."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from stillpool.cli import main
from stillpool.machines.boards import board_names

MODEL = Path(__file__).resolve().parents[2] / "examples" / "digits" / "digits.tflite"
pytestmark = pytest.mark.usefixtures("compiled_once")
needs_compiler = pytest.mark.extra("emulate")
ZIG = ("--cc", "zig", "--optimize", "size")
"""Schedules of the short kind are chosen fastest."""


def invoke(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["fit", *(str(argument) for argument in arguments)])
    return result.exit_code, result.stdout, result.stderr


def board(folder: Path, ram: int, flash: int) -> Path:
    """A board file with one RAM and one flash, in bytes."""
    path = folder / "board.toml"
    memories = "".join(
        f'[[memory]]\nname = "{name}"\nkind = "{kind}"\nbytes = {size}\n'
        for name, kind, size in (("sram", "ram", ram), ("rom", "flash", flash))
    )
    path.write_text(f'name = "small"\ndescription = "for a test"\ncpu = "cortex-m4"\nclock_hz = 1000000\n{memories}')
    return path


CONSTANTS = ("weights", "tables", "padding")
"""Parts of a memory that are constants."""


@needs_compiler
def test_a_model_fits_exactly_what_it_takes_and_not_a_byte_less(tmp_path: Path) -> None:
    code, out, _ = invoke(MODEL, "--board", board(tmp_path, 1 << 16, 1 << 20), "--json", *ZIG)
    document: dict[str, Any] = json.loads(out)
    assert (code, document["fits"], document["target"]) == (0, True, "cortex-m4")
    sram, rom = document["memories"]
    assert sram["parts"].keys() == {"pool", "stack"}
    assert rom["parts"].keys() == {"code", *CONSTANTS}
    assert [memory["used"] for memory in (sram, rom)] == [sum(memory["parts"].values()) for memory in (sram, rom)]
    ram, flash = sram["used"], rom["used"]
    assert invoke(MODEL, "--board", board(tmp_path, ram, flash), *ZIG)[0] == 0
    code, out, err = invoke(MODEL, "--board", board(tmp_path, ram - 1, flash - 2), *ZIG)
    assert code == 3
    assert out.startswith("digits does not fit small\n")
    shorts = f"sram by 1 bytes ({ram:,} of {ram - 1:,}), rom by 2 bytes ({flash:,} of {flash - 2:,})"
    assert err == f"error: digits does not fit small: short are {shorts}\n"
    code, out, _ = invoke(MODEL, "--board", board(tmp_path, ram - 1, flash), *ZIG, "--json")
    document = json.loads(out)
    assert (code, document["fits"], document["error"]["exit_code"]) == (3, False, 3)
    assert [memory["short"] for memory in document["memories"]] == [1, 0]


@needs_compiler
def test_pools_that_cannot_be_planned_do_not_fit(tmp_path: Path) -> None:
    small = board(tmp_path, 1000, 1 << 20)
    code, out, err = invoke(MODEL, "--board", small, *ZIG)
    assert code == 3
    assert "pool 'sram' is " in err
    assert out.startswith("digits does not fit small\n")
    document = json.loads(invoke(MODEL, "--board", small, *ZIG, "--json")[1])
    assert "pool 'sram' is " in document["error"]["message"]
    sram, rom = document["memories"]
    assert (sram["short"], rom["short"]) == (sram["used"] - 1000, 0)
    assert sram["used"] > 1000
    assert f"the plan needs {sram['parts']['pool']}, its limit is 1000" in document["error"]["message"]


@needs_compiler
def test_the_error_names_the_memories_that_the_table_shows_as_short(tmp_path: Path) -> None:
    path = board(tmp_path, 800, 1 << 20)
    path.write_text(path.read_text() + '[[memory]]\nname = "dtcm"\nkind = "ram"\nbytes = 300\n')
    code, out, _ = invoke(MODEL, "--board", path, *ZIG, "--json")
    document = json.loads(out)
    named = [memory for memory in document["memories"] if memory["short"]]
    assert (code, len(named)) == (3, 2), "the plan does not fit one RAM, the stack not the other"
    for memory in named:
        shorts = f"{memory['name']} by {memory['short']:,} bytes ({memory['used']:,} of {memory['bytes']:,})"
        assert shorts in document["error"]["message"]


@needs_compiler
def test_preset_prints_every_memory() -> None:
    code, out, _ = invoke(MODEL, "--board", "cortex-m7", *ZIG, "--opt", "s")
    assert code == 0
    assert out.startswith("digits fits cortex-m7\n")
    for memory in ("dtcm", "axi_sram", "flash", "qspi"):
        assert f" {memory} " in out


def test_without_a_profile_of_the_processor_only_data_are_counted() -> None:
    code, out, err = invoke(MODEL, "--board", "esp32-s3-psram", "--json")
    document: dict[str, Any] = json.loads(out)
    assert (code, document["target"]) == (0, "host")
    assert "code and stack are not counted" in err
    parts = {memory["name"]: memory["parts"] for memory in document["memories"]}
    assert parts["sram"].keys() == {"pool"}
    assert parts["flash"].keys() == {"weights", "tables"}


@needs_compiler
def test_constants_in_a_memory_of_their_own_are_counted_there(tmp_path: Path) -> None:
    path = board(tmp_path, 1 << 16, 1 << 20)
    together = json.loads(invoke(MODEL, "--board", path, "--json", *ZIG)[1])["memories"][1]["parts"]
    external = '[[memory]]\nname = "qspi"\nkind = "flash"\nbytes = 8388608\nsection = ".qspi"\n'
    path.write_text(path.read_text() + external)
    _, rom, qspi = json.loads(invoke(MODEL, "--board", path, "--json", *ZIG)[1])["memories"]
    assert qspi["parts"]["pool"] > 0
    # Alignment may differ.
    apart, whole = (sum(parts.get(key, 0) for key in CONSTANTS) for parts in (rom["parts"], together))
    assert abs(apart + qspi["used"] - whole) <= 64


def test_without_a_board_they_are_listed() -> None:
    code, out, _ = invoke(MODEL)
    assert code == 0
    assert all(name in out for name in board_names())
    listed = json.loads(invoke(MODEL, "--json")[1])["boards"]
    sizes = {board["name"]: (board["cpu"], board["clock_mhz"], board["ram"]) for board in listed}
    assert sizes["single-sram-m4"] == ("cortex-m4", 168, 131072)


def test_several_boards_are_compared(tmp_path: Path) -> None:
    small = board(tmp_path, 1000, 1 << 20)
    small.write_text(small.read_text().replace('cpu = "cortex-m4"', 'cpu = "none"'))
    code, out, _ = invoke(MODEL, "--board", f"{small},esp32-s3-psram")
    assert (code, out.splitlines()[0]) == (0, "digits fits 1 of 2 boards")
    document = json.loads(invoke(MODEL, "--board", f"{small},esp32-s3-psram", "--json")[1])
    assert (document["fitting"], [one["fits"] for one in document["boards"]]) == (1, [False, True])
    code, out, err = invoke(MODEL, "--board", f"{small},{small}")
    assert (code, err.splitlines()[-1]) == (3, "error: digits fits none of 2 boards; try --optimize ram")


@needs_compiler
def test_the_time_of_one_run_is_estimated(tmp_path: Path) -> None:
    path = board(tmp_path, 1 << 16, 1 << 20)
    code, out, _ = invoke(MODEL, "--board", path, *ZIG, "--json")
    document = json.loads(out)
    assert (code, document["is_least_time"]) == (0, False)
    # At 1 MHz a millisecond is 1,000 cycles.
    assert 37.184 < document["milliseconds"] < 1000


def test_unknown_boards_are_refused() -> None:
    code, _, err = invoke(MODEL, "--board", "no-such")
    assert (code, err.startswith("error: unknown board 'no-such'; ")) == (2, True)
