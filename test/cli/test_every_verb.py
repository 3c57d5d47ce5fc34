"""Every verb on files that nobody should give it, and on good ones: exit codes, one line, one document, or silence."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from hostile_texts import MLIR
from json_schemas import validator

from stillpool.cli import VERBS, main, opt
from stillpool.report.schemas import SCHEMA_VERSION

NOVELTY = Path(__file__).resolve().parents[2] / "examples" / "novelty" / "novelty.tflite"
MODEL = NOVELTY.read_bytes()
ARGUMENTS = {
    "analyze": "{file}",
    "audit": "{file} --manifest {file.parent}",
    "compile": "{file} -o {out}",
    "diff": "{file} {file}",
    "fit": "{file} --board single-sram-m4",
    "ops": "{file}",
    "plan": "{file}",
    "profile": "{file} --target cortex-m4",
    "run": "{file}",
    "tune": "{file} --target cortex-m4 --trials 1 --jobs 1 --schedules {out}",
    "verify": "{file} --samples 1",
}
"""How every verb is given a file."""
HOSTILE: dict[str, bytes | None] = {
    "missing.tflite": None,
    "empty.tflite": b"",
    "zeros.tflite": b"\0" * 64,
    "ones.tflite": b"\xff" * 64,
    "head.tflite": MODEL[:8],
    "half.tflite": MODEL[: len(MODEL) // 2],
    "tail.tflite": MODEL[:4] + MODEL[200:],
    "far.tflite": b"\xff\xff\xff\x7fTFL3" + MODEL[8:],
    "text.tflite": b"# a model\n",
    "archive.tflite": b"PK\3\4" + b"\0" * 60,
    "archive.keras": b"PK\3\4" + b"\0" * 60,
    "graph.onnx": b"\x08\x07\x12\x07pytorch",
    "weights.h5": b"\x89HDF\r\n\x1a\n",
    "model.tflite.mlir": MODEL[:99],
    "cut.mlir": MLIR[: len(MLIR) // 2].encode(),
    "zero.mlir": b"\0",
    "empty.mlir": b"",
    "nothing": b"",
    "deep.json": b"[" * 100_000,
    "null.json": b"null",
    "half.csv": b"id,lower,upper,size\n1,",
    "\x1b[31mred.tflite": b"",
}
"""Files by name; None for one that is not there."""


def hostile(folder: Path, name: str) -> Path:
    file, data = folder / name, HOSTILE[name]
    if data is not None:
        file.write_bytes(data)
    return file


def given(verb: str, file: Path, folder: Path) -> list[str]:
    """The command line; parts of it may have blanks."""
    return [verb, *(word.format(file=file, out=folder / "out") for word in ARGUMENTS[verb].split())]


def test_every_verb_is_tried() -> None:
    assert set(ARGUMENTS) == set(VERBS)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_one_line_in_every_verb(name: str, tmp_path: Path) -> None:
    file = hostile(tmp_path, name)
    for verb in VERBS:
        done = CliRunner().invoke(main, [*given(verb, file, tmp_path), "--json"])
        assert done.exit_code in (1, 2, 3, 5), f"{verb} {done.exit_code}: {done.output[-600:]}"
        assert done.stderr.startswith("error: "), verb
        assert done.stderr.count("\n") == 1, done.stderr
        assert "\x1b" not in done.stderr
        document = json.loads(done.stdout)
        assert document["schema"] == SCHEMA_VERSION
        assert document["error"]["exit_code"] == done.exit_code
        validator("error" if document.keys() == {"schema", "error"} else verb).validate(document)
        assert not (tmp_path / "out").exists()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    for verb in VERBS:
        done = CliRunner().invoke(main, given(verb, tmp_path, tmp_path))
        assert (done.exit_code in (1, 2), done.stdout) == (True, ""), f"{verb}: {done.output[-600:]}"
        assert done.stderr.startswith("error: "), verb
        assert done.stderr.count("\n") == 1, done.stderr


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_one_line_in_stillpool_opt(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = hostile(tmp_path, name)
    monkeypatch.setattr("sys.argv", ["stillpool-opt", "-p", "lower-nn,usmp", str(file)])
    with pytest.raises(SystemExit) as left:
        opt.main()
    captured = capsys.readouterr()
    assert (left.value.code in (1, 2, 5), captured.out) == (True, ""), captured.err
    assert "error: " in captured.err
    assert captured.err.count("\n") == 1, captured.err


@pytest.mark.parametrize(
    "words",
    ["run {file} --seed -1", "run {file} --nonsense", "ops {file} more", "plan", "nonsense", "compile {file} --emit x"],
)
def test_wrong_usage_is_one_line_and_a_document(words: str) -> None:
    arguments = words.format(file=NOVELTY).split()
    plain = CliRunner().invoke(main, arguments)
    assert (plain.exit_code, plain.stdout) == (2, "")
    assert plain.stderr.startswith("error: ")
    assert plain.stderr.count("\n") == 1, plain.stderr
    done = CliRunner().invoke(main, [*arguments, "--json"])
    assert (done.exit_code, done.stderr) == (2, plain.stderr)
    validator("error").validate(json.loads(done.stdout))


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file for every verb that does not read models."""
    folder = tmp_path_factory.mktemp("good")
    csv, manifest = folder / "b.csv", folder / "project" / "manifest.json"
    csv.write_text("id,lower,upper,size\n1,0,3,10\n")
    assert CliRunner().invoke(main, ["compile", str(NOVELTY), "-o", str(manifest.parent)]).exit_code == 0
    program = manifest.parent / "program"
    sources = [*(manifest.parent / "src").glob("*.c"), *(manifest.parent / "test").glob("*.c")]
    subprocess.run(["cc", f"-I{manifest.parent / 'include'}", *sources, "-o", program, "-lm"], check=True)
    return {"plan": csv, "diff": manifest, "audit": program}


@pytest.mark.parametrize(
    "verb",
    [pytest.param(verb, marks=pytest.mark.extra("emulate")) for verb in ("audit", "fit", "profile", "tune")]
    + [pytest.param("verify", marks=pytest.mark.extra("verify"))]
    + [verb for verb in VERBS if verb not in ("audit", "fit", "profile", "tune", "verify")],
)
def test_quiet_is_silent_where_all_is_well(verb: str, good: dict[str, Path], tmp_path: Path) -> None:
    done = CliRunner().invoke(main, [*given(verb, good.get(verb, NOVELTY), tmp_path), "-q"])
    assert (done.exit_code, done.output) == (0, "")
