"""Operators with random legal schedules on every processor: their C on this machine, in memory that is guarded."""

from __future__ import annotations

import gc
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from pathlib import Path

import emulated
import guarded
from candidates import Entry, Steps, candidates
from case import WEIGHTED, Case, Spec, agree
from dense_specs import fully_connected
from guarded import Answers, Program
from hypothesis import strategies as st
from kinds import KINDS
from schedule_draws import AIMS, Draws
from tflite_build import SAME
from tflm_oracle import run_oracle
from varied import examples
from window_specs import Window, convolutions, pools

from stillpool.dialects.task import NestOp
from stillpool.lowering.constants import Constants
from stillpool.lowering.schedule.known.names import parsed_steps
from stillpool.lowering.schedule.variants import Variant
from stillpool.lowering.tasks.legal import why_illegal
from stillpool.machines.cpus import HOST, cpu_names, get_cpu

Machine = Callable[[Sequence[str], Sequence[Program], Path], Answers]
"""Runs programs of C files."""
PROCESSORS = (*cpu_names(), HOST.name)
VARIANTS = (Variant.FAST, Variant.FAST, Variant.COMPACT, Variant.SMALL, Variant.LEAN)
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
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
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


def _of(operators: Sequence[str]) -> st.SearchStrategy[Spec]:
    kinds = [kind for kind in KINDS if kind.split()[0] in operators and "float" not in kind and "uint8" not in kind]
    return st.sampled_from(kinds).flatmap(KINDS.__getitem__)


def _bytes() -> st.SearchStrategy[Spec]:
    """Bytes that are compared or computed one by one, and those that pools compare."""
    # Blocks of four that are not cut off are what `packed` needs.
    several = st.one_of(*[st.sampled_from(range(4, 36, 4))] * 3, st.integers(4, 33))
    pooled = st.builds(lambda one, channels: replace(one, channels=channels), pools("MAX_POOL_2D", "int8"), several)
    kinds = ("ADD int8", "MUL int8", "SUB int8", "LOGISTIC int8", "RELU int8")
    return st.sampled_from((*[pooled] * 12, *map(KINDS.__getitem__, kinds))).flatmap(lambda one: one)


def _three_taps() -> st.SearchStrategy[Spec]:
    """Convolutions whose windows slide by one, with three taps side by side."""
    sizes = st.integers(3, 7)
    kernels = st.sampled_from(((3, 3), (3, 3), (3, 3), (3, 1), (1, 3)))
    windows = st.builds(
        lambda height, width, kernel: Window((height, width), kernel, (1, 1), (1, 1), SAME), sizes, sizes, kernels
    )
    channels = st.sampled_from((4, 8, 12))
    dense = convolutions(depthwise=False, types=WEIGHTED["int8"], channels=channels, outputs=_CHANNELS)
    return st.builds(lambda one, window: replace(one, window=window, bias=True), dense, windows)


def _whole_words() -> st.SearchStrategy[Spec]:
    """Products that walk along whole words of bytes."""
    products = fully_connected(WEIGHTED["int8"])
    return st.builds(
        lambda one, words, columns: replace(one, depth=4 * words, columns=columns, given_weights=False),
        products,
        st.integers(1, 8),
        _CHANNELS,
    )


def _four_bits() -> st.SearchStrategy[Spec]:
    """Products with weights of four bits, of whole words of channels."""
    types, channels = WEIGHTED["int8 int4 weights"], st.sampled_from(range(4, 33, 4))
    products = st.builds(lambda one, columns: replace(one, columns=columns), fully_connected(types), channels)
    dense = convolutions(depthwise=False, types=types, channels=st.integers(1, 12), outputs=channels)
    return st.one_of(products, dense)


