"""The loops whose variables a value is computed from."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from .conditions import conditions


def bounds(op: Operation) -> list[SSAValue]:
    """Values that say when the blocks inside an operation run."""
    return [op.lb, op.ub, op.step] if isinstance(op, scf.ForOp) else conditions(op)


class Behind:
    """The loops behind values, each found once while the IR stays as it is."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, frozenset[Operation]] = {}

    def of(self, values: Iterable[SSAValue]) -> set[Operation]:
        """The loops behind some values; of an argument of a function, that."""
        return set[Operation]().union(*map(self._behind, values))

    def _behind(self, value: SSAValue) -> frozenset[Operation]:
        known = self._known.get(value)
        if known is None:
            known = self._known[value] = frozenset(self._found(value))
        return known

    def _found(self, value: SSAValue) -> set[Operation]:
        owner = value.owner
        if isinstance(owner, Operation):
            return self.of(owner.operands)
        parent = owner.parent_op()
        if parent is None:
            return set()
        # A loop's variable comes from its bounds alone, whatever else the loop carries.
        is_variable = isinstance(parent, scf.ForOp) and value is owner.args[0]
        return {parent, *self.of(bounds(parent) if is_variable else parent.operands)}
