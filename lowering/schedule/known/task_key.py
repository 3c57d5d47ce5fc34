"""Key of a task, which two tasks share if one schedule serves both: everything but names and the values of constants.

Extents, places, element types, what is clipped, what is computed, and which operands are constants: schedules, and
instructions too, depend on these. Zero points, factors and weights are left out, so that layers of one shape are one
task.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.task import JoinOp, NestOp
from ....dialects.task.ops import IndexOp
from ...constants import Constants

_DIGITS = 32
"""Length of the digest."""


def task_key(nest: NestOp, constants: Constants) -> str:
    """The key of a task in the form that schedules are chosen for: after `narrow_sums` and `shorten_rescaling`."""
    text = "\n".join(_Writer(nest, constants).lines())
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def described(nest: NestOp) -> str:
    """Extents and element types of a task, for readers."""
    space, fold = ("x".join(str(extent) for _, extent in dims.data) for dims in (nest.space, nest.fold))
    groups = ("step_reads", "writes") if nest.fold.data else ("step_reads", "writes", "finish_reads")
    elements = dict.fromkeys(str(access.type.element_type) for group in groups for access in nest.accesses(group))
    folded = f" of {fold}" if fold and all(extent for _, extent in nest.fold.data) else ""
    return f"{space}{folded} {' '.join(elements)}"


class _Writer:
    """Writes one nest: values are numbers in the order in which they are met."""

    def __init__(self, nest: NestOp, constants: Constants):
        self._nest = nest
        self._constants = constants
        self._numbers: dict[SSAValue, str] = {}

    def lines(self) -> Iterator[str]:
        """The text."""
        nest = self._nest
        ordered = "ordered " if nest.ordered is not None else ""
        yield f"space {[extent for _, extent in nest.space.data]} {ordered}fold {[e for _, e in nest.fold.data]}"
        for group in nest.GROUPS:
            for access in nest.accesses(group):
                places = "; ".join(map(self._place, access.indices))
                yield f"{group} {self._value(access.buffer)} {places}{' clip' if access.clip else ''}"
        for region in nest.regions:
            yield from self._region(region)

    def _value(self, value: SSAValue) -> str:
        """Describe a value from outside of the nest; the second time it is met, its number says all."""
        if value in self._numbers:
            return self._numbers[value]
        if isinstance(type := value.type, MemRefType):
            number = self._numbers[value] = f"%{len(self._numbers)}"
            layout = "" if isinstance(type.layout, NoneAttr) else f" {type.layout}"
            return f"{number} {list(type.get_shape())} {type.element_type}{layout} {self._origin(value)}"
        # Computed outside of the nest: a constant, whose value does not matter, or what a loop around it knows.
        return f"{self._new(value)} {'constant' if isinstance(value.owner, arith.ConstantOp) else 'value'}"

    def _origin(self, buffer: SSAValue) -> str:
        owner = buffer.owner
        if isinstance(owner, JoinOp):
            return f"join {owner.axis.value.data} of {', '.join(map(self._value, owner.parts))}"
        is_constant = isinstance(owner, memref.GetGlobalOp) or self._constants.uses(buffer) is not None
        return "constant" if is_constant else "memory"

    def _region(self, region: Region) -> Iterator[str]:
        for block in region.blocks:
            yield f"({', '.join(map(self._new, block.args))})"
            for op in block.ops:
                yield self._operation(op)
                for inner in op.regions:
                    yield from self._region(inner)

    def _operation(self, op: Operation) -> str:
        if isinstance(op, arith.ConstantOp):
            return f"{self._new(op.result)} constant"
        if isinstance(op, IndexOp):
            position = self._nest.index_names.index(op.dim.data)
            return f"{self._new(op.result)} index {self._place(AffineExpr.dimension(position))}"
        operands = [self._value(operand) for operand in op.operands]
        given = [f"{name}={value}" for name, value in sorted({**op.properties, **op.attributes}.items())]
        return " ".join([*map(self._new, op.results), op.name, *operands, *given])

    def _new(self, value: SSAValue) -> str:
        self._numbers[value] = f"%{len(self._numbers)}"
        return f"{self._numbers[value]}:{value.type}"

    def _place(self, index: AffineExpr) -> str:
        """An index over space and fold dimensions."""
        form = self._nest.form(index)
        return " + ".join([*(f"{factor}*d{position}" for position, factor in sorted(form.terms)), str(form.constant)])
