"""Steps that reference interpreters take one after the other, and the process that takes them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from ..process import call
from ..samples import Array
from .oracle import OracleTooSlow

WORDS = {
    "tflm": "TFLite Micro",
    "litert": "LiteRT reference kernels",
    "litert-builtin": "LiteRT kernels without delegates",
}
"""Interpreters in order of trust: the worker's name, the name for people."""

_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True)
class Step:
    """A TFLite file that is run on tensors which are known, and whose outputs are known then."""

    model: bytes
    inputs: tuple[int, ...]
    """Numbers of the tensors, as the caller counts them."""
    outputs: tuple[int, ...]
    oracles: tuple[str, ...]
    """Interpreters to ask in order, by the worker's names."""


@dataclass(frozen=True)
class Taken:
    """Result of a step."""

    oracle: str | None
    """The interpreter that answered; None if none did."""
    refusals: Mapping[str, str]
    """Reasons of those that did not answer, by the worker's names; those that are not installed have none."""
    failed: frozenset[str] = frozenset()
    """Steps of them that began to compute: another input may do."""


def take(
    folder: Path, steps: Sequence[Step], known: Mapping[int, Array], wanted: Iterable[int], samples: int, timeout: float
) -> tuple[list[Taken], dict[int, Array]]:
    """Take steps in order, up to the first one without an answer; what came of each, and the tensors wanted.

    Args:
        folder: an empty one.
        steps: what to run.
        known: stacked samples (first axis) by tensor.
        wanted: tensors to return; no tensor is, if a step has no answer.
        samples: how many there are.
        timeout: seconds for all of them.

    Raises:
        OracleTooSlow: an interpreter takes too long. A loop that does not end in one ends in none.
    """
    kept = set(wanted)
    request = {"samples": samples, "steps": [_entry(folder, steps, number, kept) for number in range(len(steps))]}
    (folder / "request.json").write_text(json.dumps(request))
    for tensor, array in known.items():
        np.save(folder / f"{tensor}.npy", array)
    journal = folder / "journal.jsonl"
    journal.touch()
    deadline = time.monotonic() + timeout
    while died := _died(folder, deadline, timeout):
        # Whatever an interpreter was doing then, it does not do it: the next process asks the next one.
        last = _lines(journal)[-1:]
        if not last or last[0]["state"] != "trying":
            raise InputError(f"the process of the reference interpreters {died}")
        with journal.open("a") as file:
            file.write(json.dumps({**last[0], "state": "refused", "reason": died}) + "\n")
    taken = _taken(journal, len(steps))
    complete = len(taken) == len(steps) and taken[-1].oracle is not None
    return taken, {tensor: np.load(folder / f"{tensor}.npy") for tensor in kept} if complete else {}


def _entry(folder: Path, steps: Sequence[Step], number: int, kept: set[int]) -> dict[str, Any]:
    step, name = steps[number], f"step_{number}.tflite"
    (folder / name).write_bytes(step.model)
    later = kept.union(*(other.inputs for other in steps[number + 1 :]))
    frees = sorted({*step.inputs, *step.outputs} - later)
    return {
        "model": name,
        "inputs": step.inputs,
        "outputs": step.outputs,
        "frees": frees,
        "oracles": step.oracles,
    }


def _died(folder: Path, deadline: float, timeout: float) -> str:
    """Run the worker; how it died, or nothing if it did not."""
    command = [sys.executable, "-P", str(_WORKER), str(folder)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    try:
        done = call(command, timeout=max(deadline - time.monotonic(), 0.001), env=environment)
    except subprocess.TimeoutExpired:
        last = _lines(folder / "journal.jsonl")[-1:]
        who = WORDS[last[0]["oracle"]] if last else "its process"
        raise OracleTooSlow(f"no answer from a reference interpreter: {who} took longer than {timeout:g} s") from None
    if done.returncode == 0:
        return ""
    if done.returncode < 0:
        return f"died of {signal.Signals(-done.returncode).name}"
    return f"died with exit code {done.returncode}"


def _lines(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in journal.read_text().splitlines()]


def _taken(journal: Path, count: int) -> list[Taken]:
    lines = _lines(journal)
    found: list[Taken] = []
    for number in range(count):
        own = [line for line in lines if line["step"] == number]
        done = [line["oracle"] for line in own if line["state"] == "done"]
        refusals = {line["oracle"]: line["reason"] for line in own if line["state"] in ("refused", "failed")}
        failed = frozenset(line["oracle"] for line in own if line["state"] == "failed")
        if own:
            found.append(Taken(done[0] if done else None, refusals, failed))
    return found
