"""Key of a task, which two tasks share if one schedule serves both: everything but names and the values of constants.

Extents, places, element types, what is clipped, what is computed, and which operands are constants: schedules, and
instructions too, depend on these. Zero points, factors and weights are left out, so that layers of one shape are one
task.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.task import JoinOp, NestOp
from ....dialects.task.domain import Linear
from ....dialects.task.ops import IndexOp
from ...tasks.dual.constants import Constants

_DIGITS = 32
"""Length of the digest."""


@dataclass(frozen=True)
class TaskKey:
    """Name of a task in a database."""

    digest: str
    """Digest of everything that its schedule may depend on."""
    what: str
    """Extents and element types, for readers."""

    def __str__(self) -> str:
        return self.digest


def task_key(nest: NestOp, constants: Constants) -> TaskKey:
    """The key of a task in the form that schedules are chosen for: after `narrow_sums` and `shorten_rescaling`."""
    text = "\n".join(_Writer(nest, constants).lines())
    return TaskKey(hashlib.sha256(text.encode()).hexdigest()[:_DIGITS], _what(nest))


def _what(nest: NestOp) -> str:
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
                clip = " clip" if access.clip else ""
                places = "; ".join(_form(nest.form(index)) for index in access.indices)
                yield f"{group} {self._buffer(access.buffer)} {places}{clip}"
        for region in (nest.start, nest.step, nest.finish):
            yield from self._region(region)

    def _buffer(self, buffer: SSAValue) -> str:
        """Describe a buffer: the second time it is met, its number says all."""
        if buffer in self._numbers:
            return self._numbers[buffer]
        self._numbers[buffer] = f"%{len(self._numbers)}"
        return f"{self._numbers[buffer]} {_type(buffer.type)} {self._origin(buffer)}"

    def _origin(self, buffer: SSAValue) -> str:
        owner = buffer.owner
        if isinstance(owner, JoinOp):
            parts = ", ".join(self._buffer(part) for part in owner.parts)
            return f"join {owner.axis.value.data} of {parts}"
        is_constant = isinstance(owner, memref.GetGlobalOp) or self._constants.uses(buffer) is not None
        return "constant" if is_constant else "memory"

    def _region(self, region: Region) -> Iterator[str]:
        for block in region.blocks:
            yield f"({', '.join(self._new(argument) for argument in block.args)})"
            for op in block.ops:
                yield self._operation(op)
                for inner in op.regions:
                    yield from self._region(inner)

    def _operation(self, op: Operation) -> str:
        if isinstance(op, arith.ConstantOp):
            return f"{self._new(op.result)} constant"
        if isinstance(op, IndexOp):
            position = self._nest.index_names.index(op.dim.data)
            place = self._nest.form(AffineExpr.dimension(position))
            return f"{self._new(op.result)} index {_form(place)}"
        operands = [self._operand(operand) for operand in op.operands]
        given = [f"{name}={value}" for name, value in sorted({**op.properties, **op.attributes}.items())]
        return " ".join([*map(self._new, op.results), op.name, *operands, *given])

    def _operand(self, value: SSAValue) -> str:
        if value in self._numbers:
            return self._numbers[value]
        if isinstance(value.type, MemRefType):
            return self._buffer(value)
        # Computed outside of the nest: a constant, whose value does not matter, or what a loop around it knows.
        kind = "constant" if isinstance(value.owner, arith.ConstantOp) else "value"
        return f"{self._new(value)} {kind}"

    def _new(self, value: SSAValue) -> str:
        self._numbers[value] = f"%{len(self._numbers)}"
        return f"{self._numbers[value]}:{value.type}"


def _type(type: Attribute) -> str:
    assert isinstance(type, MemRefType), "operands of nests are memrefs"
    layout = "" if isinstance(type.layout, NoneAttr) else f" {type.layout}"
    return f"{list(type.get_shape())} {type.element_type}{layout}"


def _form(form: Linear) -> str:
    terms = [f"{factor}*d{position}" for position, factor in sorted(form.terms)]
    return " + ".join([*terms, str(form.constant)])
