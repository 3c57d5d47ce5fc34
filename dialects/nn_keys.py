"""The attributes `nn.*` of operations of other dialects: what levels below `nn` still say of the network.

They stand beside the dialect, for what reads them need not load it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, i32, i64
from xdsl.ir import Attribute

from .key import FLAG, REALS, TEXT, Form, Key, integers, natural

if TYPE_CHECKING:
    from .nn.attributes import OriginAttr
    from .nn.removed import RemovedAttr


def _origin(value: Attribute) -> OriginAttr | None:
    return cast("OriginAttr", value) if value.name == ORIGIN.name else None


def _records(value: Attribute) -> Sequence[RemovedAttr] | None:
    found = value.data if isinstance(value, ArrayAttr) else ()
    return cast("Sequence[RemovedAttr]", found) if found and all(one.name == REMOVED.name for one in found) else None


def _same(value: Attribute) -> Attribute:
    return value


NAME = Key("nn.name", TEXT)
"""On a constant, argument or result: what the model calls the tensor."""
ORIGIN = Key["OriginAttr"]("nn.origin", Form("#nn.origin<...>", _origin, _same))
"""On an operation, later of a call: the operator of the model that it stands for; the attribute has this name too."""
BAND = Key("nn.band", natural())
"""On an operation, later on a call: which part of a tensor that is computed in parts it helps to compute."""
MACS = Key("nn.macs", natural())
"""On a call: multiply-accumulates."""
ROW = Key("nn.row", natural())
"""On a call: the row that it makes of the result, or takes of what it folds."""
COMMENT = Key("nn.comment", TEXT)
"""On a function, a loop or a call: one line for readers of the C."""
REMARK = Key("nn.remark", TEXT)
"""On a function: how its tasks are scheduled, and what other ways would change; for reports."""
GAIN = Key("nn.gain", integers(i64))
"""On a function with schedules that were weighed: instructions that they save in one run, bytes of flash that they take
more than plain loops; both estimated."""
TABLE = Key("nn.table", FLAG)
"""On a constant that the compiler adds to those of the model."""
OWN = Key("nn.own", FLAG)
"""On a table that belongs to one plan: other instances of the model, which share its weights, have others."""
POSITIONS = Key("nn.positions", integers(i64))
"""On a call in a loop: which calls of the function it was, counted from 0."""

DTYPE = Key("nn.dtype", TEXT)
"""On an argument whose storage does not tell its type: the type's name."""
SCALE = Key("nn.scale", REALS)
"""On an argument or result: the scales of its quantisation."""
ZERO_POINT = Key("nn.zero_point", integers(i32))
"""The zero points, likewise."""
LIMITS = Key("nn.limits", integers(i64))
"""On an argument of indices or divisors, or what takes them: the least and the largest that makes sense."""

LEAST = Key("nn.least", integers(i64))
"""On an operation: the least that each channel of its results can be, one result after the other."""
MOST = Key("nn.most", integers(i64))
"""The most, likewise."""
REMOVED = Key["Sequence[RemovedAttr]"]("nn.removed", Form("[#nn.removed<...>, ...]", _records, ArrayAttr))
"""On an operation with fewer channels than it had: a record for each result."""
MACS_WITHOUT = Key("nn.macs_without", natural())
"""Multiply-accumulates of an operation before channels went."""
WEIGHTS_WITHOUT = Key("nn.weights_without", natural())
"""Bytes of its weights, likewise."""
