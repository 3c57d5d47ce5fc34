"""A measurement and its result, as they go to other processes and come back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Cost = Literal["instructions", "cycles"]


@dataclass(frozen=True)
class Way:
    """How candidates are measured."""

    target: str
    """The processor."""
    cost: Cost = "instructions"
    cc: str | None = None
    opt: str = "2"
    """Compiler and its level, as of `emulate`."""
    emulator: str | None = None
    runner: str | None = None
    """The user's command, which runs firmware and prints what it costs; None for the emulator's count."""
    runner_seconds: float = 600
    """Seconds that one candidate may take."""


@dataclass(frozen=True)
class Job:
    """A candidate."""

    program: str = field(repr=False)
    """A module as text."""
    function: str
    number: int
    """The task: the n-th nest of a function."""
    schedule: str
    """Its steps, with numbers for dimensions."""
    way: Way


@dataclass(frozen=True)
class Result:
    """The cost of a candidate."""

    value: float | None
    """None where it cannot be built or run."""
    flash: int = 0
    """Bytes of the program."""
    outputs: str = ""
    """A digest of program and outputs: that of all candidates for one task is the same, or one of them is wrong."""
    failed: str = ""
    """Why there is no value."""
    wrong: str = ""
    """The program's fault: memory that is not its own, or an error that it returned."""
