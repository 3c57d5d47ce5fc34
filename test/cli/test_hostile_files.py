"""Files that never end, wait, lie about their size or hold what no text can: one line and no bug's exit code."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from stillpool.cli import main, opt

DIGITS = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"
MANIFEST = {
    "schema": 1,
    "model": "m",
    "pools": [{"name": "p", "kind": "workspace", "bytes": 8}],
    "buffers": [{"name": "a", "pool": "p", "offset": 0, "bytes": 8}],
    "operators": [{"index": 0, "name": "a", "op": "RELU", "macs": 4}],
    "code": {"weights_bytes": 0},
}
READERS: Mapping[str, Callable[[str], list[str]]] = {
    "model": lambda file: ["analyze", file],
    "operators": lambda file: ["ops", file],
    "MLIR": lambda file: ["compile", file, "--emit", "c"],
    "buffers as CSV": lambda file: ["plan", file],
    "manifest": lambda file: ["diff", file, file],
    "cycles": lambda file: ["profile", str(DIGITS), "--from", file],
    "pools": lambda file: ["analyze", str(DIGITS), "--pool-file", file],
    "board": lambda file: ["fit", str(DIGITS), "--board", file],
    "project": lambda file: ["compile", "-c", file],
    "schedules": lambda file: ["analyze", str(DIGITS), "--schedules", file, "--target", "cortex-m4"],
    "C source": lambda file: ["analyze", str(DIGITS), "--external", "softmax=f", "--external-source", file],
    "array": lambda file: ["run", str(DIGITS), "--input", file],
    "program": lambda file: ["audit", file, str(DIGITS)],
}
SUFFIXES = {"MLIR": ".mlir", "board": ".toml", "C source": ".c"}


def refused(*arguments: str) -> str:
    """Run the command, which must refuse its input in one line."""
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code in (1, 2), f"{done.exit_code}: {done.stderr}"
    assert done.stderr.startswith("error: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("kind", ["zeros", "pipe"])
def test_no_regular_file(reader: str, kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"file{SUFFIXES.get(reader, '')}"
    if kind == "zeros":
        file.symlink_to("/dev/zero")
    else:
        os.mkfifo(file)
    said = refused(*READERS[reader](str(file)))
    if reader != "program":
        assert "is no regular file; write what it holds to a file" in said


@pytest.mark.parametrize("kind", ["zeros", "pipe"])
def test_stillpool_opt(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.mlir"
    if kind == "zeros":
        file.symlink_to("/dev/zero")
    else:
        os.mkfifo(file)
    monkeypatch.setattr("sys.argv", ["stillpool-opt", str(file)])
    with pytest.raises(SystemExit) as left:
        opt.main()
    assert left.value.code == 1
    assert "is no regular file" in capsys.readouterr().err


HEADERS = {
    "cut short": ("{'descr': '|i1', 'fortran_order': False, 'shape': (1,8,8, }", "cannot read"),
    "93 GiB": (
        "{'descr': '|i1', 'fortran_order': False, 'shape': (100000000000,), }",
        "100000000000 bytes, 64 are there",
    ),
    "beyond 64 bits": (f"{{'descr': '<f8', 'fortran_order': True, 'shape': ({10**30}, {10**30}), }}", "64 are there"),
    "negative": ("{'descr': '|i1', 'fortran_order': False, 'shape': (-1,), }", "no array of numbers"),
    "nothing": ("{'descr': '|V0', 'fortran_order': False, 'shape': (100000000000,), }", "no array of numbers"),
    "objects": ("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "no array of numbers"),
    "deep": ("(" * 3000, "cannot read"),
    "code": ("__import__('os').abort()", "cannot read"),
    "long": ("1" * 5000, "cannot read"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_array_headers(name: str, tmp_path: Path) -> None:
    header, words = HEADERS[name]
    text = header.encode() + b"\n"
    file = tmp_path / "x.npy"
    file.write_bytes(b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text + bytes(64))
    assert words in refused("run", str(DIGITS), "--input", str(file))


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_are_read_as_numpy_does(order: str, tmp_path: Path) -> None:
    from stillpool.run.arrays import read_array

    file = tmp_path / "x.npy"
    for shape in ((2, 3, 4), (0, 2), ()):
        array = np.asarray(np.random.default_rng(0).integers(-99, 99, shape, np.int16), order=order)  # type: ignore[call-overload]
        np.save(file, array)
        assert np.array_equal(read_array(file), np.load(file))
        assert read_array(file).dtype == array.dtype


NOT_NUMBERS = {
    **{"text": '"8"', "null": "null", "infinity": "Infinity", "not a number": "NaN", "1e999": "1e999"},
    **{"float": "8.5", "long": "9" * 30, "true": "true", "list": "[8]"},
}


@pytest.mark.parametrize("number", NOT_NUMBERS)
@pytest.mark.parametrize("where", ["bytes", "offset", "macs", "weights_bytes"])
def test_manifests_with_other_values(number: str, where: str, tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    text = json.dumps(MANIFEST)
    for value in (0, 4, 8):
        text = text.replace(f'"{where}": {value}', f'"{where}": {NOT_NUMBERS[number]}')
    file.write_text(text)
    said = refused("diff", str(file), str(file))
    assert "is a damaged manifest" in said or "is no JSON" in said
    if where == "macs":
        refused("profile", str(file), "--from", str(file))


def test_cycles_of_more_than_64_bits(tmp_path: Path) -> None:
    manifest, cycles = tmp_path / "manifest.json", tmp_path / "cycles.txt"
    manifest.write_text(json.dumps(MANIFEST))
    for digits in (20, 400, 5000):
        cycles.write_text(f"0 {'9' * digits}\n")
        assert "is not a position and its cycles" in refused("profile", str(manifest), "--from", str(cycles))
    cycles.write_bytes(b"\xef\xbb\xbf0 17\r\n")
    done = CliRunner().invoke(main, ["profile", str(manifest), "--from", str(cycles)])
    assert (done.exit_code, "17" in done.stdout) == (0, True)


@pytest.mark.parametrize("count", [1, 1500])
@pytest.mark.parametrize(("lower", "upper", "size"), [(0, 9, 10**25), (0, 9, 2**62), (-(10**25), 10**25, 1)])
def test_placement_beyond_64_bits(count: int, lower: int, upper: int, size: int, tmp_path: Path) -> None:
    file = tmp_path / "b.csv"
    file.write_text("id,lower,upper,size\n" + "".join(f"{n},{lower},{upper},{size}\n" for n in range(count)))
    assert "1152921504606846976" in refused("plan", str(file))


@pytest.mark.parametrize("count", [1, 1500])
def test_capacity_beyond_64_bits(count: int, tmp_path: Path) -> None:
    file = tmp_path / "b.csv"
    file.write_text("id,lower,upper,size\n" + "".join(f"{n},{n},{n + 2},4\n" for n in range(count)))
    done = CliRunner().invoke(main, ["plan", str(file), "--capacity", str(10**25)])
    assert done.exit_code == 2
    assert "no number below 2**63" in done.stderr


def test_half_a_character_in_json(tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text('{"buffers": [{"id": "b\\ud800", "size": 8, "pools": ["a"], "conflicts": []}]}')
    assert "half of a character" in refused("plan", str(file))
    file.write_text('{"buffers": [{"id": "\\ud83d\\ude00", "size": 8, "pools": ["a"], "conflicts": []}]}')
    assert CliRunner().invoke(main, ["plan", str(file)]).exit_code == 0


def test_open_quote_in_cc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "gcc 'a")
    assert "the variable CC is no command: No closing quotation" in refused("run", str(DIGITS), "-q")


ONE_AFTER_THE_OTHER = """\
import sys
from stillpool.console import stillpool
words = sys.argv[1:]
while words:
    end = words.index("then")
    sys.argv[1:], words = words[:end], words[end + 1 :]
    try:
        stillpool()
    except SystemExit as ended:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stderr.buffer.write(b"\\0%d\\0" % (ended.code or 0))
