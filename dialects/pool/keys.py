"""The attributes `pool.*`, one line each: on what they stand, what their values are, and how to read and write them.

Everybody reads and writes them through these keys: `keys.OFFSET.get(alloc.attributes)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    i64,
)
from xdsl.ir import Attribute
from xdsl.utils.str_enum import StrEnum

from ..key import FLAG, TEXT, Form, natural
from .attributes import LeadAttr, PartAttr
from .key import Carrier, Key
from .kinds import BufferKind, BufferKindAttr

Item = TypeVar("Item")
Word = TypeVar("Word", bound=StrEnum)


class Side(StrEnum):
    """To which side of an entry function a tensor belongs."""

    INPUT = "input"
    OUTPUT = "output"


class Concurrency(StrEnum):
    """When the entry functions of a module run."""

    EXCLUSIVE = "exclusive"
    """One at a time, in any order; what one leaves in a pool (but for state) the next may overwrite."""
    CONCURRENT = "concurrent"
    """Any may run while others do; no byte belongs to two of them."""
    PIPELINE = "pipeline"
    """In the order of the module, again and again."""


def _natural(name: str, *carriers: Carrier, below: int | None = None) -> Key[int]:
    return Key(name, natural(below), carriers)


def _text(name: str, *carriers: Carrier) -> Key[str]:
    return Key(name, TEXT, carriers)


def _word(name: str, words: type[Word], *carriers: Carrier) -> Key[Word]:
    def read(value: Attribute) -> Word | None:
        return next((word for word in words if isinstance(value, StringAttr) and value.data == word.value), None)

    listed = ", ".join(f'"{word.value}"' for word in words)
    return Key(name, Form(f"one of {listed}", read, lambda word: StringAttr(word.value)), carriers)


def _flag(name: str, *carriers: Carrier) -> Key[bool]:
    return Key(name, FLAG, carriers)


def _symbol(name: str, *carriers: Carrier) -> Key[str]:
    return Key(name, Form("a pool, as @sram", _pool, SymbolRefAttr), carriers)


def _list(
    name: str,
    form: str,
    read: Callable[[Attribute], Item | None],
    write: Callable[[Item], Attribute],
    *carriers: Carrier,
    least: int = 0,
) -> Key[Sequence[Item]]:
    def read_all(value: Attribute) -> Sequence[Item] | None:
        if not isinstance(value, ArrayAttr) or len(value.data) < least:
            return None
        items = [item for one in value.data if (item := read(one)) is not None]
        return items if len(items) == len(value.data) else None

    return Key(name, Form(form, read_all, lambda items: ArrayAttr([write(item) for item in items])), carriers)


def _pool(value: Attribute) -> str | None:
    flat = isinstance(value, SymbolRefAttr) and not value.nested_references.data
    return value.string_value() if flat and isinstance(value, SymbolRefAttr) else None


def _kind(value: Attribute) -> BufferKind | None:
    """A kind, also in the spelling as a text, which modules written by hand may have."""
    if isinstance(value, StringAttr):
        return next((kind for kind in BufferKind if kind.value == value.data), None)
    return value.data if isinstance(value, BufferKindAttr) else None


def _dense(value: Attribute) -> DenseIntOrFPElementsAttr | None:
    return value if isinstance(value, DenseIntOrFPElementsAttr) else None


def _same(value: Attribute) -> Attribute:
    return value


_M, _F, _A, _B, _C = Carrier.MODULE, Carrier.FUNCTION, Carrier.ARGUMENT, Carrier.BUFFER, Carrier.CONSTANT
_KINDS = ", ".join(f"#pool.kind<{kind.value}>" for kind in BufferKind)
_PARTS = "a list such as [#pool.part<0 in 2, offset 24, [3, 4] strides [4, 1]>]"

NAME = _text("pool.name", _B, _C)
"""The tensor's name, for reports and pins."""
KIND = Key("pool.kind", Form(f"one of {_KINDS}", _kind, BufferKindAttr), (_B,))
"""Kind of the buffer."""
INITIAL = Key("pool.initial", Form("dense<...> of the buffer's shape", _dense, _same), (_B,))
"""Values of state after a reset; zeros unless it is there."""
CANDIDATES = _list("pool.candidates", "a list of pools, as [@dtcm, @sram]", _pool, SymbolRefAttr, _B, _C, _A, least=1)
"""The pools that the buffer may lie in, in order of preference."""
ASSIGNED = _symbol("pool.assigned", _B, _C)
"""The pool that it lies in."""
LINE = _natural("pool.line", _B)
"""Bytes of the cache lines that the buffer owns: it begins with one, and shares none with any other buffer."""
OFFSET = _natural("pool.offset", _B, _C)
"""Where it begins there, bytes."""
INPUT = _natural("pool.input", _B, _A)
"""The input's number."""
KEEP = _flag("pool.keep", _B, _A)
"""No run may change the buffer."""
DIVIDED = _flag("pool.divided", _B, _A)
"""The input is read part by part: what has been read is free for others, and it lies where its pool begins."""
CALLERS = _flag("pool.callers", _A)
"""The tensor lies in memory of the caller: it will be no buffer of a pool."""
STREAMED = _natural("pool.streamed", _A)
"""The application hands over the input in so many rows, one at a time; the function that is made of it takes one."""
STAGE = _flag("pool.stage", _A)
"""The number of the row that the function is given: it runs from there until it needs the next one."""
SLOT = _natural("pool.slot", _B, below=2)
"""Which slot of a double-buffered input it is."""
SHARED = _text("pool.shared", _B)
"""Buffers with the same text are one: an output of one model of a pipeline that is an input of the next, in place."""
AT = _natural("pool.at", _B)
"""Where the buffer begins in the one that all with the same `pool.shared` are parts of, bytes."""
ROW = _natural("pool.row", _B)
"""The buffer is this row of the tensor that it is named after."""
FIRST_USE = _natural("pool.first_use", _B)
"""Position in the entry function of the first operator that touches it."""
LAST_USE = _natural("pool.last_use", _B)
"""Position of the last one."""

