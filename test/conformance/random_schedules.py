"""Operators with random legal schedules on every processor: their C on this machine, in memory that is guarded."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from case import WEIGHTED, Case, Spec, agree
from dense_specs import fully_connected
from guarded import FLAGS, Program, run
from host_batch import artifact_of, libraries_of
from hypothesis import strategies as st
from kinds import KINDS
from schedule_draws import Draws
from tflm_oracle import run_oracle
from varied import examples
from window_specs import convolutions

from stillpool.dialects.task import NestOp
from stillpool.dialects.task.schedule import Step
from stillpool.driver.artifact import Artifact
from stillpool.lowering.schedule import schedule_pass
from stillpool.lowering.schedule.known import parsed_steps, text_of
from stillpool.lowering.schedule.variants import Variant
from stillpool.lowering.tasks.dual.constants import Constants
from stillpool.lowering.tasks.legal import why_illegal
from stillpool.machines.cpus import HOST, Cpu, cpu_names

PROCESSORS = (*cpu_names(), HOST.name)
_CHANNELS = st.one_of(st.integers(1, 6), st.integers(1, 33))
_OTHERS = (
    "ADD",
    "AVERAGE_POOL_2D",
    "BATCH_MATMUL",
    "MAX_POOL_2D",
    "MEAN",
    "MUL",
    "REDUCE_MAX",
    "SVDF",
    "TRANSPOSE_CONV",
)
_TYPES = ("int8", "int8", "int8", "int8 int4 weights", "int16", "int16 int32 bias")


def _wide(kind: str) -> st.SearchStrategy[Spec]:
    """The kinds that schedules are about, with up to 33 channels, in groups and with multipliers."""
    types = WEIGHTED[kind]
    dense = convolutions(depthwise=False, types=types, channels=st.integers(1, 12), outputs=_CHANNELS)
    windows = convolutions(depthwise=True, types=types, channels=_CHANNELS)
    products = st.builds(lambda one, columns: replace(one, columns=columns), fully_connected(types), _CHANNELS)
    kinds = (dense, products) if kind == "int16 int32 bias" else (dense, dense, windows, windows, products)
    return st.sampled_from(kinds).flatmap(lambda one: one)


def _others() -> st.SearchStrategy[Spec]:
    kinds = [kind for kind in KINDS if kind.split()[0] in _OTHERS and "float" not in kind and "uint8" not in kind]
    return st.sampled_from(kinds).flatmap(KINDS.__getitem__)


SPECS: st.SearchStrategy[Spec] = st.sampled_from((*_TYPES, *_TYPES, *_TYPES, "")).flatmap(
    lambda kind: _wide(kind) if kind else _others()
)


@dataclass(frozen=True)
class Trial:
    """An operator, a processor, and what its schedules are drawn from."""

    spec: Spec
    target: str
    variant: Variant
    seed: int
    schedule: str = ""
    """Of every nest, in place of what is drawn."""


def trials(count: int, name: str) -> list[Trial]:
    """Different trials; `name` is what they are seeded by."""
    variants = (Variant.FAST, Variant.FAST, Variant.COMPACT, Variant.SMALL, Variant.LEAN)
    strategy = st.builds(
        Trial, SPECS, st.sampled_from(PROCESSORS), st.sampled_from(variants), st.integers(0, 2**32 - 1)
    )
    return examples(strategy, count, name)


@dataclass
class Report:
    """What came of some trials."""

    trials: int = 0
    schedules: int = 0
    steps: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        steps = ", ".join(f"{step} {count}" for step, count in sorted(self.steps.items()))
        return f"{self.trials} operators, {self.schedules} schedules, {len(self.wrong)} wrong; {steps}"


def tried(some: Sequence[Trial], report: Report) -> None:
    """Compile and run trials, and compare with the reference."""
    cases = [trial.spec.case() for trial in some]
    artifacts, told = list[Artifact](), list[str]()
    kept = list[Case]()
    for number, (trial, case) in enumerate(zip(some, cases, strict=True)):
        draws = Draws(trial.seed)
        text = f"{trial}"
        try:
            artifact = _compiled(case, f"m{number}", trial, draws)
        except Exception as error:
            report.wrong.append(f"{text}\n    {_texts(draws)}\n    {type(error).__name__}: {error}"[:3000])
            continue
        artifacts.append(artifact)
        kept.append(case)
        told.append(f"{text}\n    {_texts(draws)}")
        report.schedules += len(draws.accepted)
        report.steps.update(" ".join(_words(step)) for steps in draws.accepted for step in steps)
        report.refused.update(draws.refused)
    report.trials += len(some)
    with tempfile.TemporaryDirectory(prefix="stillpool-") as folder:
        paths = libraries_of(artifacts, Path(folder), FLAGS)
        programs = [_program(*each) for each in zip(kept, artifacts, paths, strict=True)]
        results = zip(told, kept, run(programs, Path(folder)), run_oracle(kept), strict=True)
        for text, case, ours, theirs in results:
            why = ours if isinstance(ours, str) else agree(case, ours, theirs)
            if why:
                report.wrong.append(f"{text}\n    {why}")


def _texts(draws: Draws) -> str:
    return " | ".join(map(text_of, draws.accepted))


def _words(step: object) -> list[str]:
    """The words of a step's text that are no names and numbers."""
    first, *others = str(step).split()
    flags = {"clamped", "bytes", "nibbles", "both", "unsigned", "dots", *(("16",) if first == "lanes" else ())}
    return [first, *(word for word in others if word in flags)]


