"""Operations are made in one pass over their parts.

xDSL 0.74 sets operands and successors as if others were there before, asks each new operation whether it contains the
block that it comes into, and looks for default values among all its properties.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, SSAValues, Use
from xdsl.irdl import IRDLOperation, OptionalDef

_NO_VALUES = SSAValues[SSAValue]()
_NO_RESULTS = SSAValues[OpResult]()
_NOTHING: Mapping[str, Attribute] = {}
_Defaults = tuple[tuple[str, Attribute], ...]

_attached = Block._attach_op
_DEFAULTS: dict[type[IRDLOperation], tuple[_Defaults, _Defaults]] = {}
"""Properties and attributes that operations have although nobody gives them."""


def _make(
    self: Operation,
    *,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = _NOTHING,
    attributes: Mapping[str, Attribute] = _NOTHING,
    location: LocationAttr | None = None,
    successors: Sequence[Block] = (),
    regions: Sequence[Region] = (),
) -> None:
    self._operands, self._operand_uses = _NO_VALUES, ()
    if operands:
        _set_operands(self, operands)
    self.results = _NO_RESULTS
    if result_types:
        self.results = SSAValues([OpResult(kind, self, index) for index, kind in enumerate(result_types)])
    self.properties = dict(properties)
    self.attributes = dict(attributes)
    self.location = UNKNOWN_LOC if location is None else location
    if successors:
        self.successors = successors
    self.regions = ()
    for region in regions:
        self.add_region(region)
    self.__post_init__()


def _set_operands(op: Operation, operands: Sequence[SSAValue]) -> None:
    """Give operands to an operation that has none."""
    op._operands = held = SSAValues(operands)
    op._operand_uses = uses = tuple([Use(op, index) for index in range(len(held))])
    for operand, use in zip(held, uses, strict=True):
        operand.add_use(use)


def _fill_in(self: IRDLOperation) -> None:
    kind = type(self)
    properties, attributes = _DEFAULTS[kind] if kind in _DEFAULTS else _defaults(kind)
    for name, value in properties:
        self.properties.setdefault(name, value)
    for name, value in attributes:
        self.attributes.setdefault(name, value)
    # Where a builder is implicit, this puts the operation into its block.
    Operation.__post_init__(self)


def _defaults(kind: type[IRDLOperation]) -> tuple[_Defaults, _Defaults]:
    definition = kind.get_irdl_definition()
    properties, attributes = (
        tuple(
            (name, part.default_value)
            for name, part in each.items()
            if part.default_value is not None and not isinstance(part, OptionalDef)
        )
        for each in (definition.properties, definition.attributes)
    )
    _DEFAULTS[kind] = properties, attributes
    return properties, attributes


def _attach(self: Block, operation: Operation) -> None:
    if operation.parent is None and not operation.regions:
        operation.parent = self
    else:
        _attached(self, operation)


def _add(self: Block, operation: Operation) -> None:
    last = self._last_op
    self._attach_op(operation)
    if last is None:
        self._first_op = operation
    else:
        last._next_op, operation._prev_op, operation._next_op = operation, last, None
    self._last_op = operation


Operation.__init__ = _make
IRDLOperation.__post_init__ = _fill_in
Block._attach_op = _attach
Block.add_op = _add
