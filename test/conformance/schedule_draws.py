"""Random schedules of a nest: every step and flag as often as the others, as far as nests allow them.

Each draw aims at one step or flag, that which was accepted least often. The rest of the schedule is random, in the
shapes that processors' rules have and beside them.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from stillpool.dialects.simd.words import BYTES
from stillpool.dialects.task import NestOp
from stillpool.dialects.task.dual import InWords
from stillpool.dialects.task.join import decided_steps
from stillpool.dialects.task.products import products
from stillpool.dialects.task.step import INNER, OUTER, Step
from stillpool.dialects.task.steps import (
    Collect,
    Direct,
    Dual,
    Expand,
    Jam,
    Lanes,
    Order,
    Packed,
    Quads,
    Reverse,
    Single,
    Split,
    Swar,
    Tensorize,
    Unroll,
    Whole,
    Winograd,
    Words,
)
from stillpool.lowering.constants import Constants
from stillpool.lowering.tasks.legal import why_illegal
from stillpool.lowering.tasks.steps.fold_zero_point import FoldZeroPoint
from stillpool.lowering.tasks.steps.order import OfRead, Pack, Stage
from stillpool.lowering.tasks.steps.parts import Block, Peel
from stillpool.lowering.tasks.steps.rewriting import rehearsed

TRIES = 14
"""Draws for one aim, until one is legal."""
MOST_WRITTEN = (60, 60, 60, 240)
"""Points that bodies may have, by turns, so that C compilers take milliseconds."""
REASON = re.compile(r"(\w[\w ,()]*: |split |jam |unroll |reverse |order |schedule: |tensorize )")
"""How a refusal begins: with the step, or with the loop that the step is about."""
_FLAGS = frozenset({"clamped", "bytes", "nibbles", "both", "unsigned", "dots", "16"})
_UNROLLED = (1, 2, 2, 3, 4, 4, 5, 8, 16)

_Maker = Callable[[random.Random, NestOp], Step | None]


def _run(rng: random.Random, nest: NestOp) -> int:
    return rng.randint(1, max(1, len(nest.fold.data)))


def _in_words(kind: type[Dual] | type[Single], **flags: bool) -> _Maker:
    return lambda rng, nest: kind(_run(rng, nest), rng.choice(_UNROLLED), **flags)


def _some(rng: random.Random, names: Sequence[str], least: int) -> tuple[str, ...]:
    most = min(2, len(names))
    return tuple(rng.sample(names, rng.randint(min(least, most), most)))


def _wide(nest: NestOp) -> list[str]:
    return [name for name, extent in nest.space.data if extent > 1]


def _block(rng: random.Random, nest: NestOp) -> Block | None:
    dims = (*nest.space.data, *nest.fold.data)
    sizes = [(name, size) for name, extent in dims for size in range(2, extent + 1) if extent % size == 0]
    return Block(*rng.choice(sizes)) if sizes else None


def _of_read(kind: type[OfRead]) -> _Maker:
    def make(rng: random.Random, nest: NestOp) -> OfRead | None:
        reads = nest.accesses("step_reads")
        if not reads:
            return None
        number, names = rng.randrange(len(reads)), [*nest.space.names, *nest.fold.names]
        dims = [names[d] for d in sorted(nest.dims_of(reads[number]))]
        return kind(number, tuple(rng.sample(dims, len(dims)) if rng.random() < 0.7 else dims))

    return make


def _peel(rng: random.Random, nest: NestOp) -> Peel | None:
    clipped = [form for access in nest.accesses("step_reads") if access.clip for form, _ in nest.sides(access)]
    names = nest.space.names
    found = [name for d, name in enumerate(names) if any(form.coefficient(d) for form in clipped)]
    return Peel(rng.choice(found if found and rng.random() < 0.9 else names)) if names else None


def _fold_zero_point(rng: random.Random, nest: NestOp) -> FoldZeroPoint:
    found = [factor.read for factor in products(nest) or () if factor.zero_point]
    return FoldZeroPoint(rng.choice(found if found and rng.random() < 0.9 else range(2)))


REWRITES: dict[str, _Maker] = {
    "block": _block,
    "peel": _peel,
    "pack": _of_read(Pack),
    "stage": _of_read(Stage),
    "fold_zero_point": _fold_zero_point,
}
"""What makes other nests, before all else."""
FORMS: dict[str, _Maker] = {
    "whole": lambda rng, nest: Whole(),
    "words": lambda rng, nest: Words(_some(rng, nest.space.names, 0)),
    "dual": _in_words(Dual),
    "dual bytes": _in_words(Dual, bytes=True),
    "dual nibbles": _in_words(Dual, nibbles=True),
    "dual both": _in_words(Dual, both=True),
    "single": _in_words(Single),
    "single unsigned": _in_words(Single, unsigned=True),
    "swar": lambda rng, nest: Swar(_run(rng, nest)),
    "lanes": lambda rng, nest: Lanes(),
    "lanes 16": lambda rng, nest: Lanes(sixteen=True),
    "winograd": lambda rng, nest: Winograd(_some(rng, _wide(nest)[:-1], 1), rng.choice((1, 2, 4))),
    "expand": lambda rng, nest: Expand(nest.space.names[-1]) if nest.space.names else None,
    "expand dots": lambda rng, nest: Expand(nest.space.names[-1], dots=True) if nest.space.names else None,
    "quads": lambda rng, nest: Quads(),
    "packed": lambda rng, nest: Packed(),
    "tensorize": lambda rng, nest: Tensorize(rng.choice(("plain.dot", "plain.window")), ()),
}
"""In what a nest runs."""
OTHERS = ("split", "split clamped", "order", "jam", "unroll", "reverse", "direct", "collect")
"""What goes with a form, and without one."""
AIMS = (*REWRITES, *FORMS, *OTHERS)
_WITH = {
    "split": ("single", "dual", "expand", "tensorize", "whole", None, None),
    "split clamped": ("dual both", None, None, "whole", "single", "dual"),
    "unroll": (None, "whole", "dual", "single", "words"),
    "reverse": (None, "whole", "dual", "single", "expand", "lanes", "tensorize"),
    "direct": ("dual", "dual bytes", "dual nibbles"),
    "collect": (None, "dual", "dual bytes", "single"),
}
"""The forms that others go with."""
_IN_FOUR = (Words, Lanes, Quads, Packed)
"""Forms of four points side by side."""


def aims_of(steps: Sequence[Step]) -> frozenset[str]:
    """The steps and flags that a schedule has, as in `AIMS`."""
    found: set[str] = set()
    for step in steps:
        first, *others = str(step).split()
        is_lanes = first == "lanes"
        found.add(" ".join([first, *(word for word in others if word in _FLAGS and (word != "16" or is_lanes))]))
    return frozenset(found)


class Draws:
    """Draws schedules, and counts what was aimed at and what was accepted."""

    def __init__(self, seed: int):
        self._rng = random.Random(seed)
        self.aimed: Counter[str] = Counter()
        """Draws by what they aimed at."""
        self.accepted: Counter[str] = Counter()
        """Schedules by the steps and flags that they have."""
        self.refused: Counter[str] = Counter()
        """Draws by the reasons that were given."""

    def rarest(self, among: Collection[str] = AIMS, wanted: str = "") -> list[str]:
        """The steps and flags, those first that were accepted least often, and of equals the one that is wanted."""
        shuffled = self._rng.sample(sorted(among), len(among))
        return sorted(shuffled, key=lambda aim: (self.accepted[aim], aim != wanted))

    def steps(
        self,
        nest: NestOp,
        constants: Constants,
        known: tuple[Step, ...] | None,
        hopeless: set[str],
        seen: set[str],
        wanted: str = "",
    ) -> tuple[Step, ...] | None:
        """A legal schedule of a nest that is not `seen`; None if none is found.

        Args:
            nest: the nest.
            constants: of its module.
            known: what the rules of a processor say, which some are near.
            hopeless: steps and flags that such a nest does not allow, which are added to.
            seen: the schedules that it had, as text, which are added to.
            wanted: step or flag that the operator was drawn for.
        """
        needed = decided_steps(nest)
        for aim in self.rarest([aim for aim in AIMS if aim not in hopeless], wanted):
            most = self._rng.choice(MOST_WRITTEN)
            for number in range(TRIES):
                self.aimed[aim] += 1
                near = known and aim in aims_of(known) and self._maybe(0.4)
                if aim in REWRITES:
                    drawn = self._rewritten(nest, aim, number)
                else:
                    drawn = self._near(nest, known or ()) if near else (*needed, *self._anew(nest, aim, number))
                if aim not in aims_of(drawn) or _written(nest, drawn) > most or str(drawn) in seen:
                    continue
                reason = why_illegal(nest, drawn, constants)
                if reason is None:
                    seen.add(str(drawn))
                    self.accepted.update(aims_of(drawn))
                    return drawn
                assert REASON.match(reason), f"no step is named: {reason}"
                self.refused[reason] += 1
            hopeless.add(aim)
        return None

    def _maybe(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _rewritten(self, nest: NestOp, aim: str, number: int) -> tuple[Step, ...]:
        """Steps that make other nests, and a schedule for what they make; only these where that is not legal."""
        others = self._rng.choices([*REWRITES], k=self._rng.randrange(3)) if number < TRIES // 2 else []
        found: list[Step] = []
        last = nest
        for name in (*others, aim):
            step = REWRITES[name](self._rng, last)
            if step is None:
                continue
            found.append(step)
            try:
                with nest.scheduled(found):
                    last = rehearsed(nest)[0][-1]
            except ValueError:
                return tuple(found)
        form = self._rng.choice((*FORMS, "order", "unroll"))
        return (*found, *self._anew(last, form, number)) if self._maybe(0.8) else tuple(found)

    def _anew(self, nest: NestOp, aim: str, number: int) -> tuple[Step, ...]:
        rng, space, fold = self._rng, list(nest.space.data), list(nest.fold.data)
        name = aim if aim in FORMS else rng.choice(_WITH.get(aim, (None, *FORMS)))
        form = None if name is None else FORMS[name](rng, nest)
        if aim == "direct" and isinstance(form, Dual):
            form = replace(form, run=len(fold) or 1, unroll=rng.choice((2, 4)))
        in_order = not isinstance(form, Whole | Expand | Tensorize | None)
        """Whether the fold runs in an order of the form's own."""
        in_four = isinstance(form, _IN_FOUR)
        careful = number >= TRIES // 2
        """Whether it is drawn as rules would have it, after some that were not legal."""
        steps: list[Step] = []
        loops = {name: [name] for name, _ in (*space, *fold)}
        wide = _wide(nest)
        count = 1 if in_four or isinstance(form, Swar) or careful else rng.choice((0, 1, 1, 2, 2, 3))
        if isinstance(form, Expand | Tensorize):
            count = 0
        jammed = rng.sample(wide, min(count, len(wide)))
        if jammed and (careful or self._maybe(0.8 if in_order else 0.5)):
            jammed[0] = wide[-1]
            jammed = list(dict.fromkeys(jammed))
        if aim == "direct":
            # Nothing is copied for points side by side, only channels share what is read.
            jammed = wide[-1:]
        if isinstance(form, Winograd):
            jammed = list(dict.fromkeys((*form.dims, *(() if careful else jammed))))
        extents = dict((*space, *fold))
        inner = list[str]()
        for name in jammed:
            size = BYTES if in_four or self._maybe(0.4) else rng.choice((2, 3, 4, 5, 6, 8, 12))
            if isinstance(form, Winograd) and name in form.dims:
                size = rng.choice((2, 2, 4))
            if extents[name] <= size:
                inner.append(name)
                loops[name] = []
                continue
            clamps = aim == "split clamped" or (not in_order and self._maybe(0.3))
            steps.append(Split(name, size, clamped=extents[name] % size > 0 and clamps))
            loops[name] = [name + OUTER]
            inner.append(name + INNER)
        splits = 0.8 if aim == "split" else 0.2
        steps += self._splits(fold if form is None or isinstance(form, Expand | Tensorize) else [], loops, splits)
        steps += self._splits([one for one in space if one[0] not in jammed], loops, splits / 2)
        outer = [part for name, _ in space for part in loops[name]]
        inside = [part for name, _ in fold for part in loops[name]]
        if space and (careful or self._maybe(0.9 if in_order else 0.6)):
            # What a constant does not depend on comes first: mostly all but the last dimension.
            outer.sort(key=lambda name: name.startswith(space[-1][0]))
        for part in (outer, inside, inner):
            if not careful and self._maybe(0.1):
                rng.shuffle(part)
        if isinstance(form, Expand) and outer:
            form = replace(form, dim=outer[-1])
        if isinstance(form, Tensorize):
            form = replace(
                form, dims=(*outer[-1:], *inside[-2:]) if form.kernel == "plain.window" else tuple(inside[-1:])
            )
        order = (*outer, *inner, *inside)
        if order:
            steps.append(Order(order))
        steps += map(Jam, inner)
        unrolls, reverses = (0.5 if aim == step else 0.08 for step in ("unroll", "reverse"))
        rarely = 0.01 if in_order else 0.08
        steps += [Unroll(name) for name in outer if self._maybe(unrolls)]
        steps += [Unroll(name) for name in inside if self._maybe(rarely if in_order else unrolls)]
        steps += [Reverse(name) for name in outer if self._maybe(reverses)]
        steps += [Reverse(name) for name in (*inner, *inside) if self._maybe(rarely if in_order else reverses)]
        if form is not None:
            steps.append(form)
        if isinstance(form, Whole) and self._maybe(0.2):
            steps.append(Lanes())
        steps += [Direct()] if aim == "direct" or (not careful and self._maybe(0.05)) else []
        steps += [Collect()] if aim == "collect" or (not careful and self._maybe(0.1)) else []
        return tuple(steps)

    def _splits(self, dims: Sequence[tuple[str, int]], loops: dict[str, list[str]], chance: float) -> list[Step]:
        found: list[Step] = []
        for name, extent in dims:
            if extent > 2 and self._maybe(chance):
                found.append(Split(name, self._rng.randint(2, extent)))
                loops[name] = [name + OUTER, name + INNER]
        return found

    def _near(self, nest: NestOp, known: Sequence[Step]) -> tuple[Step, ...]:
        """One or two changes of what is known."""
        steps, names = list(known), [*nest.space.names, *nest.fold.names]
        for _ in range(self._rng.choice((1, 1, 2))):
            place = self._rng.randrange(len(steps)) if steps else 0
            kind = self._rng.randrange(6)
            if kind == 0 and steps:
                steps[place] = self._changed(steps[place])
            elif kind == 1 and steps:
                del steps[place]
            elif kind == 2:
                parts = [name for step in steps if isinstance(step, Order) for name in step.dims] or names
                steps.append(self._rng.choice((Reverse, Unroll, Jam))(self._rng.choice(parts)))
            elif kind == 3:
                steps.append(self._rng.choice((Direct(), Quads(), Collect(), Packed(), Lanes(), Whole(), Words())))
            else:
                splits = [n for n, step in enumerate(steps) if isinstance(step, Split)]
                if splits:
                    at = self._rng.choice(splits)
                    split = steps[at]
                    assert isinstance(split, Split), "chosen among them"
                    size = self._rng.choice((split.size, 2, 3, 4, 5, 6))
                    steps[at] = replace(split, size=size, clamped=self._maybe(0.5))
        return tuple(steps)

    def _changed(self, step: Step) -> Step:
        match step:
            case Split():
                return replace(step, clamped=not step.clamped)
            case Dual():
                flag = self._rng.choice(("bytes", "nibbles", "both", "none"))
                return Dual(step.run, self._rng.choice((1, 2, 3, 4, 8)), **({} if flag == "none" else {flag: True}))
            case Single():
                return replace(step, unroll=self._rng.choice((1, 2, 3, 5)), unsigned=not step.unsigned)
            case Swar():
                return Single(step.run, 2)
            case InWords():
                return step
            case Order(dims):
                return Order(tuple(self._rng.sample(dims, len(dims))))
            case Lanes():
                return Lanes(not step.sixteen)
            case _:
                return step


def _written(nest: NestOp, steps: Sequence[Step]) -> int:
    """Points of the longest body, at most."""
    extents = dict((*nest.space.data, *nest.fold.data))
    for step in steps:
        if isinstance(step, Split) and step.dim in extents:
            size = step.size
            extents |= {step.dim + OUTER: -(-extents[step.dim] // size), step.dim + INNER: size}
    found, in_form = 1, 1
    for step in steps:
        if isinstance(step, Jam | Unroll):
            found *= extents.get(step.dim, 1)
        elif isinstance(step, InWords | Winograd):
            in_form = step.unroll * 2
        elif isinstance(step, Whole | Words):
            for _, extent in nest.fold.data:
                in_form *= extent
    return found * in_form
