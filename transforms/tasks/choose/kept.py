"""Functions as they were lowered when they were weighed: those that are chosen are not lowered once more.

A function that shares no constant with others is lowered on its own, and so are its calls: they pass other constants,
whose reads and globals stand behind those that they take the place of.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Hashable, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.operations import all_of
from ..calls import Calls, constant_ops

MOST_MODULES = 16
"""Weighed modules that are kept, those that come first."""


class Kept:
    """Lowered functions, by all that decides what they become."""

    def __init__(self) -> None:
        self._modules = 0
        self._found: dict[Hashable, tuple[str, _Lowered]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether there are none."""
        return not self._found

    def add(self, module: ModuleOp, ways: Mapping[str, Hashable]) -> None:
        """Keep functions of a lowered module, by their names."""
        if self._modules < MOST_MODULES:
            self._modules += 1
            lowered = _Lowered(module)
            self._found |= {way: (name, lowered) for name, way in ways.items()}

    def put(self, module: ModuleOp, ways: Mapping[str, Hashable], without: Collection[str]) -> None:
        """Replace functions of a module of tasks by the same lowered, as far as they are kept and can be taken.

        Args:
            module: of tasks with schedules.
            ways: by the name of each function what it was kept by.
            without: names of attributes that it has and the lowered function may lack.
        """
        calls = Calls.of(module)
        shared, globals = calls.shared, calls.globals
        dropped = set[str]()
        for name, way in ways.items():
            if way in self._found and calls.constants_of[name].isdisjoint(shared):
                exchange = _Exchange(name, calls, self._found.pop(way)[1], globals, without)
                if exchange.is_possible():
                    dropped |= exchange.make()
        if dropped:
            calls.drop(dropped)


_KEPT: ContextVar[Kept | None] = ContextVar("kept", default=None)


@contextmanager
def keeping() -> Generator[None]:
    """What is weighed meanwhile is kept; inside of another it is that one's."""
    token = _KEPT.set(_KEPT.get() or Kept())
    try:
        yield
    finally:
        _KEPT.reset(token)


def kept() -> Kept | None:
    """Where what is weighed is kept; None if nobody asks for it."""
    return _KEPT.get()


class _Lowered:
    """A module in which some functions are lowered."""

    def __init__(self, module: ModuleOp):
        self._module = module

    @cached_property
    def calls(self) -> Calls:
        """Its functions with their calls and constants, as it was lowered."""
        return Calls.of(self._module)

    @cached_property
    def globals(self) -> Mapping[str, memref.GlobalOp]:
        """Its constants by name, in order."""
        return self.calls.globals

    @cached_property
    def order(self) -> Mapping[Operation, int]:
        """Numbers of the reads of constants, in order."""
        return {op: number for number, op in enumerate(all_of(self._module, memref.GetGlobalOp))}


@dataclass(frozen=True)
class _Read:
    """A read of a constant that the lowered function is passed in the place of another one, or beside it."""

    get: memref.GetGlobalOp
    behind: memref.GetGlobalOp
    """The read that it stands behind."""


