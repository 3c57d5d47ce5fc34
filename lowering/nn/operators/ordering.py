"""Places of extreme elements: one scan for each, without scratch memory.

Source: TensorFlow Lite `reference_ops::ArgMinMax`, `kernels/topk_v2.cc`.
"""

from __future__ import annotations

import math

from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import IntegerType, Signedness, f32, i1, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import ArgMaxOp, ArgMinOp, TopKOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.ordering import ArgExtremum
from ...builder import Value
from ..kernel import Kernel
from ..registry import lowers
from ..scalar_types import equal, less, widened
from ..storage import storage_type

ELEMENTS = (i1, i8, IntegerType(8, Signedness.UNSIGNED), i16, i32, i64, f32)


@lowers(ArgMaxOp, ELEMENTS)
def lower_arg_max(op: ArgMaxOp, k: Kernel) -> None:
    """The first largest element."""
    _lower_arg(op, k, largest=True)


@lowers(ArgMinOp, ELEMENTS)
def lower_arg_min(op: ArgMinOp, k: Kernel) -> None:
    """The first smallest element."""
    _lower_arg(op, k, largest=False)


def _lower_arg(op: ArgExtremum, k: Kernel, *, largest: bool) -> None:
    shape, axis = shape_of(op.input), op.axis.value.data
    before, extent, behind = math.prod(shape[:axis]), shape[axis], math.prod(shape[axis + 1 :])
    source = k.input(op.input, "input", [before, extent, behind])
    target = k.output(op.output, shape=[before, behind])
    index_type = element_type_of(op.output)
    with k.loop("o", 0, before) as outer, k.loop("c", 0, behind) as inner:
        first = widened(k, k.load(source, [outer, 0, inner], "best"))

        def step(i: Value, state: list[SSAValue]) -> list[SSAValue]:
            best, place = state
            value = widened(k, k.load(source, [outer, i, inner]))
            better = less(k, best, value) if largest else less(k, value, best)
            return [k.select(better, value, best, "best"), k.select(better, k.index(i), place, "place")]

        _, place = k.reduce_several("i", 1, extent, [first, k.index(0)], step, ("best", "place"))
        k.store(k.emit(IndexCastOp(place, index_type)), target, [outer, inner])


@lowers(TopKOp, ELEMENTS)
def lower_top_k(op: TopKOp, k: Kernel) -> None:
    """For each rank: the best of all elements behind the one of the rank before in the order (value, index)."""
    *rows, extent = shape_of(op.input)
    row_count = math.prod(rows)
    source = k.input(op.input, "input", [row_count, extent])
    values = k.output(op.values, "values", [row_count, op.count])
    indices = k.output(op.indices, "indices", [row_count, op.count])
    element = storage_type(element_type_of(op.values))

    def keep(value: SSAValue, place: SSAValue, at: list[Value]) -> None:
        k.store(k.narrow(value, element) if isinstance(element, IntegerType) else value, values, at)
        k.store(k.index_to_i32(place), indices, at)

    with k.loop("row", 0, row_count) as row:

        def value_at(i: Value) -> SSAValue:
            return widened(k, k.load(source, [row, i]))

        def first_best(i: Value, state: list[SSAValue]) -> list[SSAValue]:
            best, place = state
            value = value_at(i)
            better = less(k, best, value)
            return [k.select(better, value, best, "best"), k.select(better, k.index(i), place, "place")]

        start = [value_at(0), k.index(0)]
        best, place = k.reduce_several("i", 1, extent, start, first_best, ("best", "place"))
        keep(best, place, [row, 0])

        def next_best(rank: Value, last: list[SSAValue]) -> list[SSAValue]:
            bound, bound_place = last

            def behind(i: Value, state: list[SSAValue]) -> list[SSAValue]:
                # The place of the last element itself stands for "none yet".
                best, place = state
                value = value_at(i)
                ties = k.bit_and(equal(k, value, bound), k.compare("ugt", k.index(i), bound_place))
                eligible = k.bit_or(less(k, value, bound), ties)
                none_yet = k.compare("eq", place, bound_place)
                better = k.bit_and(eligible, k.bit_or(none_yet, less(k, best, value)))
                return [k.select(better, value, best, "best"), k.select(better, k.index(i), place, "place")]

            best, place = k.reduce_several("i", 0, extent, last, behind, ("best", "place"))
            keep(best, place, [row, rank])
            return [best, place]

        k.reduce_several("rank", 1, op.count, [best, place], next_best, ("bound", "bound_place"))
