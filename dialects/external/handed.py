"""Facts of an operator that a C function computes, on tensors and on buffers alike."""

from __future__ import annotations

import abc
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f32,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import flag, integer, integers

Parameter: TypeAlias = int | float | str | Sequence[int] | Sequence[float]
"""A parameter of a function: a number, a text, or a list of numbers."""

FLOATS: Sequence[float] = array("f")
"""An empty list of float32; any other empty list is one of integers."""


@dataclass(frozen=True)
class Wishes:
    """Wishes of a function: its memory, and where it runs."""

    scratch: int = 0
    """Bytes that the function may use while it runs, from the memory plan."""
    alignment: int = 1
    """Alignment of the addresses of its buffers, in bytes; those that it writes share no such line with others."""
    pools: tuple[str, ...] = ()
    """The pools that its device reaches; all if there is none."""
    device: str = ""
    """The device whose handle it is given, with hooks around it; none if empty."""
    offsets: tuple[int, ...] = ()
    """Where each tensor lies in the scratch, inputs, then outputs, in bytes; none of them does if it is empty."""
    asynchronous: bool = False
    """Whether it only begins the work, and `<function>_wait` ends it."""


NO_WISHES = Wishes()


class Handed(IRDLOperation, abc.ABC):
    """Base: the function, what it is told, and what it asks for."""

    function = prop_def(StringAttr)
    kind = prop_def(StringAttr)
    """Kind of the computation, an identifier: names the struct of parameters, `stillpool_<kind>`."""
    names = prop_def(ArrayAttr[StringAttr])
    """Parameters of the function that are tensors: inputs, then outputs."""
    parameters = prop_def(DictionaryAttr)
    """Members of the struct in order: integers, floats, texts, and dense arrays of i32 or f32."""
    scratch_bytes = opt_prop_def(IntegerAttr)
    alignment = opt_prop_def(IntegerAttr)
    pools = opt_prop_def(ArrayAttr[StringAttr])
    device = opt_prop_def(StringAttr)
    offsets = opt_prop_def(DenseArrayBase.constr(i64))
    asynchronous = opt_prop_def(UnitAttr)

    @property
    def wishes(self) -> Wishes:
        """Scratch memory, alignment and pools that the function asks for."""
        return Wishes(
            0 if self.scratch_bytes is None else self.scratch_bytes.value.data,
            1 if self.alignment is None else self.alignment.value.data,
            () if self.pools is None else tuple(pool.data for pool in self.pools),
            "" if self.device is None else self.device.data,
            () if self.offsets is None else tuple(cast(Any, self.offsets).get_values()),
            self.asynchronous is not None,
        )

    @property
    def said(self) -> dict[str, Attribute]:
        """Everything of this base, to be passed on."""
        return {name: self.properties[name] for name in _SAID if name in self.properties}

    def verify_handed(self, tensors: int) -> None:
        """Check what is said of a function that is given so many tensors.

        Raises:
            VerifyException: names are no C identifiers, or a value is out of range.
        """
        device = [] if self.device is None else [self.device.data]
        words = [name.data for name in self.names]
        for name in (self.function.data, self.kind.data, *words, *self.parameters.data, *device):
            if not (name.isascii() and name.isidentifier()):
                raise VerifyException(f"'{self.name}' op '{name}' is no name in C")
        if len(words) != tensors:
            raise VerifyException(f"'{self.name}' op has {tensors} tensors and {len(words)} names for them")
        for name, value in self.parameters.data.items():
            if not _is_parameter(value):
                raise VerifyException(f"'{self.name}' op parameter '{name}' is {value}, which C functions are not told")
        if self.wishes.scratch < 0:
            raise VerifyException(f"'{self.name}' op asks for {self.wishes.scratch} bytes of scratch")
        if self.wishes.offsets and len(self.wishes.offsets) != tensors:
            raise VerifyException(f"'{self.name}' op has {tensors} tensors and {len(self.wishes.offsets)} offsets")
        if not is_power_of_two(self.wishes.alignment):
            raise VerifyException(f"'{self.name}' op alignment {self.wishes.alignment} is no power of two")


_SAID = (
    "function",
    "kind",
    "names",
    "parameters",
    "scratch_bytes",
    "alignment",
    "pools",
    "device",
    "offsets",
    "asynchronous",
)


def said(
    function: str, kind: str, names: Iterable[str], parameters: Mapping[str, Parameter], wishes: Wishes
) -> dict[str, Attribute | None]:
    """The properties of `Handed` from plain values."""
    return {
        "function": StringAttr(function),
        "kind": StringAttr(kind),
        "names": ArrayAttr(map(StringAttr, names)),
        "parameters": DictionaryAttr({name: parameter(value) for name, value in parameters.items()}),
        "scratch_bytes": integer(wishes.scratch or None, i64),
        "alignment": None if wishes.alignment == 1 else integer(wishes.alignment, i64),
        "pools": ArrayAttr(map(StringAttr, wishes.pools)) if wishes.pools else None,
        "device": StringAttr(wishes.device) if wishes.device else None,
        "offsets": integers(wishes.offsets, i64) if wishes.offsets else None,
        "asynchronous": flag(wishes.asynchronous),
    }


def parameter(value: Parameter) -> Attribute:
    """One parameter as an attribute; lists with a float in them, and `FLOATS`, are float32."""
    match value:
        case str():
            return StringAttr(value)
        case int():
            return IntegerAttr(value, i32)
        case float():
            return FloatAttr(value, f32)
        case _ if value is FLOATS or any(isinstance(one, float) for one in value):
            return DenseArrayBase.from_list(f32, [float(one) for one in value])
        case _:
            return DenseArrayBase.from_list(i32, [int(one) for one in value])


def is_power_of_two(number: int) -> bool:
    """Whether a number is an alignment."""
    return number > 0 and number & (number - 1) == 0


def _is_parameter(value: Attribute) -> bool:
    match value:
        case IntegerAttr():
            return value.type == i32
        case FloatAttr():
            return value.type == f32
        case DenseArrayBase():
            return value.elt_type in (i32, f32)
        case _:
            return isinstance(value, StringAttr)
