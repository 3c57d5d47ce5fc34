"""The Arduino library as Arduino's own builder takes it, on a processor whose `int` has 16 bits, in an emulator.

Debian has the builder, the core of the AVR boards and the emulator: `arduino-builder`, `arduino-core-avr`, `simavr`.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import stillpool

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HARDWARE = Path("/usr/share/arduino/hardware")
BUILDER = Path("/usr/share/arduino-builder")

pytestmark = pytest.mark.skipif(
    not HARDWARE.exists() or any(shutil.which(program) is None for program in ("arduino-builder", "simavr")),
    reason="needs arduino-builder, arduino-core-avr and simavr",
)

SELF_TEST = """\
#include <avr/sleep.h>
#include <stdio.h>
#include <{name}.h>
extern "C" int self_test(void);
static int put(char character, FILE *) {{ return Serial.write(character) == 1 ? 0 : -1; }}
static FILE terminal;
void setup()
{{
    Serial.begin(115200);
    fdev_setup_stream(&terminal, put, NULL, _FDEV_SETUP_WRITE);
    stdout = &terminal;
    self_test();
    Serial.flush();
    noInterrupts();
    sleep_mode();
}}
void loop() {{}}
"""
"""Runs the self-test of the library, and stops the emulator."""


def said(*command: str | Path) -> str:
    """All that a command that succeeds prints."""
    words = [*map(str, command)]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=600)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}"
    return done.stdout


def built(sketch: Path, libraries: Path, folder: Path) -> Path:
    """The firmware for an Arduino Mega; nothing of ours may give rise to a warning."""
    folder.mkdir()
    printed = said(
        *("arduino-builder", "-compile", "-warnings", "all", "-fqbn", "arduino:avr:mega:cpu=atmega2560"),
        *("-hardware", BUILDER, "-hardware", HARDWARE, "-tools", HARDWARE, "-libraries", libraries),
        # What Debian's core takes from a newer compiler than Debian's.
        *("-prefs", "compiler.cpp.extra_flags=-DDECIMAL_DIG=__DECIMAL_DIG__"),
        *("-build-path", folder, sketch),
    )
    assert str(libraries) not in printed
    assert sketch.name not in printed
    return folder / f"{sketch.name}.elf"


@pytest.mark.parametrize(
    "options", [{}, {"interface": "tvm"}, {"interface": "ai"}, {"builtin_pools": True}], ids=lambda o: str(*o.values())
)
def test_the_self_test_passes_where_int_has_16_bits(options: dict[str, Any], tmp_path: Path) -> None:
    library = tmp_path / "libraries" / "novelty"
    stillpool.compile(EXAMPLES / "novelty" / "novelty.tflite", **options).write(library, "arduino")
    sketch = tmp_path / "sketch" / "sketch.ino"
    sketch.parent.mkdir()
    sketch.write_text(SELF_TEST.format(name=next((library / "src").glob("*novelty.h")).stem))
    text = (library / "extras" / "test" / "test_novelty.c").read_text()
    (sketch.parent / "self_test.c").write_text(f"int self_test(void);\n#define main self_test\n{text}")
    firmware = built(sketch, tmp_path / "libraries", tmp_path / "build")
    assert "PASS: 3 samples" in said("simavr", "-m", "atmega2560", "-f", "16000000", firmware)


def test_the_sketch_of_the_library_runs(tmp_path: Path) -> None:
    library = tmp_path / "libraries" / "digits"
    stillpool.compile(EXAMPLES / "digits" / "digits.tflite").write(library, "arduino")
    firmware = built(library / "examples" / "digits" / "digits.ino", tmp_path / "libraries", tmp_path / "build")
    assert firmware.exists()
