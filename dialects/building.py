"""Operations are built without the questions that parts in segments raise, where they have none.

xDSL 0.74 asks of each operand, result, region and successor whether it is a sequence, and which sizes belong into
attributes: half of what building an operation takes, and building is a tenth of a compilation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, Region, SSAValue, SSAValues
from xdsl.irdl import IRDLOperation, OptionalDef, VariadicDef

_VALUES = frozenset[type]((OpResult, BlockArgument))
_SEVERAL = frozenset[type]((list, tuple, SSAValues))
_MANY = 1 << 32
"""More parts than there are."""

_built = IRDLOperation.__init__


@dataclass(frozen=True)
class _Parts:
    """What an operation is built from."""

    operands: tuple[int, ...]
    """Of each how many values it may be, if not just one: it may be none then, too."""
    results: tuple[int, ...]
    regions: int


_PARTS: dict[type[IRDLOperation], _Parts | None] = {}
"""None where sizes are attributes, or regions or successors vary."""


def _parts(kind: type[IRDLOperation]) -> _Parts | None:
    definition = kind.get_irdl_definition()
    varies = any(isinstance(part, VariadicDef) for _, part in definition.regions)
    if definition.options or definition.successors or varies:
        found = None
    else:
        operands, results = (
            tuple(
                1 if isinstance(part, OptionalDef) else _MANY if isinstance(part, VariadicDef) else 0
                for _, part in each
            )
            for each in (definition.operands, definition.results)
        )
        found = _Parts(operands, results, len(definition.regions))
    _PARTS[kind] = found
    return found


def _one_by_one(given: Sequence[Any], most: tuple[int, ...], is_one: Callable[[type], bool]) -> Sequence[Any] | None:
    """All parts after each other; None where xDSL's own builder is to look."""
    if len(given) != len(most):
        return None
    found: list[Any] = []
    for part, count in zip(given, most, strict=True):
        if is_one(type(part)):
            found.append(part)
        elif count and part is None:
            pass
        elif type(part) in _SEVERAL and len(part) <= count and all(map(is_one, map(type, part))):
            found.extend(part)
        else:
            return None
    return found


def _is_type(kind: type) -> bool:
    return kind not in _SEVERAL and kind is not type(None)


def _build(
    self: IRDLOperation,
    *,
    operands: Sequence[SSAValue | Operation | Sequence[SSAValue | Operation] | None] | None = None,
    result_types: Sequence[Attribute | Sequence[Attribute] | None] | None = None,
    properties: Mapping[str, Attribute | None] | None = None,
    attributes: Mapping[str, Attribute | None] | None = None,
    successors: Sequence[Block | Sequence[Block] | None] | None = None,
    regions: Sequence[Any] | None = None,
) -> None:
    kind = type(self)
    parts = _PARTS[kind] if kind in _PARTS else _parts(kind)
    if parts is not None and not successors:
        values = _one_by_one(operands or (), parts.operands, _VALUES.__contains__)
        types = _one_by_one(result_types or (), parts.results, _is_type)
        inside = regions or ()
        if values is not None and types is not None and len(inside) == parts.regions:
            if not inside or all(type(region) is Region for region in inside):
                Operation.__init__(
                    self,
                    operands=values,
                    result_types=types,
                    properties={key: one for key, one in properties.items() if one is not None} if properties else {},
                    attributes={key: one for key, one in attributes.items() if one is not None} if attributes else {},
                    regions=inside,
                )
                return
    _built(
        self,
        operands=operands,
        result_types=result_types,
        properties=properties,
        attributes=attributes,
        successors=successors,
        regions=regions,
    )


IRDLOperation.__init__ = _build
