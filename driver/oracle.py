"""The reference interpreters that compiled models are compared with.

TFLite Micro is the reference; LiteRT's reference kernels stand in for what TFLite Micro lacks (legacy uint8, hybrid
models, some operators) or where its wheel is not installed.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..errors import InputError, install_extra
from .oracle_worker import UNAVAILABLE
from .process import call
from .progress import tell
from .samples import Array

ORACLES = (("tflm", "TFLite Micro"), ("litert", "LiteRT reference kernels"))
"""Interpreters in order of trust: the worker's name, the name for people."""

_WORKER = Path(__file__).with_name("oracle_worker.py")


class OracleMissing(InputError):
    """No reference interpreter is installed."""


@dataclass(frozen=True)
class Reference:
    """What an interpreter computed."""

    oracle: str
    """The interpreter, in words."""
    outputs: tuple[Array, ...]
    """One array per output, the first axis is the sample."""


def reference(model: bytes, inputs: Sequence[Array], *, timeout: float = 600) -> Reference:
    """The outputs of the first interpreter that runs the model on stacked samples (first axis).

    Raises:
        OracleMissing: none is installed.
        InputError: those that are installed refuse the model; their reasons are in the message.
    """
    packed = io.BytesIO()
    arrays = {f"input_{index}": array for index, array in enumerate(inputs)}
    np.savez(packed, model=np.frombuffer(model, np.uint8), **arrays)  # pyright: ignore
    refusals: list[str] = []
    for name, words in ORACLES:
        tell(f"comparing with {words}")
        code, answer, reason = _ask(name, packed.getvalue(), timeout)
        if code is None:
            # A loop that does not end here ends nowhere.
            raise InputError(f"no answer from a reference interpreter: {words} {reason}")
        if code == 0:
            archive = np.load(io.BytesIO(answer))
            return Reference(words, tuple(archive[f"output_{index}"] for index in range(len(archive.files))))
        if code != UNAVAILABLE:
            refusals.append(f"{words}: {reason}")
    if refusals:
        raise InputError("no reference interpreter runs this model: " + "; ".join(refusals))
    raise OracleMissing("no reference interpreter is installed", remedy=install_extra("verify"))


def _ask(name: str, request: bytes, timeout: float) -> tuple[int | None, bytes, str]:
    """Exit code, answer and what was said last; no code if it took too long (signals have the negative ones)."""
    command = [sys.executable, "-P", str(_WORKER), name]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    try:
        done = call(command, input=request, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return None, b"", f"took longer than {timeout:g} s"
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    reason = lines[-1].strip() if lines else f"died with exit code {done.returncode}"
    return done.returncode, done.stdout, reason
