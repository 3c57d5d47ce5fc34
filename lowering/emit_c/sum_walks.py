"""Pointers that walk along a loop of sums of floats, one for each place that it reads.

Clang makes all places of a loop from a few pointers and one counter. What lies further from these than an instruction
reaches takes an addition in every pass, and a loop that is written out several times needs more pointers than there are
registers. A pointer that compilers do not see through stays in a register of its own, and moves on with the load, in
one instruction (VLDMIA on Arm). GCC does that anyway.
"""

from __future__ import annotations

from itertools import combinations

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import f32
from xdsl.ir import Block, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ...dialects import task_keys
from ...dialects.index_sums import IndexSum, IndexSums
from ...dialects.operations import enclosing
from .types import memref_type

_REACH = 1020
"""Bytes behind a pointer that a load of a float reaches on Arm (VLDR)."""
_POINTERS = 10
"""Pointers for which there are registers beside the counter and the stack, on Arm."""
_FLOAT = 4
"""Bytes of a float."""


def walking_loads(loop: scf.ForOp) -> list[memref.LoadOp]:
    """The loads of a loop that read where pointers walk to; none if the loop is better off without.

    It is one that adds up floats in a function with a schedule and does nothing else, whose loads read the next element
    in every pass, at places of which some lie too far apart to share a pointer.
    """
    body = loop.body.block
    function = enclosing(loop, func.FuncOp)
    if function is None or not task_keys.SCHEDULED.within(function.attributes):
        return []
    if const_evaluate_operand(loop.step) != 1 or len(loop.iter_args) < 2:
        return []
    if any(value.type != f32 for value in loop.iter_args):
        return []
    loads = [op for op in body.ops if isinstance(op, memref.LoadOp)]
    arithmetic = arith.MulfOp | arith.AddfOp | arith.AddiOp | arith.SubiOp | arith.MuliOp | arith.ConstantOp
    if any(not isinstance(op, memref.LoadOp | arithmetic | scf.YieldOp) for op in body.ops):
        return []
    sums = IndexSums()
    places = [place for load in loads if (place := _place(load, body, sums)) is not None]
    if len(places) < len(loads) or len(set(places)) > _POINTERS:
        return []
    return loads if _lie_apart(places) else []


_Place = tuple[SSAValue, IndexSum]
"""A memref, and a place in it, in elements."""


def _place(load: memref.LoadOp, body: Block, sums: IndexSums) -> _Place | None:
    """Return the place that a load reads, if that is a float and the next pass reads the next one."""
    strides = memref_type(load.memref.type).get_strides()
    known = [stride for stride in strides or () if stride is not None]
    if load.res.type != f32 or strides is None or len(known) < len(strides):
        return None
    place = sums.place(load.indices, known)
    factors = dict(place.terms)
    if factors.get(body.args[0]) != 1 or any(value in body.args[1:] for value in factors):
        return None
    return load.memref, place


def _lie_apart(places: list[_Place]) -> bool:
    """Whether some places of one memref are no neighbours: their distance is not known, or too far for one pointer."""
    return any(
        one is other and (place.terms != there.terms or abs(place.constant - there.constant) * _FLOAT > _REACH)
        for (one, place), (other, there) in combinations(places, 2)
    )
