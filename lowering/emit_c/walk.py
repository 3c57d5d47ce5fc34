"""Pointers that walk along loops, in the place of an index from which each pass computes them anew.

Compilers take a single counter for all that a loop reads and writes if little but assembly uses the pointers, and make
each of these from it, which takes two to four instructions. A pointer that walks forward does so behind its last use,
one that walks backward in front of its first: neither leaves what it points into by more than an element.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects.simd.windows import ScaleBytesOp, SumTapsOp, passes_of
from ...dialects.simd.windows import slope as slope_of
from .c_function import pointer
from .lowering import Lowering, Walk
from .sum_walks import walking_loads

Place = tuple[SSAValue, tuple[SSAValue, ...]]
"""A memref and indices of an element."""


def places(op: SumTapsOp | ScaleBytesOp) -> dict[str, Place]:
    """Return the places that an operation reads and writes, by their names in C."""
    words = {"words": (op.words, (op.first_word,))}
    if isinstance(op, ScaleBytesOp):
        return words | {"out": (op.memref, tuple(op.indices))}
    beside = {f"bytes_{n}": (memref, tuple(op.indices)) for n, memref in enumerate(op.beside, 1)}
    return words | {"bytes": (op.memref, tuple(op.indices))} | beside


def begin_walks(loop: scf.ForOp, at: Lowering) -> None:
    """Declare the pointers that walk along a loop, in front of it."""
    body, passes = loop.body.block, passes_of(loop)
    if len(passes) < 2:
        return
    found: dict[Place, tuple[str, list[SumTapsOp | ScaleBytesOp]]] = {}
    for op in (one for one in body.ops if isinstance(one, SumTapsOp | ScaleBytesOp)):
        for name, place in places(op).items():
            found.setdefault(place, (name, []))[1].append(op)
    for place, (name, ops) in found.items():
        if distance := _distance(place, body, at):
            variable = _declare(place, name, body, passes.start, passes.step * distance, at)
            walk = Walk(variable, passes.step * distance, ops[0], ops[-1])
            at.walks.update({(op, place): walk for op in ops})


def begin_sum_walks(loop: scf.ForOp, at: Lowering) -> list[Walk]:
    """Declare the pointers that walk along a loop of sums of floats; they move on where a pass ends."""
    body, first = loop.body.block, const_evaluate_operand(loop.lb)
    if first is None:
        return []
    walks: dict[Place, Walk] = {}
    for load in walking_loads(loop):
        place = load.memref, tuple(load.indices)
        if place not in walks:
            variable = _declare(place, load.memref.name_hint or "place", body, first, 1, at)
            walks[place] = Walk(variable, 1, load, load)
        at.walks[load, place] = walks[place]
    return list(walks.values())


def walked(load: memref.LoadOp, at: Lowering) -> SSAValue | None:
    """The pointer to what a load reads, if one walks there."""
    walk = at.walks.get((load, (load.memref, tuple(load.indices))))
    return None if walk is None else walk.enter(load, at)


def _declare(place: Place, name: str, body: Block, first: int, step: int, at: Lowering) -> SSAValue:
    """A variable with the pointer of the first pass, or with that of one before if it walks backward."""
    start = first_pointer(place, body, first, at, const=name != "out", behind=-min(0, step))
    variable = at.build.variable(start.type)
    variable.name_hint = name
    at.build.assign(variable, start)
    return variable


def first_pointer(place: Place, body: Block, first: int, at: Lowering, *, const: bool, behind: int = 0) -> SSAValue:
    """The pointer to a place in the first pass of a loop, which is not entered yet, or elements behind it."""
    memref, indices = place
    return pointer(memref, [_start(index, body, first, at) for index in indices], at, const=const, behind=behind)


def _distance(place: Place, body: Block, at: Lowering) -> int | None:
    """Elements from one place of the counter to the next; None if it is not always the same number."""
    memref, indices = place
    buffer, _ = at.buffer(memref)
    total = 0
    for index, stride in zip(indices, buffer.strides, strict=True):
        slope = slope_of(index, body)
        if slope is None or (slope and stride is None):
            return None
        total += slope * (stride or 0)
    return total


def _start(value: SSAValue, body: Block, first: int, at: Lowering) -> SSAValue:
    """An index in the first pass; the loop is not entered yet."""
    if value is body.args[0]:
        return at.build.constant(first, i32)
    owner = value.owner
    if isinstance(owner, Block) or owner.parent is not body:
        return at.value(value)
    if (number := const_evaluate_operand(value)) is not None:
        return at.build.constant(number, i32)
    left, right = (_start(operand, body, first, at) for operand in owner.operands)
    symbol = "-" if isinstance(owner, arith.SubiOp) else "+" if isinstance(owner, arith.AddiOp) else "*"
    return at.build.integer(symbol, left, right)
