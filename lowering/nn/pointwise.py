"""Loops of elementwise operators; an operator only says what happens to the scalars.

Dimensions that both operands index alike are merged: operands of equal shape give one flat loop over 1-D memrefs, a
scalar operand is read once before it, and only true broadcasts become loop nests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

from xdsl.ir import Operation, SSAValue

from ...dialects.nn.elementwise import ElementwiseBinary
from ...dialects.nn.interfaces import shape_of
from ..builder import Value
from .kernel import Kernel

BinaryT = TypeVar("BinaryT", bound=ElementwiseBinary)
UnaryT = TypeVar("UnaryT", bound=Operation)


@dataclass(frozen=True)
class Dimension:
    """A merged dimension of the result, and which operands have it (others are broadcast along it)."""

    extent: int
    indexed_by: tuple[bool, ...]


def merge_dimensions(result: Sequence[int], operands: Sequence[Sequence[int]]) -> list[Dimension]:
    """The fewest dimensions that describe how `operands` broadcast to `result` (row-major, no dimension of 1)."""
    padded = [(1,) * (len(result) - len(shape)) + tuple(shape) for shape in operands]
    merged: list[Dimension] = []
    for d, extent in enumerate(result):
        if extent == 1:
            continue
        indexed_by = tuple(shape[d] != 1 for shape in padded)
        if merged and merged[-1].indexed_by == indexed_by:
            merged[-1] = Dimension(merged[-1].extent * extent, indexed_by)
        else:
            merged.append(Dimension(extent, indexed_by))
    return merged


def lower_binary(op: BinaryT, k: Kernel, scalar: Callable[[BinaryT, Kernel, SSAValue, SSAValue], SSAValue]) -> None:
    """Emit the loops of a two-operand operator around `scalar(op, kernel, lhs, rhs)`."""
    lower_pointwise(k, [(op.lhs, "lhs"), (op.rhs, "rhs")], op.output, lambda values: scalar(op, k, *values))


def lower_unary(
    op: UnaryT,
    operand: SSAValue,
    result: SSAValue,
    k: Kernel,
    scalar: Callable[[UnaryT, Kernel, SSAValue], SSAValue],
) -> None:
    """Emit the loop of a one-operand operator around `scalar(op, kernel, value)`."""
    lower_pointwise(k, [(operand, "input")], result, lambda values: scalar(op, k, *values))


def lower_pointwise(
    k: Kernel,
    operands: Sequence[tuple[SSAValue, str]],
    result: SSAValue,
    scalar: Callable[[Sequence[SSAValue]], SSAValue],
) -> None:
    """Emit the loops of an operator of any number of operands, which have names, around `scalar(values)`."""
    dimensions = merge_dimensions(shape_of(result), [shape_of(value) for value, _ in operands])
    sources = [
        k.input(value, hint, [d.extent for d in dimensions if d.indexed_by[number]])
        for number, (value, hint) in enumerate(operands)
    ]
    target = k.output(result, shape=[d.extent for d in dimensions])
    # Where in the nest an operand is read: inside the last loop that it is indexed by.
    depths = [
        max((depth for depth, d in enumerate(dimensions, 1) if d.indexed_by[number]), default=0)
        for number in range(len(operands))
    ]
    values: dict[int, SSAValue] = {}
    indices: list[Value] = []
    with ExitStack() as nest:
        for depth in range(len(dimensions) + 1):
            if depth:
                name = "i" if len(dimensions) == 1 else f"i{depth - 1}"
                indices.append(nest.enter_context(k.loop(name, 0, dimensions[depth - 1].extent)))
            for number, source in enumerate(sources):
                if depths[number] == depth:
                    at = [i for i, d in zip(indices, dimensions, strict=False) if d.indexed_by[number]]
                    values[number] = k.load(source, at)
        k.store(scalar([values[number] for number in range(len(sources))]), target, indices)
