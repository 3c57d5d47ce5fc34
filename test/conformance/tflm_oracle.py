"""What the reference interpreters compute for a batch of cases."""

from __future__ import annotations

import importlib
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import Any

from case import Case
from numpy.typing import NDArray

_TIMEOUT = 300
"""Seconds that a batch may take."""


def run_oracle(cases: Sequence[Case]) -> list[list[NDArray[Any]]]:
    """Stacked outputs of every case; fails with the interpreter's words."""
    answers: dict[int, list[NDArray[Any]]] = {}
    for oracle in sorted({case.oracle for case in cases}):
        chosen = [index for index, case in enumerate(cases) if case.oracle == oracle]
        jobs = [(cases[index].model, cases[index].inputs, cases[index].outputs) for index in chosen]
        try:
            outputs = _worker(oracle).submit(_run, oracle, jobs).result(_TIMEOUT)
        except BrokenProcessPool:
            _worker.cache_clear()
            raise AssertionError(f"{oracle} died; it says why on standard error") from None
        answers |= dict(zip(chosen, outputs, strict=True))
    return [answers[index] for index in range(len(cases))]


@cache
def _worker(oracle: str) -> ProcessPoolExecutor:
    """A process of its own for each interpreter, which may abort on what it does not like."""
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))


def _run(oracle: str, jobs: Sequence[tuple[bytes, Sequence[NDArray[Any]], int]]) -> list[list[NDArray[Any]]]:
    interpreter = importlib.import_module(f"{oracle}_worker")
    return [interpreter.run(*job) for job in jobs]
