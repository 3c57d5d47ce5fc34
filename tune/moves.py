"""Which ways to run a task differ from one in a single thing: a tile, an order, what is written out, in what sums run.

The rules are those of any task; what a nest does not allow is left out by the verifier's own rules, and what would be
written out at too great a length by limits that are the same for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from ..dialects.task import NestOp
from ..dialects.task.dual import InWords
from ..dialects.task.join import decided_steps
from ..dialects.task.steps import Dual, Expand, Lanes, Single, Swar, Tensorize, Whole, Winograd, Words
from ..dialects.task.winograd import RESULTS, winograd_plan
from ..lowering.constants import Constants
from ..lowering.schedule.kernels import calls
from ..lowering.schedule.products import runs
from ..lowering.schedule.subject import Subject, allowed
from ..lowering.schedule.variants import Variant
from ..lowering.schedule.winograd import winograd
from ..lowering.tasks.legal import is_legal
from ..machines.cpus import Cpu
from .choice import STEPS_OF_ONE_WORD, Choice, Form

_TILE_SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 16)
_LONGEST_WHOLE_TILE = 16
"""Extents up to which a tile may be a whole dimension."""
_MOST_SUMS = 24
"""Accumulators side by side: all else is kept in memory."""
_WORDS_IN_A_PASS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16)
"""Whatever number of words there is; those that divide it are tried, too, up to the longest of these."""
_MOST_BORDERED = 2
"""Dimensions whose borders have code of their own."""
_UNROLLED_SIZES = (2, 4, 8)
_LONGEST_UNROLLED = 16
"""Points of a dimension that are written out."""
_MOST_WRITTEN = 1024
"""Points that one body has."""


class Moves:
    """The ways to run one nest."""

    def __init__(self, nest: NestOp, constants: Constants, cpu: Cpu):
        self._nest = nest
        self._constants = constants
        self._cpu = cpu

    def starts(self) -> Iterator[Choice]:
        """A few ways that have little in common: loops in order, and each form in tiles of several shapes."""
        nest = self._nest
        plain = Choice.of(nest, decided_steps(nest))
        subject = Subject(nest, self._constants, self._cpu, Variant.WINOGRAD)
        if (transformed := subject.first_legal(winograd(subject))) is not None:
            yield Choice.of(nest, transformed)
        last = [name for name, extent in nest.space.data if extent > 1][-1:]
        tiles: list[tuple[tuple[str, int], ...]] = [((name, self._tile(name, 4)),) for name in last]
        tiles += [
            ((other, self._tile(other, 2)), *tile) for tile in tiles for other in self._wide() if other not in last
        ]
        tiles += [((name, self._tile(name, 8)),) for name in last]
        for form in (form for form in (None, Whole(), Words(), self._default_words()) if form in self._forms):
            for tile in [(), *tiles]:
                choice = self._in_form(replace(plain, jams=tile), form)
                if choice != plain and self.is_legal(choice):
                    yield choice

    def around(self, choice: Choice) -> Iterator[Choice]:
        """All that differ in one thing and are legal, each once."""
        seen = {choice}
        for other in self._around(choice):
            if other not in seen and self.is_legal(other):
                yield other
            seen.add(other)

    def is_legal(self, choice: Choice) -> bool:
        """Whether a nest may run so, in a body of sensible length."""
        sums = math.prod(size for _, size in choice.jams)
        written = sums * math.prod(size for _, size in choice.unrolled)
        written *= math.prod(self._blocks(choice, name) for name in choice.blocks)
        if isinstance(choice.form, Whole | Words):
            written *= math.prod(extent for _, extent in self._nest.fold.data)
        elif isinstance(choice.form, InWords):
            written *= choice.form.unroll * choice.form.lanes
        elif isinstance(choice.form, Winograd):
            written *= choice.form.unroll * Dual.lanes
            # Four sums of products, or sixteen, are one after the other what several points side by side come from.
            sums //= RESULTS ** len(choice.form.dims)
        if sums > _MOST_SUMS or written > _MOST_WRITTEN:
            return False
        steps = allowed(choice.steps, self._nest)
        return steps is not None and is_legal(self._nest, steps, self._constants)

    def _around(self, choice: Choice) -> Iterator[Choice]:
        yield from (self._in_form(choice, form) for form in self._forms)
        if self._cpu.vector:
            yield from (replace(choice, lanes=lanes) for lanes in (None, Lanes(), Lanes(sixteen=True)))
        yield from self._tiles(choice)
        yield from map(choice.toggled, STEPS_OF_ONE_WORD)
        yield replace(choice, clamped=not choice.clamped)
        yield from (replace(choice, outer=order) for order in _swaps(choice.outer, self._extents))
        if not isinstance(choice.form, InWords | Words | Winograd) and self._nest.ordered is None:
            yield from (replace(choice, folds=order) for order in _swaps(choice.folds, self._extents))
        yield from self._written_out(choice)

    @cached_property
    def _extents(self) -> dict[str, int]:
        return dict((*self._nest.space.data, *self._nest.fold.data))

    @cached_property
    def _forms(self) -> Sequence[Form]:
        """In what sums may run."""
        nest, cpu = self._nest, self._cpu
        if not nest.fold.data:
            return [None]
        forms: list[Form] = [None, Whole()]
        if cpu.dsp:
            wide = [name for name, extent in nest.space.data if extent > 1]
            forms += [Words(dims) for count in range(_MOST_BORDERED + 1) for dims in combinations(wide, count)]
        forms += [*self._expanded(), *self._transformed(), *self._called()]
        has_constant = any(self._constants.uses(read.buffer) is not None for read in nest.accesses("step_reads"))
        for run, pairs in runs(nest, Dual.lanes if cpu.dsp else Single.lanes).items():
            if cpu.swar:
                forms.append(Swar(run))
            for unroll in _words_in_a_pass(pairs):
                if cpu.dsp and not has_constant:
                    forms.append(Dual(run, unroll, both=True))
                elif cpu.dsp:
                    forms += [Dual(run, unroll), Dual(run, unroll, bytes=True), Dual(run, unroll, nibbles=True)]
                else:
                    forms += [Single(run, unroll), *([Single(run, unroll, True)] if cpu.unsigned_bytes else [])]
        return forms

    def _expanded(self) -> Iterator[Form]:
        """Loops over a dimension inside of the fold, in which compilers of some processors find vectors."""
        if self._cpu.vector or self._cpu.vectorises:
            yield from (Expand(name, dots) for name in self._wide() for dots in (False, True))

    def _called(self) -> Iterator[Form]:
        """Calls of the kernels that packages bring."""
        for kernel, dims in calls(self._nest, self._cpu):
            yield Tensorize(kernel, tuple(self._nest.index_names[dim] for dim in dims))

    def _transformed(self) -> Iterator[Form]:
        """Along which dimensions three taps lie side by side."""
        if not self._cpu.dsp or self._cpu.vector:
            return
        for size in (1, 2):
            for dims in combinations(self._wide(), size):
                plan = allowed(winograd_plan, self._nest, Winograd(dims, 1))
                for unroll in () if plan is None else _words_in_a_pass(plan.words):
                    yield Winograd(dims, unroll)

    def _default_words(self) -> Form:
        return next((form for form in self._forms if isinstance(form, InWords) and form.unroll == 4), None)

    def _blocks(self, choice: Choice, name: str) -> int:
        """How often points lie side by side along a dimension."""
        return -(-self._extents[name] // dict(choice.jams).get(name, self._extents[name]))

    def _wide(self) -> list[str]:
        return [name for name, extent in self._nest.space.data if extent > 1]

    def _tile(self, name: str, size: int) -> int:
        return min(size, self._extents[name])

    def _sizes(self, name: str) -> list[int]:
        extent = self._extents[name]
        sizes = [size for size in _TILE_SIZES if size < extent]
        return [*sizes, extent] if 1 < extent <= _LONGEST_WHOLE_TILE else sizes

    def _in_form(self, choice: Choice, form: Form) -> Choice:
        """The choice in another form; forms in words run the fold in an order of their own."""
        if isinstance(form, Expand):
            outer = tuple(name for name in choice.outer if name != form.dim)
            return replace(choice, form=form, jams=(), outer=(*outer, form.dim))
        if isinstance(form, Tensorize):
            outer, folds = (
                (*(name for name in names if name not in form.dims), *(name for name in form.dims if name in names))
                for names in (choice.outer, choice.folds)
            )
            return replace(choice, form=form, jams=(), outer=outer, folds=folds)
        if not isinstance(form, InWords | Words | Winograd):
            return replace(choice, form=form)
        folds = self._nest.fold.names
        unrolled = tuple((name, size) for name, size in choice.unrolled if name not in folds)
        jams = choice.jams
        if isinstance(form, Winograd):
            jams = (*((name, RESULTS) for name in form.dims if name not in dict(jams)), *jams)
        return replace(choice, form=form, folds=folds, unrolled=unrolled, jams=jams)

    def _tiles(self, choice: Choice) -> Iterator[Choice]:
        jams = choice.jams
        others = [name for name in self._wide() if name not in dict(jams)]
        for at, (name, own) in enumerate(jams):
            before, after = jams[:at], jams[at + 1 :]
            yield replace(choice, jams=(*before, *after))
            for size in self._sizes(name):
                yield replace(choice, jams=(*before, (name, size), *after))
            for other in others:
                yield replace(choice, jams=(*before, (other, self._tile(other, own)), *after))
        for name in others:
            for size in self._sizes(name):
                yield replace(choice, jams=((name, size), *jams))
        if len(jams) > 1:
            yield replace(choice, jams=jams[::-1])

    def _written_out(self, choice: Choice) -> Iterator[Choice]:
        unrolled = dict(choice.unrolled)
        for name in unrolled:
            yield replace(choice, unrolled=tuple((other, size) for other, size in choice.unrolled if other != name))
        for name, extent in self._extents.items():
            if name in unrolled or name in dict(choice.jams) or extent < 2:
                continue
            sizes = [size for size in _UNROLLED_SIZES if size < extent]
            for size in [*sizes, *([extent] if extent <= _LONGEST_UNROLLED else [])]:
                yield replace(choice, unrolled=(*choice.unrolled, (name, size)))
        for name, _ in choice.jams:
            if name in choice.blocks:
                yield replace(choice, blocks=tuple(other for other in choice.blocks if other != name))
            elif 1 < self._blocks(choice, name) <= _LONGEST_UNROLLED:
                yield replace(choice, blocks=(*choice.blocks, name))


def _words_in_a_pass(words: int) -> list[int]:
    """Sizes of one pass of a loop over some words."""
    most = min(words, _WORDS_IN_A_PASS[-1])
    return [n for n in range(1, most + 1) if n in _WORDS_IN_A_PASS or words % n == 0]


def _swaps(order: tuple[str, ...], extents: dict[str, int]) -> Iterator[tuple[str, ...]]:
    """Orders in which one dimension of several points stands elsewhere."""
    for name in order:
        rest = [other for other in order if other != name]
        for place in range(len(order) if extents[name] > 1 else 0):
            moved = (*rest[:place], name, *rest[place:])
            if [d for d in moved if extents[d] > 1] != [d for d in order if extents[d] > 1]:
                yield moved