def _apart(multiple: int) -> st.SearchStrategy[Spec]:
    """Channels that stay apart."""
    channels = st.integers(1, 33 // multiple).map(lambda count: count * multiple)
    return convolutions(depthwise=True, types=WEIGHTED["int8"], channels=channels, outputs=st.just(1))


ANY: st.SearchStrategy[Spec] = st.sampled_from((*_TYPES, *_TYPES, *_TYPES, "")).flatmap(
    lambda kind: _wide(kind) if kind else _of(_OTHERS)
)
FOR: dict[str, st.SearchStrategy[Spec]] = {
    "peel": _three_taps(),
    "fold_zero_point": _whole_words(),
    "winograd": _three_taps(),
    "dual nibbles": _four_bits(),
    "dual both": _of(("BATCH_MATMUL",)),
    "direct": _whole_words(),
    "words": _apart(1),
    "quads": _apart(4),
    "packed": _bytes(),
    "swar": _wide("int8"),
    "lanes 16": _wide("int8"),
    "expand dots": _wide("int8"),
}
"""Operators that allow what few others do."""


@dataclass(frozen=True)
class Trial:
    """An operator, a processor, and what its schedules are drawn from."""

    spec: Spec
    target: str
    variant: Variant
    aim: str = ""
    """The step or flag for which the operator was drawn."""
    schedules: tuple[str, ...] = ()
    """One of every nest after the other, in place of what is drawn."""


@dataclass
class Report:
    """What came of some trials."""

    draws: Draws
    trials: int = 0
    schedules: Counter[str] = field(default_factory=Counter[str])
    """By processor."""
    wrong: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        processors = ", ".join(f"{name} {count}" for name, count in sorted(self.schedules.items()))
        aims = ", ".join(f"{aim} {self.draws.accepted[aim]}/{self.draws.aimed[aim]}" for aim in AIMS)
        total = self.schedules.total()
        return f"{self.trials} operators, {total} schedules, {len(self.wrong)} wrong\n{processors}\n{aims}"


def trials(report: Report, count: int, name: str) -> list[Trial]:
    """Different trials, for what was accepted least often; `name` is what they are seeded by."""
    aims = report.draws.rarest()
    wanted = (aims * (-(-count // len(aims))))[:count]
    strategies = [FOR.get(aim, ANY) for aim in wanted]
    specs = {id(one): iter(examples(one, strategies.count(one), f"{name} {n}")) for n, one in enumerate(strategies)}
    found: list[Trial] = []
    for aim, strategy in zip(wanted, strategies, strict=True):
        spec = next(specs[id(strategy)], None)
        if spec is not None:
            number = report.trials + len(found)
            variant = VARIANTS[number // len(PROCESSORS) % len(VARIANTS)]
            found.append(Trial(spec, PROCESSORS[number % len(PROCESSORS)], variant, aim))
    return found


def tried(some: Sequence[Trial], report: Report, each: int = 1, on: Machine = guarded.run) -> None:
    """Compile and run trials, with up to `each` schedules, and compare with the reference."""
    cases = [trial.spec.case() for trial in some]
    made: list[tuple[str, list[Entry], list[str]]] = []
    kept: list[Case] = []
    for number, (trial, case) in enumerate(zip(some, cases, strict=True)):
        texts = [""] * (len(trial.schedules) or each)
        try:
            text, entries = _candidates(case, f"m{number}", trial, report.draws, texts)
        except Exception as error:
            report.wrong.append(f"{trial}\n    {texts}\n    {type(error).__name__}: {error}"[:3000])
            continue
        made.append((text, entries, [f"{trial}\n    {schedule}" for schedule in texts]))
        kept.append(case)
        report.schedules[trial.target] += sum(bool(schedule) for schedule in texts)
    report.trials += len(some)
    with tempfile.TemporaryDirectory(prefix="stillpool-") as folder:
        programs = [
            Program(entry.name, entry.operands, tuple(zip(entry.inputs, case.inputs, strict=True)), entry.outputs)
            for (_, entries, _), case in zip(made, kept, strict=True)
            for entry in entries
        ]
        results = iter(on([text for text, _, _ in made], programs, Path(folder)))
    for (_, entries, told), case, theirs in zip(made, kept, run_oracle(kept), strict=True):
        for _, text in zip(entries, told, strict=True):
            ours = next(results)
            why = ours if isinstance(ours, str) else agree(case, ours, theirs)
            if why:
                report.wrong.append(f"{text}\n    {why}")


def _candidates(case: Case, name: str, trial: Trial, draws: Draws, texts: list[str]) -> tuple[str, list[Entry]]:
    hopeless: dict[int, set[str]] = {}
    seen: dict[int, set[str]] = {}
    nests: Counter[int] = Counter()

    def choose(number: int, nest: NestOp, constants: Constants, known: Steps | None) -> Steps | None:
        place = nests[number]
        nests[number] += 1
        if trial.schedules:
            steps = parsed_steps(trial.schedules[number])
            assert (reason := why_illegal(nest, steps, constants)) is None, reason
        else:
            both = hopeless.setdefault(place, set()), seen.setdefault(place, set())
            steps = draws.steps(nest, constants, known, *both, trial.aim)
        texts[number] += " | " * bool(texts[number] and steps) + ", ".join(map(str, steps or ()))
        return steps

    return candidates(case, name, get_cpu(trial.target), trial.variant, len(texts), choose)


def main(seed: int, batches: int, size: int, each: int, *cpus: str) -> int:
    """Try `batches` batches of `size` operators with `each` schedules from a seed, and print what came of them.

    With `cpus` they are those of these processors, each batch for every one, and run on them, emulated.
    """
    report = Report(Draws(seed))
    gc.disable()
    for number, cpu in product(range(batches), cpus or ("",)):
        gc.collect()
        before = len(report.wrong)
        some = trials(report, size, f"{seed} {number} {cpu}".strip())
        if cpu:
            tried([replace(one, target=cpu) for one in some], report, each, partial(emulated.run, cpu=get_cpu(cpu)))
        else:
            tried(some, report, each)
        for wrong in report.wrong[before:]:
            print(wrong, flush=True)
        print(report, flush=True)
    for reason, count in report.draws.refused.most_common(40):
        print(f"  refused {count}: {reason}")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    numbers, names = [*map(int, sys.argv[1:5])], sys.argv[5:]
    sys.exit(main(numbers[0], numbers[1], numbers[2], numbers[3], *names))
