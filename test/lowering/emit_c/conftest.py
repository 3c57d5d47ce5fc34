"""Run a level 2 module three ways.

The oracle is what MLIR's own passes make of it. The C of `emit-c` is printed twice: by stillpool and, as C++, by
upstream's `mlir-translate`.
"""

from __future__ import annotations

import ctypes
import io
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.printer import Printer
from xdsl.universe import Universe

from stillpool.lowering.emit_c import EmitCPass

Array = np.ndarray
Check = Callable[..., None]

_TO_LLVM = (
    "expand-strided-metadata",
    "lower-affine",
    "arith-expand",
    "convert-scf-to-cf",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1}",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
)
_WARNINGS = "-Wall -Wextra -Wconversion -Wshadow -Werror -pedantic".split()


def _tool(*arguments: str, text: str | None = None) -> str:
    done = subprocess.run(arguments, input=text, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stderr}\n{text}"
    return done.stdout


def _needs(*tools: str) -> None:
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


def parse(text: str) -> ModuleOp:
    """Parse and verify a module in a fresh context."""
    context = Context()
    for name, factory in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, factory)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def lower(text: str, *before: ModulePass) -> ModuleOp:
    """The module after some passes and `emit-c`, verified."""
    module = parse(text)
    for one in (*before, EmitCPass()):
        one.apply(Context(), module)
    module.verify()
    return module


def print_c(module: ModuleOp) -> str:
    """The text that `-t c` prints."""
    stream = io.StringIO()
    Universe.get_multiverse().all_targets["c"]()().emit(Context(), module, stream)
    return stream.getvalue()


def _library(path: Path, *command: str) -> ctypes.CDLL:
    _tool(*command, "-shared", "-Wl,-Bsymbolic", "-fPIC", "-O1", "-o", str(path))
    return ctypes.CDLL(str(path))


def _by_llvm(text: str, folder: Path) -> ctypes.CDLL:
    """The module lowered by MLIR's own passes."""
    with_main = text + "\nfunc.func @nothing() { func.return }\n"
    lowered = _tool("mlir-opt-22", f"--pass-pipeline=builtin.module({','.join(_TO_LLVM)})", text=with_main)
    (folder / "llvm.mlir").write_text(lowered)
    target = folder / "llvm.o"
    run = ["mlir-runner-22", str(folder / "llvm.mlir"), "-e", "nothing", "--entry-point-result=void"]
    _tool(*run, "--dump-object-file", f"--object-filename={target}")
    return _library(folder / "llvm.so", "gcc", str(target), "-lm")


def _by_own_printer(module: ModuleOp, folder: Path, warnings: Sequence[str]) -> ctypes.CDLL:
    source = folder / "own.c"
    source.write_text(print_c(module))
    # Public functions have no prototype here: a header is the driver's matter.
    if shutil.which("clang") is not None:
        _tool("clang", "-std=c99", "-fsyntax-only", *warnings, str(source))
    return _library(folder / "own.so", "gcc", "-std=c99", *warnings, str(source), "-lm")


def _by_upstream_printer(module: ModuleOp, folder: Path) -> ctypes.CDLL:
    stream = io.StringIO()
    Printer(stream, print_generic_format=True).print_op(module)
    checked = _tool("mlir-opt-22", "--allow-unregistered-dialect", text=stream.getvalue())
    source = folder / "upstream.cpp"
    source.write_text(f'extern "C" {{\n{_tool("mlir-translate-22", "--mlir-to-cpp", text=checked)}\n}}\n')
    return _library(folder / "upstream.so", "g++", "-w", str(source), "-lm")


def _call(library: ctypes.CDLL, function: str, arrays: list[Array]) -> list[Array]:
    copies = [array.copy() for array in arrays]
    getattr(library, function)(*(ctypes.c_void_p(copy.ctypes.data) for copy in copies))
    return copies


def _equal(a: Array, b: Array) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """`check(text, {function: [array, ...]})`: all ways leave the same values in the arrays.

    `oracle_text` replaces the text for MLIR, where its lowering cannot do something. `warn` makes every warning of the
    C compiler an error.
    """

    def run(text: str, calls: dict[str, list[Array]], oracle_text: str | None = None, *, warn: bool = True) -> None:
        _needs("mlir-opt-22", "mlir-translate-22", "mlir-runner-22", "gcc", "g++")
        module = lower(text)
        oracle = _by_llvm(oracle_text or text, tmp_path)
        ways = {
            "upstream": _by_upstream_printer(module, tmp_path),
            "own": _by_own_printer(module, tmp_path, _WARNINGS if warn else ["-w"]),
        }
        for function, arrays in calls.items():
            expected = _call(oracle, function, arrays)
            assert not all(_equal(*pair) for pair in zip(arrays, expected, strict=True)), f"@{function} does nothing"
            for way, library in ways.items():
                for index, (a, b) in enumerate(zip(expected, _call(library, function, arrays), strict=True)):
                    np.testing.assert_array_equal(b, a, err_msg=f"{way}: @{function}, argument {index}")

    return run


@pytest.fixture
def c_text() -> Callable[..., str]:
    """`c_text(module, *passes)`: what these, `-p emit-c` and `-t c` print."""
    return lambda text, *before: print_c(lower(text, *before))
