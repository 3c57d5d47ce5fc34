"""What an option asks for is done or refused, never ignored."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from stillpool.cli import main

SINH = Path(__file__).parents[2] / "examples" / "custom" / "sinh.c"
MODEL = str(Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite")


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["compile", MODEL, *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_the_header_says_the_section_of_a_pool_that_the_application_places(tmp_path: Path) -> None:
    code, _, err = invoke("-o", str(tmp_path / "d"), "--workspace-pool", "dtcm:size=64K,align=32,section=.dtcm")
    assert code == 0, err
    assert '#define DIGITS_DTCM_POOL_SECTION ".dtcm"' in (tmp_path / "d/include/digits.h").read_text()


def test_a_built_in_pool_is_in_its_section(tmp_path: Path) -> None:
    code, _, err = invoke("-o", str(tmp_path / "d"), "--workspace-pool", "dtcm:section=.dtcm", "--builtin-pools")
    assert code == 0, err
    assert "POOL_SECTION" not in (tmp_path / "d/include/digits.h").read_text()
    assert any('section(".dtcm")' in file.read_text() for file in (tmp_path / "d/src").iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--board", "cortex-m7", "--workspace-pool", "sram"],
            "--board cortex-m7 and workspace pool 'sram' both say which workspace pools there are",
        ),
        (
            ["--board", "cortex-m7", "--constant-pool", "spi"],
            "--board cortex-m7 and constant pool 'spi' both say which constant pools there are",
        ),
        (["--concurrency", "concurrent"], "concurrency 'concurrent' has no effect on one model"),
        (["--keep-inputs", "--workspace-io", "outputs"], "belong to the caller: --keep-inputs has no effect"),
        (["--custom-source", str(SINH)], "no model has custom operators: --custom-source has no effect"),
    ],
)
def test_options_without_effect_are_refused(tmp_path: Path, arguments: list[str], words: str) -> None:
    code, out, err = invoke("-o", str(tmp_path / "d"), *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert not (tmp_path / "d").exists()


def test_a_seed_is_not_negative() -> None:
    result = CliRunner().invoke(main, ["run", MODEL, "--seed", "-1"])
    assert result.exit_code == 2
    assert "-1 is not in the range" in result.stderr


def test_a_pin_that_fits_nothing_names_close_tensors(tmp_path: Path) -> None:
    arguments = ("-o", str(tmp_path / "d"), "--workspace-pool", "sram", "--pin", "imagee=sram")
    code, _, err = invoke(*arguments)
    assert code == 1
    assert "imagee" in err
    assert "image" in err.replace("imagee", "")
    assert "scores" not in err