IO = _word("pool.io", Side, _A)
"""Whether the argument is an input or an output."""
SLOTS = _flag("pool.slots", _A)
"""The argument is given one of the slots of the input whose number it has."""
POOL = _symbol("pool.pool", _A)
"""The pool that the argument stands for."""
LEAD = _list(
    "pool.lead", "a list such as [#pool.lead<0, 64>]", lambda v: v if isinstance(v, LeadAttr) else None, _same, _A
)
"""How the output may overlap inputs that die in the call."""

PARTS = _list("pool.parts", _PARTS, lambda v: v if isinstance(v, PartAttr) else None, _same, Carrier.CALL)
"""Note that the called function only moves elements: which argument is which part of which other one."""
RELEASES = _list(
    "pool.releases",
    "a list of the numbers of inputs, as [0 : i64]",
    lambda v: v.value.data if isinstance(v, IntegerAttr) else None,
    lambda number: IntegerAttr(number, i64),
    Carrier.OPERATION,
)
"""The inputs that the application may refill after the operation."""
ROW_SEGMENT = _natural("pool.row_segment", Carrier.OPERATION)
"""The segment in which the operation runs row by row with its neighbours of the same number; where any operation of an
entry function has one, those without run as a whole."""
SCRATCH = _natural("pool.scratch", Carrier.CALL)
"""Bytes of its own that the called function will have while it runs, foreseen before there are loops: what counts where
an order of calls is chosen."""
CALLBACK = _flag("pool.callback", Carrier.CALL)
"""The call tells the application of a release."""
HOOK = _flag("pool.hook", Carrier.CALL)
"""The call tells the application that an operator has run."""
POISON = _flag("pool.poison", Carrier.CALL)
"""The call fills dead bytes or looks at guard bytes."""

BACKWARDS = _flag("pool.backwards", _F)
"""The loops of the function run backwards."""
RELEASED_CALLBACK = _text("pool.released_callback", _F)
"""The C function to call for each input that is released."""
OPERATOR_HOOK = _text("pool.operator_hook", _F)
"""The C function to call after each operator."""
CONCURRENCY = _word("pool.concurrency", Concurrency, _M)
"""How the entry functions use the pools that they share; exclusively unless it is there."""

KEYS: dict[str, Key[Any]] = {value.name: value for value in list(globals().values()) if isinstance(value, Key)}
"""All of them by name."""