def _compiled(case: Case, name: str, trial: Trial, draws: Draws) -> Artifact:
    heuristic = schedule_pass.heuristic_steps
    given = parsed_steps(trial.schedule) if trial.schedule else None

    def steps(nest: NestOp, constants: Constants, cpu: Cpu, variant: Variant) -> tuple[Step, ...] | None:
        if given is not None:
            assert (reason := why_illegal(nest, given, constants)) is None, reason
            draws.accepted.append(given)
            return given
        return draws.steps(nest, constants, heuristic(nest, constants, cpu, variant))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule_pass, "variants", lambda *_, **__: (trial.variant,))
        patch.setattr(schedule_pass.SchedulePass, "known", lambda _: None)
        patch.setattr(schedule_pass, "heuristic_steps", steps)
        return artifact_of(case, name, {"target": trial.target, "optimize": "speed"})


def _program(case: Case, artifact: Artifact, library: Path) -> Program:
    description = artifact.description
    numbers = {pool.name: number for number, pool in enumerate(description.workspace_pools)}

    def place(pool: str | None, offset: int | None) -> tuple[int, int]:
        assert pool is not None, "inputs and outputs lie in the workspace"
        assert offset is not None, "inputs and outputs lie in the workspace"
        return numbers[pool], offset

    return Program(
        str(library),
        description.identifier,
        tuple((pool.bytes, pool.alignment, pool.persistent) for pool in description.workspace_pools),
        bool(description.states),
        tuple((*place(one.pool, one.offset), x) for one, x in zip(description.inputs, case.inputs, strict=True)),
        tuple((*place(one.pool, one.offset), tuple(one.shape), str(one.dtype)) for one in description.outputs),
    )


def main(seed: int, batches: int, size: int) -> int:
    """Try `batches` batches of `size` trials from a seed, and print what came of them."""
    report = Report()
    for number in range(batches):
        before = len(report.wrong)
        tried(trials(size, f"{seed} {number}"), report)
        for wrong in report.wrong[before:]:
            print(wrong, flush=True)
        print(f"{report.trials} {report.schedules} {len(report.wrong)}", flush=True)
    print(report)
    for reason, count in report.refused.most_common(40):
        print(f"  refused {count}: {reason}")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:4])))
