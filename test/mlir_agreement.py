"""Modules through `mlir-opt`, then compiled by stillpool and by MLIR's own code generation, and called on one input."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import PassPipeline

from stillpool.driver import pipeline
from stillpool.frontends.mlir import LocatedParser
from stillpool.run.oracles import mlir_runner
from stillpool.universe import UNIVERSE

Array = np.ndarray
Agree = Callable[..., str]

_WARNINGS = "-Wall -Wextra -Wshadow -Werror -pedantic -Wno-unused-const-variable".split()


def through(text: str, passes: str) -> ModuleOp:
    """A module in upstream's syntax behind passes of stillpool."""
    module = LocatedParser(pipeline.context(), text, "test.mlir").parse_module()
    module.verify()
    PassPipeline.parse_spec(dict(UNIVERSE.all_passes), passes).apply(pipeline.context(), module)
    module.verify()
    return module


def to_c(text: str, passes: str = "usmp,emit-c") -> str:
    """What `stillpool-opt -p usmp,emit-c -t c` prints of a module."""
    stream = io.StringIO()
    pipeline.print_c(through(text, passes), stream)
    return stream.getvalue()


@pytest.fixture
def agree(tmp_path: Path) -> Agree:
    """`agree(text, passes, [array, ...])`: `mlir-opt` runs the passes (if any), then stillpool's C leaves the same
    bytes in the arrays as MLIR's code; gives the C. With `own` passes of stillpool make what MLIR runs;
    `known` are the arrays that it leaves.

    The function is the first one of the module; a pool is the argument after its own.
    """

    def run(text: str, passes: str, arrays: Sequence[Array], own: str = "", known: Sequence[Array] = ()) -> str:
        for tool in ("mlir-opt-22", "mlir-runner-22", "cc"):
            if shutil.which(tool) is None:
                pytest.skip(f"{tool} is not installed")
        if passes:
            command = ["mlir-opt-22", f"--pass-pipeline=builtin.module({passes})"]
            done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600)
            assert done.returncode == 0, done.stderr
            text = done.stdout
        name = text.split("func.func @")[1].split("(")[0]
        [[expected]] = mlir_runner.results(str(through(text, own)) if own else text, name, [arrays])
        for one, other in zip(expected, known, strict=bool(known)):
            np.testing.assert_array_equal(one, other)
        code = to_c(text)
        (tmp_path / "own.c").write_text(code)
        library = tmp_path / "own.so"
        done = subprocess.run(
            ["cc", "-std=c99", *_WARNINGS, "-O1", "-shared", "-fPIC", "own.c", "-o", str(library), "-lm"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{done.stderr}\n{code}"
        pool = np.full(1 << 16, 0xAA, np.uint8)
        [left] = mlir_runner.call(library, name, [[*arrays, pool]])
        got = left[: len(arrays)]
        assert any(not np.array_equal(*pair) for pair in zip(arrays, expected, strict=True)), "nothing is computed"
        for number, (one, other) in enumerate(zip(got, expected, strict=True)):
            np.testing.assert_array_equal(one, other, err_msg=f"argument {number}\n{code}")
        return code

    return run
