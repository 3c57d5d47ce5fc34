"""Tasks of elementwise operators; an operator only says what happens to the scalars.

Dimensions that all operands index alike are merged: operands of equal shape give one dimension over 1-D memrefs, and
only true broadcasts more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.ir import Operation, SSAValue

from ...dialects.nn.elementwise import ElementwiseBinary
from ...dialects.nn.interfaces import shape_of
from ...dialects.strides import broadcast_strides, merge, row_major
from .kernel import Kernel

BinaryT = TypeVar("BinaryT", bound=ElementwiseBinary)
UnaryT = TypeVar("UnaryT", bound=Operation)


def lower_binary(op: BinaryT, k: Kernel, scalar: Callable[[BinaryT, Kernel, SSAValue, SSAValue], SSAValue]) -> None:
    """Emit the task of a two-operand operator around `scalar(op, kernel, lhs, rhs)`."""
    lower_pointwise(k, [(op.lhs, "lhs"), (op.rhs, "rhs")], op.output, lambda values: scalar(op, k, *values))


def lower_unary(
    op: UnaryT,
    operand: SSAValue,
    result: SSAValue,
    k: Kernel,
    scalar: Callable[[UnaryT, Kernel, SSAValue], SSAValue],
) -> None:
    """Emit the task of a one-operand operator around `scalar(op, kernel, value)`."""
    lower_pointwise(k, [(operand, "input")], result, lambda values: scalar(op, k, *values))


def lower_pointwise(
    k: Kernel,
    operands: Sequence[tuple[SSAValue, str]],
    result: SSAValue,
    scalar: Callable[[Sequence[SSAValue]], SSAValue],
) -> None:
    """Emit the task of an operator of any number of operands, which have names, around `scalar(values)`."""
    shape = shape_of(result)
    walks = [broadcast_strides(shape_of(value), shape) for value, _ in operands]
    merged = merge(shape, [row_major(shape), *walks])
    used = [[stride != 0 for stride in strides] for strides in merged.strides[1:]]
    sources = [
        k.input(value, hint, [extent for extent, is_used in zip(merged.extents, along, strict=True) if is_used])
        for (value, hint), along in zip(operands, used, strict=True)
    ]
    target = k.output(result, shape=merged.extents)
    names = ["i"] if len(merged.extents) == 1 else [f"i{d}" for d in range(len(merged.extents))]
    nest = k.nest(dict(zip(names, merged.extents, strict=True)))

    def point() -> None:
        values = [
            k.load(source, [dim for dim, is_used in zip(nest.dims, along, strict=True) if is_used])
            for source, along in zip(sources, used, strict=True)
        ]
        k.store(scalar(values), target, nest.dims)

    nest.each(point)
