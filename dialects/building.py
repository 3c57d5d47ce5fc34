"""Operations without variadic parts are built without the questions that variadic parts raise.

xDSL 0.74 asks of each operand, result, region and successor whether it is a sequence, and which sizes belong into
attributes: half of what building an operation takes, and building is a tenth of a compilation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.irdl import IRDLOperation, VariadicDef

_COUNTS: dict[type[IRDLOperation], tuple[int, int] | None] = {}
"""How many operands and results there are; None where that or regions or successors vary."""
_VALUES = frozenset[type]((OpResult, BlockArgument))
_SEVERAL = frozenset[type]((list, tuple, type(None)))

_built = IRDLOperation.__init__


def _counts(kind: type[IRDLOperation]) -> tuple[int, int] | None:
    definition = kind.get_irdl_definition()
    parts = (*definition.operands, *definition.results)
    varies = definition.options or definition.regions or definition.successors
    is_fixed = not varies and not any(isinstance(part, VariadicDef) for _, part in parts)
    _COUNTS[kind] = (len(definition.operands), len(definition.results)) if is_fixed else None
    return _COUNTS[kind]


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
    given: Sequence[Any] = operands or ()
    types: Sequence[Any] = result_types or ()
    counts = _COUNTS[kind] if kind in _COUNTS else _counts(kind)
    if (
        counts != (len(given), len(types))
        or successors
        or regions
        or not _VALUES.issuperset(map(type, given))
        or not _SEVERAL.isdisjoint(map(type, types))
    ):
        # It varies, or is wrong.
        _built(
            self,
            operands=operands,
            result_types=result_types,
            properties=properties,
            attributes=attributes,
            successors=successors,
            regions=regions,
        )
        return
    Operation.__init__(
        self,
        operands=given,
        result_types=types,
        properties={name: each for name, each in properties.items() if each is not None} if properties else {},
        attributes={name: each for name, each in attributes.items() if each is not None} if attributes else {},
    )


IRDLOperation.__init__ = _build
