"""Operators that only move elements: what they do to floats they do to integers, so scales pass through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .node import Node
from .stored import Stored
from .tensors import MOVED, Lazy, Quantised, Steps, Table, Tensor

Move = Callable[[Stored, float], Stored]
"""From where elements are to where they come; the number stands for 0, which is that of margins."""


def moved(node: Node, tensor: Tensor, shape: Sequence[int], move: Move, name: str | None = None) -> Tensor:
    """The tensor whose elements are others of another one."""

    def zero() -> float:
        return -MOVED.get(tensor.dtype, 0)

    known = tensor.quantise

    def quantise(to: Quantised) -> Stored | None:
        made = node.in_integers(tensor, to)
        return None if made is None else move(made, to.zero_point)

    steps, table = tensor.steps, tensor.table
    if steps is not None:
        held = steps
        integers = Lazy(lambda: move(held.integers.stored, held.quantised.zero_point))
        steps = Steps(integers, held.quantised)
        table = None if table is None else replace(table, integers=integers)
    elif table is not None:
        found = table
        # A margin would need the integer whose result is 0.
        table = Table(Lazy(lambda: move(found.integers.stored, 0)), found.reals)
    return Tensor(
        name or node.name,
        tuple(int(extent) for extent in shape),
        tensor.dtype,
        Lazy(lambda: move(tensor.value.stored, zero())),
        steps=steps,
        table=table,
        quantise=None if known is None else quantise,
    )
