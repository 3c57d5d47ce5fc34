"""Check that attributes `pool.*` of an operation exist, stand where they mean something, and have sound values.

xDSL asks no dialect about attributes on other dialects' operations, so that the passes ask here before they trust any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from ..operations import enclosing
from . import keys
from .key import Carrier
from .kinds import BufferKind
from .parts import verify_parts

PREFIX = "pool."

_OF_INPUTS = (keys.INPUT, keys.SLOT)
"""Attributes of inputs alone."""

_ALWAYS_ASKED = frozenset((func.FuncOp, memref.AllocOp))


def verify_attributes(op: Operation) -> None:
    """Look at one operation; if it is a function, at its arguments too.

    Raises:
        VerifyException: a name that means nothing, with those that are close; a value of another form or out of range.
    """
    if type(op) not in _ALWAYS_ASKED and not (op.attributes and any(map(_is_ours, op.attributes))):
        return
    where = _where(op)
    _verify(op.attributes, _carriers(op), where)
    if isinstance(op, func.FuncOp):
        for number, given in enumerate(op.arg_attrs or ()):
            _verify(given.data, (Carrier.ARGUMENT,), f"{where}, argument {number}")
            _verify_leads(op, number, given.data, f"{where}, argument {number}")
    elif isinstance(op, func.CallOp) and (parts := keys.PARTS.get(op.attributes)) is not None:
        verify_parts(op, parts, where)
    elif isinstance(op, memref.AllocOp):
        _verify_buffer(op, where)


def _is_ours(name: str) -> bool:
    return name.startswith(PREFIX)


def _verify(attributes: Mapping[str, Attribute], carriers: tuple[Carrier, ...], where: str) -> None:
    for name, value in attributes.items():
        if not _is_ours(name):
            continue
        key = keys.KEYS.get(name)
        if key is None:
            raise VerifyException(f"{where}: there is no attribute {name}{_instead(name)}")
        if not set(key.carriers) & set(carriers):
            listed = "; ".join(carrier.value for carrier in key.carriers)
            raise VerifyException(f"{where}: {name} means nothing here; it stands on {listed}")
        if key.form.read(value) is None:
            raise VerifyException(f"{where}: {name} must be {key.form.words}, not {value}{_closest(name, value)}")


def _verify_leads(op: func.FuncOp, number: int, attributes: Mapping[str, Attribute], where: str) -> None:
    types = op.function_type.inputs.data
    for lead in keys.LEAD.get(attributes) or ():
        index = lead.argument.data
        if index >= len(types) or index == number or not isinstance(types[index], MemRefType):
            raise VerifyException(f"{where}: {keys.LEAD.name} names argument {index}, which is no other memref")


def _verify_buffer(op: memref.AllocOp, where: str) -> None:
    initial = keys.INITIAL.get(op.attributes)
    first, last = keys.FIRST_USE.get(op.attributes), keys.LAST_USE.get(op.attributes)
    type = op.memref.type
    assert isinstance(type, MemRefType), "allocs give memrefs"
    if initial is not None and keys.KIND.get(op.attributes) is not BufferKind.STATE:
        raise VerifyException(f"{where}: {keys.INITIAL.name} is for state, pool.kind = #pool.kind<state>")
    of_inputs = next((key for key in _OF_INPUTS if key.within(op.attributes)), None)
    if of_inputs is not None and keys.KIND.get(op.attributes) is not BufferKind.INPUT:
        raise VerifyException(f"{where}: {of_inputs.name} is for inputs, pool.kind = #pool.kind<input>")
    if initial is not None and initial.get_shape() != type.get_shape():
        raise VerifyException(f"{where}: {keys.INITIAL.name} is {initial.get_type()}, the buffer {type}")
    if first is not None and last is not None and first > last:
        raise VerifyException(f"{where}: {keys.FIRST_USE.name} {first} is after {keys.LAST_USE.name} {last}")


def _carriers(op: Operation) -> tuple[Carrier, ...]:
    match op:
        case ModuleOp():
            return (Carrier.MODULE,)
        case func.FuncOp():
            return (Carrier.FUNCTION,)
        case memref.AllocOp():
            return (Carrier.BUFFER, Carrier.OPERATION)
        case memref.ViewOp():
            return (Carrier.BUFFER, Carrier.OPERATION)
        case memref.GlobalOp():
            return (Carrier.CONSTANT,)
        case func.CallOp():
            return (Carrier.CALL, Carrier.OPERATION)
        case _:
            return (Carrier.OPERATION,)


def _where(op: Operation) -> str:
    """The operation, and what it is called or what it is in."""
    named = op.get_attr_or_prop("sym_name")
    if isinstance(named, StringAttr):
        return f"'{op.name}' op @{named.data}"
    around = enclosing(op, func.FuncOp)
    hint = op.results[0].name_hint if op.results else None
    return f"'{op.name}' op{f' %{hint}' if hint else ''}{f' in @{around.sym_name.data}' if around else ''}"


def _instead(name: str) -> str:
    close = list(_close(name, keys.KEYS))
    return f"; did you mean {' or '.join(close)}?" if close else f"; there are {', '.join(sorted(keys.KEYS))}"


def _closest(name: str, value: Attribute) -> str:
    """Kinds that a misspelt one may have meant."""
    if name != keys.KIND.name or not isinstance(value, StringAttr):
        return ""
    close = [f"#pool.kind<{kind}>" for kind in _close(value.data, [kind.value for kind in BufferKind])]
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _close(word: str, known: Mapping[str, object] | list[str]) -> Iterator[str]:
    yield from get_close_matches(word, list(known), n=1, cutoff=0.75)
