"""Every document that a verb prints keeps to the schema of that verb."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from json_schemas import validator
from jsonschema import Draft202012Validator, ValidationError

from stillpool.cli import VERBS, main
from stillpool.report.schemas import SCHEMA_VERSION, names, schema

pytestmark = pytest.mark.usefixtures("compiled_once")
ROOT = Path(__file__).resolve().parents[2]
DIGITS, NOVELTY = (str(ROOT / "examples" / name / f"{name}.tflite") for name in ("digits", "novelty"))


def printed(*arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and document of a verb with --json."""
    result = CliRunner().invoke(main, [*arguments, "--json"])
    return result.exit_code, json.loads(result.stdout)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two projects, and files of buffers."""
    folder = tmp_path_factory.mktemp("built")
    for name, io in (("a", "all"), ("b", "none")):
        arguments = ["compile", DIGITS, "-o", str(folder / name), "--workspace-io", io, "-q"]
        assert CliRunner().invoke(main, arguments).exit_code == 0
    (folder / "buffers.csv").write_text("id,lower,upper,size\n1,0,3,10\n2,1,2,20\n")
    return folder


CASES = [
    ("analyze", 0, (DIGITS,)),
    ("analyze", 0, (DIGITS, NOVELTY, "--concurrency", "concurrent")),
    ("analyze", 0, (DIGITS, "--explain-peak", "--constant-pool", "flash")),
    ("analyze", 0, (NOVELTY, "--target", "cortex-m4", "--pareto")),
    ("analyze", 3, (DIGITS, "--workspace-pool", "small:size=64")),
    ("compile", 0, (DIGITS, "-o", "{out}", "--double-buffer-inputs")),
    ("compile", 0, (DIGITS, "-o", "{out}", "--workspace-io", "none")),
    ("compile", 0, (DIGITS, NOVELTY, "-o", "{out}")),
    ("compile", 3, (DIGITS, "-o", "{out}", "--workspace-pool", "small:size=64")),
    ("diff", 0, ("{built}/a", "{built}/b")),
    ("diff", 0, ("{built}/a", "{built}/a")),
    ("diff", 1, ("{built}/a", "{built}/buffers.csv")),
    ("fit", 0, (DIGITS,)),
    ("fit", 0, (DIGITS, "--board", "esp32-s3-psram,esp32-s3-psram")),
    ("ops", 0, ()),
    ("ops", 0, (DIGITS,)),
    ("plan", 0, ("{built}/buffers.csv",)),
    ("profile", 2, (DIGITS,)),
    ("run", 0, (DIGITS,)),
    ("tune", 2, (DIGITS,)),
    ("tune", 0, ("--schedules", "{out}", "--export", "{out}.exported")),
    ("verify", 2, (DIGITS, "--cc", "gcc")),
]
"""Verb, exit code, arguments."""

EMULATED = [
    ("compile", 0, (DIGITS, "-o", "{out}", "--target", "cortex-m4", "--max-flash", "64K")),
    ("compile", 3, (DIGITS, "-o", "{out}", "--target", "cortex-m4", "--optimize", "size", "--max-flash", "1K")),
    ("fit", 0, (DIGITS, "--board", "single-sram-m4", "--optimize", "size")),
    ("profile", 0, (DIGITS, "--target", "cortex-m4", "--optimize", "size")),
    ("run", 0, (DIGITS, "--target", "cortex-m4", "--optimize", "size", "--max-stack", "4K")),
    ("tune", 0, (NOVELTY, "--target", "cortex-m4", "--trials", "2", "--jobs", "1", "--schedules", "{out}")),
]


def check(verb: str, code: int, arguments: tuple[str, ...], built: Path, out: Path) -> None:
    given = [argument.format(built=built, out=out / "project") for argument in arguments]
    exit_code, document = printed(verb, *given)
    assert exit_code == code, document
    assert document["schema"] == SCHEMA_VERSION
    assert ("error" in document) == (code != 0)
    validator(verb).validate(document)
    # No schema is so loose that it takes the documents of all verbs.
    strangers = [name for name in VERBS if name not in (verb, "compile") and code == 0]
    assert not [name for name in strangers if validator(name).is_valid(document)] or verb == "plan"


@pytest.mark.parametrize(("verb", "code", "arguments"), CASES)
def test_documents_keep_to_their_schemas(
    verb: str, code: int, arguments: tuple[str, ...], built: Path, tmp_path: Path
) -> None:
    check(verb, code, arguments, built, tmp_path)


@pytest.mark.parametrize(("verb", "code", "arguments"), EMULATED)
def test_documents_of_emulated_runs_keep_to_their_schemas(
    verb: str, code: int, arguments: tuple[str, ...], built: Path, tmp_path: Path
) -> None:
    pytest.importorskip("unicorn", reason="stillpool[emulate] is not installed")
    pytest.importorskip("elftools", reason="stillpool[emulate] is not installed")
    check(verb, code, arguments, built, tmp_path)


def test_what_verify_prints_keeps_to_its_schema(built: Path, tmp_path: Path) -> None:
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    check("verify", 0, (DIGITS, "--samples", "2"), built, tmp_path)


def test_every_verb_has_a_schema_that_is_one() -> None:
    assert set(names()) == {*VERBS, "manifest", "system", "error"}
    for name in names():
        Draft202012Validator.check_schema(schema(name))


def test_written_manifests_keep_to_their_schema(built: Path) -> None:
    document = json.loads((built / "a" / "manifest.json").read_text())
    validator("manifest").validate(document)
    del document["operators"][0]["position"]
    validator("manifest").validate(document)
    document["operators"][0]["macs"] = -1
    with pytest.raises(ValidationError):
        validator("manifest").validate(document)


def test_a_document_with_an_unknown_key_is_refused() -> None:
    _, document = printed("ops", DIGITS)
    with pytest.raises(ValidationError):
        validator("ops").validate({**document, "more": 1})
