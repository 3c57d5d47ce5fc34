"""`stillpool-opt` on what is wrong: one line with the place, no traceback, exit code 1; 2 for a wrong pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

from stillpool.cli import opt

ALLOC = """// A comment.
func.func @f(%n: index) {
  %b = memref.alloc() : memref<4xi8>
  func.return
}
"""


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["stillpool-opt", *arguments])
    with pytest.raises(SystemExit) as left:
        opt.main()
    captured = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, captured.out, captured.err


@pytest.mark.parametrize(
    ("text", "passes", "message"),
    [
        pytest.param(
            ALLOC,
            "emit-c",
            "m.mlir:3:3: error: 'memref.alloc' op of memref<4xi8> has no place in memory: the C code has no heap; "
            "run the pass usmp first",
            id="pass",
        ),
        pytest.param(
            ALLOC.replace("alloc()", "alloc(%n)").replace("<4x", "<?x"),
            "usmp",
            "m.mlir:3:3: error: 'memref.alloc' op buffer of type memref<?xi8> has a dynamic shape and cannot be "
            "planned",
            id="pass that loops over operations",
        ),
        pytest.param("\n  foo.bar\n", "", "m.mlir:3:1: error: Operation foo.bar is not registered", id="parser"),
        pytest.param(
            'func.func @f(%i: index) {\n  %x = "arith.addi"(%i, %i) : (index, index) -> i8\n  func.return\n}\n',
            "",
            "m.mlir:2:3: error: 'arith.addi' op result 'result' at position 0 does not verify: "
            "attribute index expected from variable 'T', but got i8",
            id="verifier",
        ),
        pytest.param(
            'func.func @f(%m: memref<4xi8>) {\n  %x = "memref.load"(%m) : (memref<4xi8>) -> i8\n  func.return\n}\n',
            "",
            "m.mlir:2:3: error: 'memref.load' op expected an index for each dimension",
            id="verifier that raises a bare Exception",
        ),
        pytest.param(
            ALLOC.replace(": memref<4xi8>\n", ': memref<4xi8> loc("model.py":7:9)\n'),
            "emit-c",
            "model.py:7:9: error: 'memref.alloc' op of memref<4xi8> has no place in memory: the C code has no heap; "
            "run the pass usmp first",
            id="location in the text",
        ),
    ],
)
def test_one_line(
    text: str,
    passes: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mlir").write_text(text)
    assert run(monkeypatch, capsys, "m.mlir", "-p", passes) == (1, "", f"{message}\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["-p", "nope"], 2, "Unrecognized passes: ['nope']"),
        (["-p", "usmp{overlap=banana}"], 2, "banana"),
        (["-p", "usmp{colour=red}"], 2, 'Provided arguments ["colour"]'),
        (["-p", "usmp{"], 2, "Expected argument name here"),
        (["no.mlir"], 1, "cannot read no.mlir: No such file or directory"),
    ],
)
def test_wrong_command(
    arguments: list[str], code: int, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    got, out, err = run(monkeypatch, capsys, *arguments)
    assert (got, out, err.count("\n")) == (code, "", 1)
    assert err.startswith("error: ")
    assert message in err


def test_unknown_suffix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "model.pt"
    file.touch()
    assert run(monkeypatch, capsys, str(file)) == (
        1,
        "",
        f"error: {file}: unknown kind of file; readable are .mlir, .tflite\n",
    )


def test_lines_of_split_input_are_those_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(f"func.func private @g()\n// -----\n{ALLOC}")
    code, _, err = run(monkeypatch, capsys, str(file), "--split-input-file", "-p", "emit-c")
    assert (code, err.split(" error:")[0]) == (1, f"{file}:5:3:")


def test_locations_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(ALLOC)
    monkeypatch.setattr("sys.argv", ["stillpool-opt", str(file), "--print-debuginfo", "-o", str(tmp_path / "out")])
    with pytest.raises(SystemExit):
        opt.main()
    assert f'memref.alloc() : memref<4xi8> loc("{file}":3:3)' in (tmp_path / "out").read_text()


def test_output_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "m.mlir", tmp_path / "out"
    file.write_text(f"func.func private @g()\n// -----\n{ALLOC}")
    out.write_text("before")
    code, _, _ = run(monkeypatch, capsys, str(file), "--split-input-file", "-p", "emit-c", "-o", str(out))
    assert (code, out.read_text()) == (1, "before")
    assert run(monkeypatch, capsys, str(file), "-o", "/dev/null") == (0, "", "")
    assert Path("/dev/null").is_char_device()


def test_a_bug_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.mlir"
    file.write_text(ALLOC)

    def broken(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(opt.StillpoolOpt, "apply_passes", broken)
    code, out, err = run(monkeypatch, capsys, str(file))
    assert (code, out, err.count("\n")) == (70, "", 1)
    assert err.startswith("error: internal error: KeyError: 'x'; please report this bug")
