"""Emitted C is clean under strict warnings in three compilers and every dialect, and its lines are short."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import stillpool
from stillpool.targets.c.folding import WIDTH, folded, folded_text

DIGITS = Path(__file__).parents[2] / "examples" / "digits" / "digits.tflite"
MODELS = Path(__file__).resolve().parents[3] / "shared" / "models"
WARNINGS = (
    "-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wcast-align -Wcast-qual -Wundef -Wdouble-promotion "
    "-pedantic -Werror -fsyntax-only"
).split()
C = "-x c -Wstrict-prototypes"
ARM = "-mcpu=cortex-m4 -mthumb"
COMPILERS = {
    "gcc": [f"{C} -std=c99", f"{C} -std=c11", "-x c++ -std=c++11", "-x c++ -std=c++20"],
    "clang": [f"{C} -std=c99", f"{C} -std=c11", "-x c++ -std=c++11", "-x c++ -std=c++20"],
    "arm-none-eabi-gcc": [f"{C} {ARM} -std=c99", f"{C} {ARM} -std=c11", f"-x c++ {ARM} -std=c++17"],
}
CASES: dict[str, dict[str, Any]] = {
    "native": {"shims": ["table", "cpp", "packed"], "poison": True},
    "tvm": {"interface": "tvm", "target": "cortex-m4", "optimize": "speed", "rows": "on"},
    "ai": {"interface": "ai", "rows": "on"},
    "x-cube-ai": {"interface": "x-cube-ai", "rows": "on"},
    "stream": {"stream_input": "image"},
}


def emitted(folder: Path, model: Path, **options: Any) -> dict[str, bytes]:
    """The code of a model, also as files in `folder`."""
    code = stillpool.compile(model, planner_seconds=0.05, **options).code
    for path, data in code.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    return code


def clean(folder: Path, code: dict[str, bytes]) -> None:
    """No compiler that is installed warns of the sources, in any dialect."""
    sources = sorted(path for path in code if path.endswith(".c"))
    for compiler, dialects in COMPILERS.items():
        for dialect in dialects if shutil.which(compiler) else ():
            command = [compiler, *dialect.split(), *WARNINGS, "-Iinclude", *sources]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            # Some cross compilers come without C++.
            if "cc1plus" not in done.stderr:
                assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr}"


def short(code: dict[str, bytes]) -> None:
    """No line has too many columns."""
    for path, data in code.items():
        for number, line in enumerate(data.decode().splitlines(), 1):
            assert len(line) <= WIDTH, f"{path}:{number}: {line}"


@pytest.mark.parametrize("case", CASES)
def test_strict_warnings_and_short_lines(case: str, tmp_path: Path) -> None:
    code = emitted(tmp_path, DIGITS, **CASES[case])
    short(code)
    clean(tmp_path, code)


@pytest.mark.sweep
@pytest.mark.parametrize("model", ["kws_int8", "resnet8_float", "trained_lstm_int8"])
@pytest.mark.parametrize("case", ["native", "tvm", "ai"])
def test_larger_models(case: str, model: str, tmp_path: Path) -> None:
    if not (MODELS / f"{model}.tflite").exists():
        pytest.skip("the models are not beside the repository")
    code = emitted(tmp_path, MODELS / f"{model}.tflite", **CASES[case])
    short(code)
    clean(tmp_path, code)


def test_the_self_test_has_short_lines_too() -> None:
    short({path: data for path, data in stillpool.compile(DIGITS).files.items() if path.startswith("test/")})


LONG = "word" * 8
LINES = {
    f"  call({LONG}, f({LONG}, {LONG}), {LONG});": f"  call({LONG}, f({LONG}, {LONG}),\n      {LONG});",
    f'  printf("{"a, b " * 15}", {LONG});': f'  printf("{"a, b " * 15}",\n      {LONG});',
    f'  puts("/* {"no comment " * 10}");': f'  puts("/* {"no comment " * 10}");',
    f"/* {'word ' * 25}*/": f"/* {('word ' * 23).rstrip()}\n * word word */",
    f"#define A 1 /* {'word ' * 25}*/": f"#define A 1 /* {('word ' * 21).rstrip()}\n    {'word ' * 4}*/",
    f"#define A {'1 + ' * 40}1": f"#define A {'1 + ' * 40}1",
    f"  int32_t a = {LONG} + {LONG} + {LONG} * {LONG};": f"  int32_t a = {LONG} + {LONG} + {LONG} *\n      {LONG};",
    f"{'1, ' * 40}\\": f"{'1, ' * 40}\\",
}


@pytest.mark.parametrize("line", LINES)
def test_long_lines_are_broken_where_readers_would(line: str) -> None:
    assert "\n".join(folded(line)) == LINES[line]


def test_comments_are_wrapped_as_a_whole() -> None:
    words = ("word " * 24).rstrip()
    assert folded_text(f"/* {words}\n * and more. */") == f"/* {('word ' * 23).rstrip()}\n * word and more. */"
    assert folded_text(f"/* {words}.\n * Next. */") == f"/* {('word ' * 23).rstrip()}\n * word.\n * Next. */"
    assert folded_text(f"/* {words}\n */") == f"/* {('word ' * 23).rstrip()}\n * word\n */"


def test_what_a_comment_to_the_end_of_its_line_says_is_no_code() -> None:
    """As code of other packages has it: the next line would be."""
    call, words = "  sum += first[0];", " ".join(["word"] * 30)
    assert folded(f"{call} // {words}") == [call, f"      // {words}"]
    assert folded(f"{call}//{words}") == ["  sum +=", f"      first[0];//{words}"]