@dataclass
class _Exchange:
    """A function of tasks, and the same lowered to take its place."""

    name: str
    given: Calls
    lowered: _Lowered
    globals: dict[str, memref.GlobalOp]
    """Constants of the module that changes, by name."""
    without: Collection[str]

    @cached_property
    def _origins(self) -> Mapping[str, str | None]:
        """For each further constant of the lowered function the one that it was made of, where its name tells that."""
        before, after = self.given.constants_of[self.name], self.lowered.calls.constants_of[self.name]
        return {name: _origin(name, before) for name in self.lowered.globals if name in after - before}

    @cached_property
    def _calls(self) -> Sequence[tuple[func.CallOp, func.CallOp]]:
        return list(zip(self.given.calls[self.name], self.lowered.calls.calls[self.name], strict=True))

    @cached_property
    def _passed(self) -> Sequence[Sequence[SSAValue | _Read] | None]:
        """Operands of each call once it is exchanged; None where that is not clear."""
        return [self._operands(call, was) for call, was in self._calls]

    def is_possible(self) -> bool:
        """Whether it is clear where everything goes, and nothing else is called as it is."""
        old, new = self.given.functions[self.name], self.lowered.calls.functions[self.name]
        is_same = self._stated(old) == self._stated(new) and all(a.attributes == b.attributes for a, b in self._calls)
        is_new = all(name not in self.globals and name not in self.given.functions for name in self._origins)
        return is_same and is_new and None not in self._origins.values() and None not in self._passed

    def make(self) -> set[str]:
        """Put the lowered function in its place; returns the names of constants that it reads no longer."""
        before, after = self.given.constants_of[self.name], self.lowered.calls.constants_of[self.name]
        self._put_globals()
        self._put_reads()
        old, new = self.given.functions[self.name], self.lowered.calls.functions[self.name]
        new.detach()
        new.attributes = dict(old.attributes)
        Rewriter.insert_op(new, InsertPoint.before(old))
        Rewriter.erase_op(old)
        return before - after

    def _stated(self, function: func.FuncOp) -> dict[str, object]:
        return {name: value for name, value in function.attributes.items() if name not in self.without}

    def _operands(self, call: func.CallOp, was: func.CallOp) -> Sequence[SSAValue | _Read] | None:
        own = [(get, value) for value in call.arguments if (get := _get(value)) is not None]
        buffers = [value for value in call.arguments if _get(value) is None]
        found: list[SSAValue | _Read] = []
        for value in was.arguments:
            get = _get(value)
            if get is None:
                if not buffers:
                    return None
                found.append(buffers.pop(0))
                continue
            name = get.name_.string_value()
            origin = self._origins.get(name, name)
            behind, same = next((one for one in own if one[0].name_.string_value() == origin), (None, None))
            if behind is None or same is None:
                return None
            is_as_before = name == origin
            if same.type != value.type if is_as_before else value.owner is not get:
                return None
            found.append(same if is_as_before else _Read(get, behind))
        return None if buffers else found

    def _put_globals(self) -> None:
        last: dict[str, memref.GlobalOp] = {}
        for name, origin in self._origins.items():
            assert origin is not None, "it is known where they go"
            op = self.lowered.globals[name]
            op.detach()
            Rewriter.insert_op(op, InsertPoint.after(last.get(origin, self.globals[origin])))
            last[origin] = self.globals[name] = op

    def _put_reads(self) -> None:
        """Let the calls pass what the lowered function takes, and remove reads that nothing uses any more."""
        reads = [one for each in self._passed for one in each or () if isinstance(one, _Read)]
        last: dict[Operation, Operation] = {}
        made: dict[Operation, SSAValue] = {}
        for one in sorted(reads, key=lambda one: self.lowered.order[one.get]):
            get = one.get.clone()
            get.memref.name_hint = one.behind.memref.name_hint
            Rewriter.insert_op(get, InsertPoint.after(last.get(one.behind, one.behind)))
            last[one.behind], made[one.get] = get, get.memref
        for (call, _), operands in zip(self._calls, self._passed, strict=True):
            old = [op for value in call.arguments for op in constant_ops(value)]
            call.operands = [made[one.get] if isinstance(one, _Read) else one for one in operands or ()]
            for op in old:
                if op.parent is not None and not any(result.uses for result in op.results):
                    Rewriter.erase_op(op)


def _get(value: SSAValue) -> memref.GetGlobalOp | None:
    """The read of a constant that is passed, perhaps by a view; None if it is none."""
    last = next(reversed(constant_ops(value)), None)
    return last if isinstance(last, memref.GetGlobalOp) else None


def _origin(name: str, before: Collection[str]) -> str | None:
    """The constant that one was made of, which has its name and a word; None where that is not clear.

    Constants that are packed again lose the word. A number in place of a word tells of several of one name.
    """
    words = {one: name.removeprefix(prefix) for one in before if name.startswith(prefix := f"{_unpacked(one)}_")}
    if not words:
        return None
    origin, word = min(words.items(), key=lambda each: len(each[1]))
    return None if word.rpartition("_")[2].isdigit() else origin


def _unpacked(name: str) -> str:
    return name.removesuffix("_packed")
