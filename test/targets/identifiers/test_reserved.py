"""The list of reserved names against what compilers on this machine say of the headers that emitted code includes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from stillpool.targets.identifiers import is_file_scope, is_header, is_word

HEADERS = "".join(f"#include <{name}.h>\n" for name in ("math", "stdbool", "stddef", "stdint", "string"))
COMPILERS = [
    ["gcc", "-std=c99"],
    ["gcc"],
    ["clang"],
    ["g++", "-x", "c++"],
    ["arm-none-eabi-gcc", "-std=c99"],
    ["arm-none-eabi-gcc"],
]


def _run(command: list[str], tmp_path: Path) -> str:
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    (tmp_path / "headers.c").write_text(HEADERS)
    command = [*command, str(tmp_path / "headers.c")]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout


def _foreign(names: set[str]) -> set[str]:
    """Without what begins with an underscore and a capital or another one: nobody's but the implementation's."""
    return {name for name in names if not re.match(r"_[_A-Z]", name)}


@pytest.mark.parametrize("compiler", COMPILERS, ids=" ".join)
def test_macros_of_the_headers(compiler: list[str], tmp_path: Path) -> None:
    text = _run([*compiler, "-dM", "-E"], tmp_path)
    macros = {name: bool(call) for name, call in re.findall(r"^#define (\w+)(\()?", text, re.MULTILINE)}
    assert "INT8_MAX" in macros
    # A macro that is only expanded in calls hurts no more than the library's function of that name.
    assert not {name for name in _foreign(set(macros)) if not (is_file_scope if macros[name] else is_word)(name)}


@pytest.mark.parametrize("compiler", COMPILERS, ids=" ".join)
def test_integer_types_of_the_headers(compiler: list[str], tmp_path: Path) -> None:
    text = _run([*compiler, "-E"], tmp_path)
    types = set(re.findall(r"\btypedef\b[^;{}()]*?\b(u?int\w*_t|size_t|ptrdiff_t|float_t|double_t);", text))
    assert {"int8_t", "uint64_t"} <= types
    assert not {name for name in types if not is_word(name)}


@pytest.mark.parametrize("compiler", [c for c in COMPILERS if "gcc" in c[0]], ids=" ".join)
def test_functions_of_the_headers(compiler: list[str], tmp_path: Path) -> None:
    _run([*compiler, "-fsyntax-only", "-aux-info", "declared"], tmp_path)
    declared = _foreign(set(re.findall(r"(\w+) \(", (tmp_path / "declared").read_text())))
    assert {"memmove", "expf"} <= declared
    # C keeps an underscore in front at file scope for the implementation.
    assert not {name for name in declared if not is_file_scope(name) and not name.startswith("_")}


@pytest.mark.parametrize("compiler", COMPILERS, ids=" ".join)
def test_files_that_the_headers_include(compiler: list[str], tmp_path: Path) -> None:
    """A header beside the emitted one, in the folder that stands first on the compiler's path."""
    text = _run([*compiler, "-M"], tmp_path)
    files = [Path(name) for name in text.replace("\\\n", " ").split() if name.endswith(".h")]
    # What is no identifier is no model's name either.
    stems = {file.stem for file in files if file.parent.name in ("include", "include-fixed")}
    shadowed = _foreign({stem for stem in stems if stem.isidentifier()})
    assert "stdint" in shadowed
    assert not {name for name in shadowed if not is_header(name)}


def test_ordinary_names_are_free() -> None:
    for name in ("input", "index_", "int8", "scores", "M_1", "t_t", "serving_default_x", "INT8", "time_t0", "FPS"):
        assert not is_word(name)
    for name in ("conv2d_0", "network", "fx_multiply", "digits"):
        assert not is_file_scope(name)
        assert not is_header(name)
