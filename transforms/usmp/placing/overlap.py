"""The pass `usmp-overlap`: which outputs of a function may take the place of an input that dies in the call.

Read off the function's body: an output is safe to lie on an input when every element is loaded before the store to
the same element and never again; more generally when it stays a distance behind.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from xdsl.context import Context
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, ModuleOp
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.accesses import accesses, storage
from ....dialects.fingerprint import fingerprint
from ....dialects.operations import operations
from ....dialects.pool import keys
from ....dialects.pool.attributes import LeadAttr
from ....progress import counted
from ...options import PassWithChoices
from ..analysis.overlap_distance import Walks
from ..analysis.sound import require_sound
from ..analysis.structure import functions, is_entry, size_of
from ..rewriting.turning import is_backwards, loops_to_turn, turned

Mode = Literal["off", "inplace", "full"]
"""Which outputs may overlap: none, those that need no distance (of elementwise operators), or all at their distance."""


@dataclass(frozen=True)
class UsmpOverlapPass(PassWithChoices):
    """Write `pool.lead` on output arguments of private functions; what is there is found anew."""

    name: ClassVar[str] = "usmp-overlap"

    mode: Mode = "full"
    """`off`, `inplace` or `full`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        if self.mode == "off":
            return
        constant = _constant_arguments(op)
        called = [one for one in functions(op).values() if not is_entry(one) and not one.is_declaration]
        for function in counted("usmp-overlap: function", called):
            _annotate(function, constant[function.sym_name.data], self.mode)


def _constant_arguments(module: ModuleOp) -> dict[str, set[int]]:
    """For each function the arguments that are constants in all calls of it: nothing can take their place."""
    passed: dict[str, list[set[int]]] = {name: [] for name in functions(module)}
    for op in operations(module):
        if isinstance(op, func.CallOp) and op.callee.string_value() in passed:
            constants = {i for i, o in enumerate(op.operands) if isinstance(storage(o).owner, memref.GetGlobalOp)}
            passed[op.callee.string_value()].append(constants)
    return {name: set[int].intersection(*calls) if calls else set() for name, calls in passed.items()}


def _annotate(function: func.FuncOp, constant: set[int], mode: Mode) -> None:
    attributes = [dict(a.data) for a in function.arg_attrs or [DictionaryAttr({})] * len(function.body.block.args)]
    for attribute in attributes:
        keys.LEAD.remove(attribute)
    function.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(a) for a in attributes])
    # The same functions are met again and again where one model is planned in several ways.
    key = mode, frozenset(constant), fingerprint(function)
    if key not in _KNOWN:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN[key] = _all_leads(function, constant, mode)
    for attribute, leads in zip(attributes, _KNOWN[key], strict=True):
        if leads:
            keys.LEAD.put(attribute, leads)
    function.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(a) for a in attributes])


_KNOWN: dict[Hashable, list[list[LeadAttr]]] = {}
"""Leads of each argument, by mode, constant arguments and what the function says: nothing else decides them."""

MOST_KNOWN = 4096
"""Functions whose leads are kept."""


def _all_leads(function: func.FuncOp, constant: set[int], mode: Mode) -> list[list[LeadAttr]]:
    ways = _Ways(function)
    arguments = function.body.block.args
    found: list[list[LeadAttr]] = [[] for _ in arguments]
    for output in arguments:
        if not isinstance(output.type, MemRefType) or not _is_stored(output):
            continue
        for given in arguments:
            if given is output or given.index in constant or not isinstance(given.type, MemRefType) or not given.uses:
                continue
            found[output.index] += _leads(ways, given, output, mode)
    return found


class _Ways:
    """A function that runs forwards or backwards."""

    def __init__(self, function: func.FuncOp):
        self._function = function
        self._walks = Walks(function)

    def distance(self, given: BlockArgument, output: BlockArgument, *, above: bool) -> int | None:
        """The distance below the input if it runs forwards, or `above` it if it runs backwards; None if it may not."""
        if is_backwards(self._function) == above:
            return self._walks.distance(given, output, above=above)
        if self._turned is None:
            return None
        if self._walks.are_told_apart(given, output, self._turned):
            return self._walks.distance(given, output, above=above, turned=self._turned)
        copy = turned(self._function)
        assert copy is not None, "its loops may be turned"
        arguments = copy.body.block.args
        return Walks(copy).distance(arguments[given.index], arguments[output.index], above=above)

    @cached_property
    def _turned(self) -> Collection[scf.ForOp] | None:
        """The loops that run the other way if it is turned; None if it may not be."""
        return loops_to_turn(self._function, self._walks)


def _leads(ways: _Ways, given: BlockArgument, output: BlockArgument, mode: Mode) -> Iterator[LeadAttr]:
    """Leads that the function allows forwards, and backwards if that gives other places than working in place."""
    assert isinstance(given.type, MemRefType), "the caller looks at memrefs"
    assert isinstance(output.type, MemRefType), "the caller looks at memrefs"
    below = ways.distance(given, output, above=False)
    # At a distance of the whole other buffer the two do not overlap at all.
    if below is not None and below < (size_of(output.type) if mode == "full" else 1):
        yield LeadAttr.get(given.index, below)
    # A smaller output may so lie at the other end of the input.
    is_in_place = below == 0 and size_of(output.type) >= size_of(given.type)
    if is_in_place or mode != "full":
        return
    above = ways.distance(given, output, above=True)
    if above is not None and above < size_of(given.type):
        yield LeadAttr.get(given.index, above, above=True)


def _is_stored(value: SSAValue) -> bool:
    return any(
        a.is_write and a.memref is value and not a.is_assumed for use in value.uses for a in accesses(use.operation)
    )
