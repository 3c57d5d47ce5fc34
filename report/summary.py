"""Summary of `compile`: RAM, flash, work and time on one screen, and a hint."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..driver.compile.compiled import Compiled, CompiledSystem
from ..machines.boards.board import Board
from ..planner.short_name import cut, short_name
from ..targets.interfaces.description import Description, Pool
from .analysis import shortfall
from .run_time import milliseconds

WIDTH = 80
"""Letters of a line."""
_LABEL = 9


@dataclass(frozen=True)
class Part:
    """Bytes of one thing."""

    name: str
    bytes: int
    limit: int | None = None
    least: int | None = None
    """Bytes that no placement can go below, where they are known."""

    @property
    def words(self) -> str:
        """Name and bytes."""
        return f"{self.name} {self.bytes:,}" + ("" if self.limit is None else f" of {self.limit:,}")


@dataclass(frozen=True)
class Channels:
    """Channels that decide nothing, and what was left out with them."""

    channels: int
    macs: int
    weights: int
    """Bytes."""
    operators: int
    """Which lost something."""


@dataclass(frozen=True)
class Summary:
    """Figures of a compilation; of several models those of all together."""

    models: tuple[str, ...]
    target: str
    """The processor, or `host`."""
    short: str
    """The pools that are over their limits; empty where the plan fits or there are no limits."""
    is_limited: bool
    """Whether any pool has a limit."""
    ram: tuple[Part, ...]
    """Workspace pools, and the inputs and outputs that the caller owns."""
    flash: tuple[Part, ...]
    """Weights, tables, and code where it is known."""
    is_code_linked: bool
    """Whether code was linked by a C compiler; else it is estimated."""
    schedule_bytes: int | None
    """Estimated flash that schedules take more than plain loops; None where these were not weighed."""
    saved_instructions: int | None
    """Estimated instructions that schedules save."""
    macs: int
    macs_again: int
    """Those of them that are made a second time, for fewer bytes of workspace."""
    instructions: int | None
    """Estimated, of one run; None where the model is compiled for no processor."""
    clock_hz: int | None
    """Clock of the board."""
    milliseconds: float | None
    """Milliseconds of one run at this clock with memory without wait states, estimated."""
    is_least_time: bool
    """Whether it counts one cycle an instruction, as no cycles of the processor are known."""
    stack_bytes: int | None
    """The worst case, where it is known."""
    operators: int
    """Operators of the model files."""
    removed: tuple[tuple[str, int], ...]
    """Kinds of operators of the model files that need no code of their own, with how many."""
    channels: Channels | None
    """Channels that the models lost; None where they lost none."""
    largest: tuple[str, int, str] | None
    """Tensor, bytes and pool of the largest buffer in RAM."""
    hint: str

    def document(self) -> dict[str, Any]:
        """Return it as JSON data."""
        largest = None if self.largest is None else dict(zip(("name", "bytes", "pool"), self.largest, strict=True))
        return {
            **asdict(self),
            "ram_bytes": sum(part.bytes for part in self.ram),
            "flash_bytes": sum(part.bytes for part in self.flash),
            "removed": dict(self.removed),
            "largest": largest,
        }

    def text(self) -> str:
        """Lines of at most `WIDTH` letters."""
        processor = "" if self.target == "host" else f", for {self.target}"
        fits = f": {self.short}" if self.short else ": fits" if self.is_limited else ""
        lines = textwrap.wrap(f"{', '.join(self.models)}{processor}{fits}", WIDTH)
        for label, said in self._rows():
            lines += textwrap.wrap(
                said,
                WIDTH,
                initial_indent=f"  {label:{_LABEL}} ",
                subsequent_indent=" " * (_LABEL + 3),
                break_on_hyphens=False,
            )
        return "\n".join(lines)

    def _rows(self) -> Iterator[tuple[str, str]]:
        yield "RAM", _bytes(self.ram) + self._proof()
        about = "" if self.is_code_linked or len(self.flash) < 3 else "about "
        yield "flash", f"{about}{_bytes(self.flash)}{'' if len(self.flash) > 2 else ', and code'}"
        if (self.schedule_bytes or 0) > 0 and self.saved_instructions:
            yield (
                "",
                f"about {self.schedule_bytes:,} of it is for schedules, which save {self.saved_instructions:,} "
                "instructions; --spend flash=0 leaves them out",
            )
        about = "" if self.instructions is None else f", about {self.instructions:,} instructions"
        factor = f", {self.macs / (self.macs - self.macs_again):.2f}x for fewer bytes" if self.macs_again else ""
        yield "work", f"{self.macs:,} multiply-accumulates{factor}{about}"
        if self.milliseconds is not None and self.clock_hz is not None:
            least = "at least" if self.is_least_time else "about"
            yield (
                "time",
                f"{least} {self.milliseconds:,.1f} ms at {self.clock_hz / 1e6:g} MHz, if memory needs no wait states",
            )
        if self.stack_bytes is not None:
            yield "stack", f"{self.stack_bytes:,} bytes at most"
        if self.removed:
            kinds = ", ".join(f"{kind} {count}" for kind, count in self.removed)
            count = sum(count for _, count in self.removed)
            yield "removed", f"{count} of {self.operators} operators need no code: {kinds}"
        if self.channels is not None:
            gone = self.channels
            yield (
                "channels",
                f"{gone.channels:,} that decide nothing went from {gone.operators} operators, with {gone.macs:,} "
                f"multiply-accumulates and {gone.weights:,} bytes of weights",
            )
        if self.largest is not None:
            name, size, pool = self.largest
            yield "largest", f"{cut(short_name(name), 40)}, {size:,} bytes in {pool}"
        yield "hint", self.hint

    def _proof(self) -> str:
        pools = [part for part in self.ram if part.least is not None]
        gap = sum(part.bytes - (part.least or 0) for part in pools)
        if not pools or gap < 0:
            return ""
        least = sum(part.least or 0 for part in pools)
        return "; no placement takes less" if not gap else f"; no placement takes less than {least:,}"


def summary(made: Compiled | CompiledSystem, board: Board | None = None) -> Summary:
    """Gather the figures of what was compiled, for a board if one is named."""
    models = made.descriptions
    pools = made.pools if isinstance(made, CompiledSystem) else models[0].pools
    estimates = [model.estimates for model in models if model.estimates is not None]
    is_estimated = len(estimates) == len(models)
    instructions = sum(one.instructions for one in estimates) if is_estimated else None
    target = estimates[0].target if is_estimated else "host"
    linked = [model.stack.code_bytes for model in models if model.stack and model.stack.code_bytes is not None]
    is_linked = len(linked) == len(models)
    code = [sum(linked) if is_linked else sum(one.code_bytes for one in estimates)] if is_linked or is_estimated else []
    stacks = [model.stack.worst_case_bytes for model in models if model.stack and model.stack.worst_case_bytes]
    weighed = [one for one in estimates if one.schedule_bytes is not None]
    clock = None if board is None or board.target != target else board.clock_hz
    times = [] if clock is None or not is_estimated else [milliseconds(one, clock) for one in estimates]
    removed = Counter[str]()
    for model in models:
        removed.update(dict(model.removed))
    run = sum(len({(operator.index, operator.name) for operator in m.operators if operator.index >= 0}) for m in models)
    constants = [one for model in models for one in (model.constants, model.pooled)]
    flash = [
        Part("weights", sum(one.weights for one in constants)),
        Part("tables", sum(one.tables for one in constants)),
    ]
    return Summary(
        tuple(model.name for model in models),
        target,
        shortfall(pools),
        any(pool.size_limit is not None for pool in pools),
        (*map(_pool, (pool for pool in pools if pool.kind == "workspace")), *_callers(models)),
        (*flash, *(Part("code", size) for size in code)),
        is_linked,
        sum(one.schedule_bytes or 0 for one in weighed) if weighed else None,
        sum(one.saved_instructions or 0 for one in weighed) if weighed else None,
        sum(operator.macs for model in models for operator in model.operators),
        sum(model.rows.macs_again for model in models if model.rows is not None and model.rows.is_taken),
        instructions,
        clock,
        sum(time for time, _ in times) if times else None,
        any(is_least for _, is_least in times),
        max(stacks) if len(stacks) == len(models) else None,
        run + sum(removed.values()),
        tuple(sorted(removed.items(), key=lambda item: (-item[1], item[0]))),
        _channels(models),
        _largest(models),
        _hint(models, target, board),
    )


def _pool(pool: Pool) -> Part:
    least = pool.bytes if pool.proven_optimal else pool.lower_bound_bytes
    return Part(pool.name, pool.bytes, pool.size_limit, least)


def _callers(models: Sequence[Description]) -> list[Part]:
    sides = ("input", "output")
    total = sum(tensor.bytes for model in models for side in sides for tensor in model.caller_owned(side))
    return [Part("the caller's inputs and outputs", total)] if total else []


def _channels(models: Sequence[Description]) -> Channels | None:
    lost = [one for model in models for one in model.lost if one.is_smaller]
    if not lost:
        return None
    return Channels(
        sum(one.channels_without - one.channels for one in lost),
        sum(one.macs_without - one.macs for one in lost),
        sum(one.weights_without - one.weights for one in lost),
        len(lost),
    )


def _largest(models: Sequence[Description]) -> tuple[str, int, str] | None:
    buffers = [
        buffer
        for model in models
        for buffer in model.buffers
        if buffer.pool in {pool.name for pool in model.workspace_pools}
    ]
    found = max(buffers, key=lambda buffer: buffer.bytes, default=None)
    return None if found is None else (found.name, found.bytes, found.pool)


def _hint(models: Sequence[Description], target: str, board: Board | None) -> str:
    """The first thing to try that was not asked for."""
    for model in models:
        if model.rows is not None and model.rows.refusal:
            return model.rows.refusal if len(models) == 1 else f"{model.name}: {model.rows.refusal}"
    if target == "host":
        known = board is not None and board.target != "host"
        name = f"--target {board.target}, the processor of {board.name}" if known and board else "--target CPU"
        return f"{name}: faster code, and its size, stack and instructions here"
    if all(model.rows is None and all(one.row is None for one in model.operators) for model in models):
        return "--optimize ram tries rows of tensors; stillpool analyze --explain-peak plans what else saves RAM"
    return "stillpool analyze --explain-peak plans what else saves RAM"


def _bytes(parts: Sequence[Part]) -> str:
    total = sum(part.bytes for part in parts)
    return f"{total:,} bytes" + (f": {', '.join(part.words for part in parts)}" if parts else "")
