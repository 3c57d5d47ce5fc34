"""Random schedules of a nest: every step and flag, in the shapes that processors' rules have and beside them."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from stillpool.dialects.task import NestOp
from stillpool.dialects.task.join import decided_steps
from stillpool.dialects.task.products import products
from stillpool.dialects.task.schedule import (
    INNER,
    OUTER,
    Collect,
    Direct,
    Dual,
    Expand,
    InWords,
    Jam,
    Lanes,
    Order,
    Packed,
    Quads,
    Reverse,
    Single,
    Split,
    Step,
    Swar,
    Unroll,
    Whole,
    Winograd,
    Words,
)
from stillpool.lowering.tasks.dual.constants import Constants
from stillpool.lowering.tasks.legal import why_illegal

TRIES = 60
"""Draws of a nest, until one is legal."""
MOST_WRITTEN = 600
"""Points that one body may have, so that C compilers take milliseconds."""
REASON = re.compile(r"(\w[\w ,()]*: |split |jam |unroll |reverse |order |schedule: )")
"""How a refusal begins: with the step, or with the loop that the step is about."""
ALONE = (Direct(), Quads(), Collect(), Packed())


class Draws:
    """Draws schedules, and counts what was accepted and what was refused."""

    def __init__(self, seed: int):
        self._rng = random.Random(seed)
        self.accepted: list[tuple[Step, ...]] = []
        self.refused: Counter[str] = Counter()
        """Reasons, each with the steps that it was given for."""

    def steps(self, nest: NestOp, constants: Constants, known: tuple[Step, ...] | None) -> tuple[Step, ...] | None:
        """A legal schedule of a nest; `known` is what the rules of a processor say, which some are near."""
        needed = decided_steps(nest)
        for _ in range(TRIES):
            near = known and self._rng.random() < 0.4
            drawn = self._near(nest, known or ()) if near else (*needed, *self._anew(nest))
            if not drawn or _written(nest, drawn) > MOST_WRITTEN:
                continue
            reason = why_illegal(nest, drawn, constants)
            if reason is None:
                self.accepted.append(drawn)
                return drawn
            assert REASON.match(reason), f"no step is named: {reason}"
            self.refused[reason] += 1
        return known

    def _maybe(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _anew(self, nest: NestOp) -> tuple[Step, ...]:
        rng, space, fold = self._rng, list(nest.space.data), list(nest.fold.data)
        form = self._form(nest)
        in_order = not isinstance(form, Whole | Expand | None)
        """Whether the fold runs in an order of the form's own."""
        in_four = isinstance(form, Words | Lanes) or form in ALONE
        steps: list[Step] = []
        loops = {name: [name] for name, _ in (*space, *fold)}
        wide = [name for name, extent in space if extent > 1]
        count = 1 if in_four or isinstance(form, Swar) else rng.choice((0, 1, 1, 2, 2, 3))
        jammed = rng.sample(wide, min(count, len(wide)))
        if jammed and self._maybe(0.8 if in_order else 0.5):
            jammed[0] = wide[-1]
            jammed = list(dict.fromkeys(jammed))
        if isinstance(form, Winograd):
            jammed = list(dict.fromkeys((*form.dims, *jammed)))
        extents = dict((*space, *fold))
        inner = list[str]()
        for name in jammed:
            size = 4 if in_four or self._maybe(0.4) else rng.choice((2, 3, 4, 5, 6, 8, 12))
            if extents[name] <= size:
                inner.append(name)
                loops[name] = []
                continue
            steps.append(Split(name, size, clamped=extents[name] % size > 0 and self._maybe(0.3)))
            loops[name] = [name + OUTER]
            inner.append(name + INNER)
        steps += self._splits(fold if form is None or isinstance(form, Expand) else [], loops, 0.3)
        steps += self._splits([one for one in space if one[0] not in jammed], loops, 0.15)
        outer = [part for name, _ in space for part in loops[name]]
        inside = [part for name, _ in fold for part in loops[name]]
        if space and self._maybe(0.9 if in_order else 0.6):
            # What a constant does not depend on comes first: mostly all but the last dimension.
            outer.sort(key=lambda name: name.startswith(space[-1][0]))
        for part in (outer, inside, inner):
            if self._maybe(0.1):
                rng.shuffle(part)
        if isinstance(form, Expand) and outer:
            form = replace(form, dim=outer[-1])
        steps.append(Order((*outer, *inner, *inside)))
        steps += map(Jam, inner)
        rarely = 0.01 if in_order else 0.08
        steps += [Unroll(name) for name in (*outer, *inside) if self._maybe(0.08 if name in outer else rarely)]
        steps += [Reverse(name) for name in (*outer, *inner, *inside) if self._maybe(0.06 if name in outer else rarely)]
        if form is not None:
            steps.append(form)
        if (form is None and jammed and self._maybe(0.3)) or (isinstance(form, Whole) and self._maybe(0.3)):
            steps.append(Lanes())
        steps += [one for one in (Direct(), Collect()) if self._maybe(0.15) and one is not form]
        return tuple(steps)

    def _splits(self, dims: Sequence[tuple[str, int]], loops: dict[str, list[str]], chance: float) -> list[Step]:
        found: list[Step] = []
        for name, extent in dims:
            if extent > 2 and self._maybe(chance):
                found.append(Split(name, self._rng.randint(2, extent)))
                loops[name] = [name + OUTER, name + INNER]
        return found

    def _form(self, nest: NestOp) -> Step | None:
        rng, folds, names = self._rng, len(nest.fold.data), nest.space.names
        if not names:
            return rng.choice((None, Whole()))
        if not folds:
            return rng.choice((None, Lanes(), Packed()))
        if products(nest, late=True) is None:
            return rng.choice((None, Whole(), Lanes(), Expand(names[-1]), Packed()))
        run, unroll = rng.randint(1, folds), rng.choice((1, 2, 2, 3, 4, 4, 5, 8, 16))
        makers: Sequence[Callable[[], Step | None]] = (
            lambda: None,
            Whole,
            lambda: Words(tuple(rng.sample(names, rng.randint(0, min(2, len(names)))))),
            lambda: Dual(run, unroll),
            lambda: Dual(run, unroll, bytes=True),
            lambda: Dual(run, unroll, nibbles=True),
            lambda: Dual(run, unroll, both=True),
            lambda: Single(run, unroll),
            lambda: Single(run, unroll, unsigned=True),
            lambda: Swar(run),
            lambda: Lanes(self._maybe(0.6)),
            lambda: Winograd(tuple(rng.sample(names, min(len(names), rng.randint(1, 2)))), rng.choice((1, 2, 4))),
            lambda: Expand(names[-1], self._maybe(0.6)),
            Quads,
            Packed,
        )
        return rng.choice(makers)()

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
                steps.append(self._rng.choice((*ALONE, Lanes(), Whole(), Words())))
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
