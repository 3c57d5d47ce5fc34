"""Hostile models through every verb, in this process: an answer, or one error that says whose fault it is."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from small_models import Parts
from test_unfolding import branching, cyclic
from tflite_build import Operator, Tensor, constant, one_operator, options, write_model

from stillpool.cli import main

VERBS = {
    "ops": (),
    "analyze": (),
    "verify": ("--samples", "1"),
    "run": (),
    "fit": ("--board", "single-sram-m4"),
    "profile": ("--target", "cortex-m4"),
    "compile": ("--emit", "c"),
}
SECONDS = 30
CASES = Path(__file__).parents[2].resolve().parent / "shared" / "cases"

NAMES = (
    *(
        "/*",
        "*/",
        "{}",
        "_",
        "123",
        "é",
        "日本",
        "",
        '"',
        "a\nb",
        "%s%n",
        "\\",
        "../../x",
        "??/",
        "@f",
        " ",
        "#if",
        "-",
    ),
    *("a,b", "$", ".", "int", "NULL", "INT8_MAX", "main", "_3", "a_", "0_", "__", "//", "\x7f", "\u202e", "'", "<x>"),
    *("workspace", "state", "inputs", "pools", "run", "x" * 5000),
)


def attempt(verb: str, file: Path, *options: str) -> int:
    """Run a verb; anything but an answer or an error in words fails."""
    start = time.process_time()
    done = CliRunner().invoke(main, [verb, str(file), *options])
    assert done.exit_code in (0, 1, 2, 3, 5), f"{verb} {done.exit_code}: {done.stderr[-800:]}"
    assert "Traceback" not in done.stderr
    assert time.process_time() - start < SECONDS
    if done.exit_code == 1:
        assert done.stderr.count("\n") == 1, done.stderr
    return done.exit_code


def named(name: str) -> bytes:
    """A small network in which everything bears one name."""
    ones = np.ones((3, 4), np.float32)
    tensors = [
        Tensor((1, 4), "float32", name=name),
        *(Tensor(d.shape, "float32", data=d, name=name) for d in (ones, ones[:, 0])),
    ]
    tensors += [Tensor((1, 3), "float32", name=name)] * 2
    operators = [Operator("FULLY_CONNECTED", [0, 1, 2], [3], options("FullyConnected")), Operator("RELU", [3], [4])]
    return write_model(tensors, operators, [0], [4])


def shaped(opcode: str, table: str, operands: list[Tensor], **fields: int) -> bytes:
    """One operator of a dynamic model, whose result's shape is to be found."""
    return one_operator(opcode, options(table, **fields), operands, Tensor((1,), "float32"))


def many_dimensions() -> bytes:
    return shaped("ABS", "Abs", [Tensor((1,) * 65, "float32")])


def huge_constant() -> bytes:
    parts = Parts()
    parts.tensors[1] = Tensor((0, 2**31 - 1, 2**31 - 1, 2), "int8", (0.5,), (0,), data=np.zeros(0, np.int8))
    return parts.write()


def far_window() -> bytes:
    parts = Parts()
    made = options("Conv2D", padding=0, strideW=1, strideH=1, dilationHFactor=2**31 - 1, dilationWFactor=2**31 - 1)
    parts.operators[0] = Operator("CONV_2D", [0, 1, 2], [3], made)
    parts.tensors[3] = Tensor((1, 4, 4, 3), "int8", (2.0,), (-5,))
    return parts.write()


def to_many_dimensions() -> bytes:
    shape = constant(np.ones(70, np.int32))
    return shaped("BROADCAST_TO", "BroadcastTo", [Tensor((1,), "float32"), shape])


def flex() -> bytes:
    return one_operator("CUSTOM FlexErf", b"", [Tensor((4,), "float32")], Tensor((4,), "float32"))


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "doubling": (lambda: branching(20, shared=True), "stands for 2097151 operators"),
    "deep": (lambda: branching(300, shared=False), "nested 300 deep"),
    "cyclic": (cyclic, "runs itself"),
    "many dimensions": (many_dimensions, "has 65 dimensions, more than 32"),
    "result of many dimensions": (to_many_dimensions, "BROADCAST_TO"),
    "empty constant of a huge shape": (huge_constant, "has more than 2147483647 bytes"),
    "far window": (far_window, "beyond 2147483647 elements"),
    "operator of Flex": (flex, "SELECT_TF_OPS"),
    "no model": (lambda: b"\x08\x07\x12\x07pytorch", "ONNX"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_every_verb_refuses_alike(case: str, tmp_path: Path) -> None:
    build, expected = REFUSED[case]
    file = tmp_path / "net.tflite"
    file.write_bytes(build())
    for verb, options_ in VERBS.items():
        if verb == "ops":
            attempt(verb, file)
            continue
        done = CliRunner().invoke(main, [verb, str(file), *options_])
        assert done.exit_code in (1, 5), f"{verb} {done.exit_code}: {done.stderr[-600:]}"
        assert expected in done.stderr, verb


@pytest.mark.parametrize("block", range(4))
def test_any_name_will_do(block: int, tmp_path: Path) -> None:
    for number, name in enumerate(NAMES[block::4]):
        file = tmp_path / f"{number}.tflite"
        file.write_bytes(named(name))
        assert attempt("compile", file, "--emit", "c") == 0, name
        assert attempt("analyze", file) == 0 if number % 4 == 0 else True, name


def test_an_input_shape_that_does_not_fit_is_not_the_files_fault(tmp_path: Path) -> None:
    file = tmp_path / "net.tflite"
    file.write_bytes(Parts().write())
    done = CliRunner().invoke(main, ["compile", str(file), "--emit", "nn", "--input-shape", "x=1,4,4,5"])
    assert done.exit_code == 2
    assert "input shape x=1,4,4,5 does not fit" in done.stderr
    assert "malformed" not in done.stderr


@pytest.mark.parametrize("verb", ["ops", "compile"])
def test_cases_beside_the_repository(verb: str, tmp_path: Path) -> None:
    if not CASES.is_dir():
        pytest.skip("the cases are not beside the repository")
    for path in sorted(CASES.glob("*.tflite")):
        if "16384" in path.name or "8192" in path.name:
            continue
        shutil.copy(path, tmp_path / path.name)
        attempt(verb, tmp_path / path.name, *(("--emit", "nn") if verb == "compile" else ()))