"""


def started(*commands: Sequence[bytes], **environment: str) -> list[tuple[int, bytes]]:
    """Commands in a process of their own: an encoding belongs to a process. Their exit codes and standard errors."""
    words = [word for command in commands for word in (*command, b"then")]
    command = [sys.executable, "-c", ONE_AFTER_THE_OTHER, *words]
    done = subprocess.run(command, capture_output=True, env={**os.environ, **environment}, check=False)
    *told, rest = done.stderr.split(b"\0")
    assert (done.returncode, rest) == (0, b""), rest
    return [(int(code), errors) for errors, code in zip(told[::2], told[1::2], strict=True)]


@pytest.mark.parametrize(
    "environment",
    [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "latin-1"}],
)
def test_names_that_are_not_utf8(environment: dict[str, str], tmp_path: Path) -> None:
    named = os.fsencode(tmp_path) + b"/n\xff\xc3\xa9\xe2\x82\xac.tflite"
    Path(os.fsdecode(named)).write_bytes(DIGITS.read_bytes())
    analyzed, compiled, misnamed, missing = started(
        (b"analyze", named),
        (b"compile", named, b"-o", os.fsencode(tmp_path) + b"/o\xff"),
        (b"analyze", named, b"--name", b"n\xff"),
        (b"analyze", named + b"x"),
        **environment,
    )
    assert (analyzed[0], compiled[0]) == (0, 0), (analyzed, compiled)
    assert misnamed[0] == 2
    assert b"of name is not UTF-8" in misnamed[1]
    assert (missing[0], missing[1].count(b"\n")) == (1, 1), missing
    written = next(Path(os.fsdecode(os.fsencode(tmp_path) + b"/o\xff")).glob("manifest.json"))
    assert json.loads(written.read_text(encoding="utf-8"))["source"]["file"].endswith(".tflite")


def test_reading_what_never_ends_takes_no_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    refused("analyze", "/dev/zero")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
