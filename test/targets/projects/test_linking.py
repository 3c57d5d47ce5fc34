"""Files for the linker: what they say of pools, and what a linker does with them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from stillpool.cli import main
from stillpool.targets.interfaces.description import Pool
from stillpool.targets.projects.linking import linker_files

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
POOLS = (
    Pool("dtcm", "dtcm", "workspace", 1547, 32, size_limit=65536, section="DTCM"),
    Pool("qspi", "qspi", "constant", 5342, 16, section=".qspi"),
    Pool("kept", "kept", "workspace", 12, 64, section="DTCM"),
    Pool("unused", "unused", "workspace", 0, 16, section=".unused"),
    Pool("plain", "plain", "workspace", 10, 16),
)
SCRIPT = """\
/* Where the pools of net go. To GNU ld after the board's own script: -T board.ld -T net.ld
 * The board's script says what memory is meant by QSPI: with MEMORY or REGION_ALIAS. */
MEMORY
{
    DTCM : ORIGIN = 0x20000000, LENGTH = 65536
}
SECTIONS
{
    DTCM (NOLOAD) : ALIGN(64)
    {
        *(DTCM DTCM.*)
    } > DTCM
    .qspi : ALIGN(16)
    {
        *(.qspi .qspi.*)
    } > QSPI
}
ASSERT(SIZEOF(DTCM) <= 65536, "section DTCM is larger than its memory")
"""
OVERLAY = """\
/* Memory regions for the pools of net, as far as the board's devicetree does not have them. */
/ {
\tstillpool_dtcm: memory@20000000 {
\t\tcompatible = "zephyr,memory-region";
\t\treg = <0x20000000 0x10000>;
\t\tzephyr,memory-region = "DTCM";
\t};
};
"""
BOARD = """\
MEMORY
{
    FLASH : ORIGIN = 0x08000000, LENGTH = 512K
    RAM : ORIGIN = 0x24000000, LENGTH = 128K
    EXTERNAL : ORIGIN = 0x90000000, LENGTH = 1M
}
REGION_ALIAS("QSPI", EXTERNAL)
ENTRY(main)
SECTIONS
{
    .text : { *(.text .text.* .rodata .rodata.*) } > FLASH
    .data : { *(.data .data.*) } > RAM AT> FLASH
    .bss (NOLOAD) : { *(.bss .bss.* COMMON) } > RAM
}
"""
FILE = """\
[[pool]]
name = "dtcm"
size = "{size}"
align = 32
section = "DTCM"
address = 0x20000000

[[pool]]
name = "qspi"
kind = "constant"
section = ".qspi"
"""


def test_the_script() -> None:
    assert linker_files("net", POOLS, {"dtcm": 0x20000000})["net.ld"].decode() == SCRIPT


def test_the_overlay() -> None:
    files = linker_files("net", POOLS, {"dtcm": 0x20000000, "qspi": 0x90000000})
    # A section with a dot in front is none that Zephyr makes of a region.
    assert files["net.overlay"].decode() == OVERLAY


def test_no_sections_no_files() -> None:
    assert linker_files("net", POOLS[3:], {}) == {}
    assert list(linker_files("net", POOLS, {})) == ["net.ld"]


@pytest.mark.extra("emulate")
@pytest.mark.skipif(shutil.which("arm-none-eabi-gcc") is None, reason="arm-none-eabi-gcc is not installed")
def test_a_linker_does_what_the_pool_file_says(tmp_path: Path) -> None:
    (tmp_path / "pools.toml").write_text(FILE.format(size="64K"))
    project, program = tmp_path / "novelty", tmp_path / "app.elf"
    options = ["--pool-file", str(tmp_path / "pools.toml"), "--builtin-pools", "-o", str(project), "-q"]
    made = CliRunner().invoke(main, ["compile", str(EXAMPLES / "novelty" / "novelty.tflite"), *options])
    assert made.exit_code == 0, made.output
    assert json.loads((project / "manifest.json").read_text())["files"].count("link/novelty.overlay") == 1
    (tmp_path / "board.ld").write_text(BOARD)
    (tmp_path / "main.c").write_text('#include "novelty.h"\nint main(void) { return (int)novelty_run(); }\n')
    flags = ("-mcpu=cortex-m7", "-mthumb", "-std=c99", "-O1", "-nostartfiles", "--specs=nosys.specs")
    files = [*(project / "src").glob("*.c"), tmp_path / "main.c"]
    scripts = ("-T", tmp_path / "board.ld", "-T", project / "link" / "novelty.ld")
    command = ["arm-none-eabi-gcc", *flags, f"-I{project / 'include'}", *files, *scripts, "-o", program, "-lm"]
    linked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert linked.returncode == 0, linked.stderr
    audited = CliRunner().invoke(main, ["audit", str(program), "--manifest", str(project), "--json"])
    assert audited.exit_code == 0, audited.output
    document = json.loads(audited.stdout)
    places = {pool["name"]: (pool["section"], pool["address"]) for pool in document["pools"]}
    assert places == {"dtcm": ("DTCM", 0x20000000), "qspi": (".qspi", 0x90000000)}
    # What is in the pool is not counted twice.
    assert document["constants"]["linked_bytes"] == document["constants"]["planned_bytes"] == 0
