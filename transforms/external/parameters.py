"""Parameters of C functions for an operation on tensors: shapes and properties, the same members for all of a kind.

Which members there are follows from the operation's class alone: properties that an operation does not have are empty
lists and zeros. So one struct serves all models.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f32,
    f64,
    i8,
    i32,
    i64,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    OpDef,
    OptOperandDef,
    OptResultDef,
    VarOperandDef,
    VarResultDef,
)

from ...dialects.external.handed import FLOATS, Parameter
from ...dialects.nn.accumulate import Accumulate
from ...dialects.nn.attributes import ClampAttr, RescaleAttr, ints
from ...dialects.nn.interfaces import shape_of
from ...dialects.nn.rounding import Rounding


def tensors(op: IRDLOperation) -> tuple[list[tuple[str, SSAValue]], list[tuple[str, SSAValue]]]:
    """Operands and results by the names of the function's parameters."""
    definition = op.get_irdl_definition()
    operands = _named(op, [(name, isinstance(d, VarOperandDef)) for name, d in definition.operands])
    results = _named(op, [(name, isinstance(d, VarResultDef)) for name, d in definition.results])
    return operands, results


def parameters(op: IRDLOperation) -> dict[str, Parameter]:
    """Shapes of operands and results, then properties."""
    definition = op.get_irdl_definition()
    found: dict[str, Parameter] = {}
    for name, values in _groups(op, definition):
        if values is not None:
            found[f"{name}_shape"] = shape_of(values[0]) if values else ()
    for name, property in definition.properties.items():
        if name not in _HIDDEN:
            found |= _members(name, op.properties.get(name), property.constr)
    return found


_HIDDEN = ("operandSegmentSizes", "resultSegmentSizes")


def _groups(op: IRDLOperation, definition: OpDef) -> list[tuple[str, Sequence[SSAValue] | None]]:
    """Operands and results by their names in the definition; None for any number of them."""
    groups: list[tuple[str, Sequence[SSAValue] | None]] = []
    for name, one in (*definition.operands, *definition.results):
        is_optional = isinstance(one, OptOperandDef | OptResultDef)
        many = isinstance(one, VarOperandDef | VarResultDef) and not is_optional
        value = getattr(op, name)
        groups.append((name, None if many else [] if value is None else [value]))
    return groups


def _named(op: IRDLOperation, definitions: Sequence[tuple[str, bool]]) -> list[tuple[str, SSAValue]]:
    named: list[tuple[str, SSAValue]] = []
    for name, is_many in definitions:
        value = getattr(op, name)
        if isinstance(value, SSAValue):
            named.append((name, value))
        elif is_many and value is not None:
            names = _EXTRAS if isinstance(op, Accumulate) else [f"{name}_{i}" for i in range(len(value))]
            named += zip(names, value, strict=False)
    return named


_EXTRAS = ("bias", "row_scales", "row_zero_points")
"""Operands of convolutions and matrix products behind their filters."""


def _members(name: str, value: Attribute | None, constraint: AttrConstraint) -> dict[str, Parameter]:
    """Parameter for one property; its absence counts, too, by what the operation's class allows there."""
    if constraint.verifies(_CLAMP):
        bounds = value.bounds if isinstance(value, ClampAttr) else (0, 0)
        whole, real = (bounds, (0, 0)) if isinstance(bounds[0], int) else ((0, 0), bounds)
        sides = ("min", "max")
        members: dict[str, Parameter] = {f"{name}_{side}": int(bound) for side, bound in zip(sides, whole, strict=True)}
        return members | {f"{name}_float_{side}": float(bound) for side, bound in zip(sides, real, strict=True)}
    if constraint.verifies(_RESCALE):
        prefix = "" if name == "rescale" else f"{name}_"
        if not isinstance(value, RescaleAttr):
            return {f"{prefix}multiplier": (), f"{prefix}shift": ()}
        found: dict[str, Parameter] = {
            f"{prefix}multiplier": ints(value.multiplier),
            f"{prefix}shift": ints(value.shift),
        }
        rounding = tuple(Rounding).index(value.rounding)
        # TensorFlow Lite's rounding is the one that goes without saying.
        return found | ({f"{prefix}rounding": rounding} if rounding else {})
    for example, absent in _EXAMPLES:
        if constraint.verifies(example):
            return {name: absent if value is None else _plain(value)}
    # Types, tables and numbers that may be whole or real are not passed on.
    return {name: cast(Any, value).data.value} if isinstance(value, _ENUMERATION) else {}


def _plain(value: Attribute) -> Parameter:
    match value:
        case IntegerAttr() | FloatAttr():
            return value.value.data
        case UnitAttr():
            return 1
        case DenseArrayBase():
            return cast(Any, value).get_values()
        case _:
            assert isinstance(value, StringAttr), "no other property has an example"
            return value.data


_ENUMERATION: Any = EnumAttribute
_CLAMP = ClampAttr.get(0, 1)
_RESCALE = RescaleAttr.get([1 << 30], [0])
_EXAMPLES: tuple[tuple[Attribute, Parameter], ...] = (
    *((DenseArrayBase.from_list(type, [1]), ()) for type in (i8, i32, i64)),
    *((DenseArrayBase.from_list(type, [1.0]), FLOATS) for type in (f32, f64)),
    *((IntegerAttr(1, type), 0) for type in (i8, i32, i64)),
    *((FloatAttr(1.0, type), 0.0) for type in (f32, f64)),
    (UnitAttr(), 0),
    (StringAttr(""), ""),
)
"""Properties as operations may declare them, and what stands for one that is absent."""
