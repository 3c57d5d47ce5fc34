"""Reference for `.mlir` files: MLIR's own code generation runs the module of memrefs.

`mlir-opt` lowers the module to LLVM, `mlir-runner` makes an object file of it, the system's C compiler links it to a
library, and a process of its own calls that on arrays.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import TimeoutExpired

import numpy as np

from ...errors import InputError
from .. import process
from ..host import find_compiler
from ..samples import Array
from ..undisturbed import temporary_folder
from .oracle import OracleMissing, OracleTooSlow

WORDS = "mlir-runner"
"""The oracle, for people."""

OUR_LOOPS = "mlir-runner, from the loops that stillpool made"
"""The oracle where a module holds operations that MLIR does not know: it judges plan and C, not how loops were made."""

VERSIONS = ("-22", "")
"""Suffixes of the names under which MLIR's tools are looked for."""

TO_LLVM = (
    *("expand-strided-metadata", "lower-affine", "convert-vector-to-scf", "convert-scf-to-cf", "arith-expand"),
    *("lower-affine", "convert-vector-to-llvm", "convert-math-to-llvm", "convert-math-to-libm"),
    *("finalize-memref-to-llvm", "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1}", "convert-arith-to-llvm"),
    *("convert-index-to-llvm", "convert-cf-to-llvm", "convert-ub-to-llvm", "reconcile-unrealized-casts"),
)
"""MLIR's passes; memrefs become pointers, as in C."""

_MAIN = "stillpool_nothing"

_CALL = """
import ctypes, io, sys, numpy
library, function, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
arrays = numpy.load(io.BytesIO(sys.stdin.buffer.read()))
call = getattr(ctypes.CDLL(library), function)
call.restype = None
arrays = {name: arrays[name].copy() for name in arrays.files}
pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays.values()]
for first in range(0, len(pointers), count):
    call(*pointers[first : first + count])
packed = io.BytesIO()
numpy.savez(packed, **arrays)
sys.stdout.buffer.write(packed.getvalue())
"""


class MlirMissing(OracleMissing):
    """MLIR's tools are not installed."""


def library(text: str, folder: Path) -> Path:
    """Compile a module, in upstream's syntax, to a shared library in `folder`.

    Raises:
        MlirMissing: `mlir-opt` or `mlir-runner` is not installed.
        InputError: they, or the C compiler, refuse the module.
    """
    opt, runner = find("mlir-opt"), find("mlir-runner")
    pipeline = f"--pass-pipeline=builtin.module({','.join(TO_LLVM)})"
    unregistered = "--allow-unregistered-dialect"
    lowered = folder / "lowered.mlir"
    lowered.write_text(_with_main(_run([opt, unregistered, pipeline], text)))
    target, made = folder / "module.o", folder / "module.so"
    main = ["-e", _MAIN, "--entry-point-result=void"]
    helpers = _helpers(runner)
    shared = [f"--shared-libs={helper}" for helper in helpers]
    _run([runner, str(lowered), *main, *shared, "--dump-object-file", f"--object-filename={target}"])
    places = [f"-Wl,-rpath,{helper.parent}" for helper in helpers]
    _run([*find_compiler(), "-shared", "-o", str(made), str(target), *map(str, helpers), *places, "-lm"])
    return made


def _helpers(runner: str) -> list[Path]:
    """The library with what lowered code calls, such as the copy of strided memrefs; beside the tool, if anywhere."""
    folder = Path(runner).resolve().parent.parent / "lib"
    return sorted(folder.glob("libmlir_c_runner_utils.so*"))[:1]


def find(tool: str) -> str:
    """The path of one of MLIR's tools.

    Raises:
        MlirMissing: it is not installed.
    """
    for version in VERSIONS:
        if path := shutil.which(tool + version):
            return path
    raise MlirMissing(f"{tool} is not installed", remedy="install MLIR's tools (Debian: apt install mlir-22-tools)")


def call(made: Path, function: str, samples: Sequence[Sequence[Array]], *, timeout: float = 60) -> list[list[Array]]:
    """Call a function of a library with one list of arguments after the other; return these as it leaves them.

    State of the module begins with its first values, and is kept from call to call.

    Raises:
        InputError: it crashes, or takes longer than `timeout` seconds for each call.
    """
    count = len(samples[0]) if samples else 0
    if not count:
        return [[] for _ in samples]
    packed, arrays = io.BytesIO(), [array for arguments in samples for array in arguments]
    np.savez(packed, **{f"array_{number}": array for number, array in enumerate(arrays)})  # pyright: ignore
    command = [sys.executable, "-P", "-c", _CALL, str(made), function, str(count)]
    seconds = timeout * len(samples)
    try:
        done = process.call(command, input=packed.getvalue(), timeout=seconds)
    except TimeoutExpired as error:
        raise OracleTooSlow(f"mlir-runner's code ran longer than {seconds:g} s") from error
    if done.returncode:
        raise InputError(f"mlir-runner's code failed with exit code {done.returncode}")
    answer = np.load(io.BytesIO(done.stdout))
    left = [answer[name] for name in answer.files]
    return [left[first : first + count] for first in range(0, len(left), count)]


def results(text: str, function: str, *runs: Sequence[Sequence[Array]]) -> list[list[list[Array]]]:
    """Call a function on several lists of arguments, in some runs of the module; return these as it leaves them.

    Raises:
        InputError: as `library` and `call`.
    """
    with temporary_folder() as folder:
        made = library(text, folder)
        return [call(made, function, samples) for samples in runs]


def _with_main(text: str) -> str:
    """A module as `mlir-opt` prints it, with the function that `mlir-runner` wants to start at."""
    end = text.rindex("}", 0, text.find("{-#") if "{-#" in text else len(text))
    return f"{text[:end]}  llvm.func @{_MAIN}() {{\n    llvm.return\n  }}\n{text[end:]}"


def _run(command: Sequence[str], text: str | None = None) -> str:
    done = process.call(command, input=None if text is None else text.encode(), timeout=120)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise InputError(f"{Path(command[0]).name}: {(said or [f'exit code {done.returncode}'])[0]}")
    return done.stdout.decode()
