"""What sums of many products of bytes mean."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from ...dialects.simd.dots import CHANNELS, DOT, AddDotProductsOp, SumProductsOp, SumWindowOp
from ...dialects.simd.lanes import LANES, SIXTEEN
from ..builder import Loops, Value
from .meaning import Array, Elements, Operand, means


@means(
    AddDotProductsOp,
    lambda op: {"bytes": op.memref, "weights": op.weights, "sums": op.sums},
)
def add_dot_products(k: Loops, op: AddDotProductsOp, bytes: Array, weights: Array, sums: Array) -> None:
    """Sum by sum, over the runs of a window in rows and columns."""
    window = op.window
    (rows, columns), (row, column) = window.extents, window.steps
    words = window.padded // DOT

    def of_run(first: Value, run: Value, own: Array, total: SSAValue) -> SSAValue:
        def add(n: Value, total: SSAValue) -> SSAValue:
            word = k.add(k.mul(run, words), k.div(n, DOT))
            inside = k.sub(n, k.mul(k.div(n, DOT), DOT))
            weight = own.wide(k.add(k.mul(word, CHANNELS * DOT), inside))
            return k.add(total, k.mul(bytes.wide(k.add(first, n)), weight), wraps=True)

        return k.reduce("n", 0, window.count, total, add, "sum")

    with k.loop("block", 0, op.channels // CHANNELS) as block, k.loop("c", 0, CHANNELS) as c:
        begin = k.mul(block, rows * columns * words * CHANNELS * DOT)
        own, place = weights.behind(k.add(begin, k.mul(c, DOT))), k.add(k.mul(block, CHANNELS), c)
        total = _over(
            k,
            (rows, columns),
            lambda r, n, total: of_run(k.add(k.mul(r, row), k.mul(n, column)), k.add(k.mul(r, columns), n), own, total),
            sums.load(place, "sum"),
        )
        sums.store(total, place)


@means(
    SumProductsOp,
    lambda op: {
        "bytes": op.memref,
        "count": op.count,
        "weights": op.weights,
        **{f"sum{n}": one for n, one in enumerate(op.starts)},
    },
)
def sum_products(
    k: Loops, op: SumProductsOp, bytes: Array, count: Value, weights: Array, **starts: SSAValue
) -> list[SSAValue]:
    """Channel by channel."""

    def total(channel: int, start: SSAValue) -> SSAValue:
        def add(n: Value, total: SSAValue) -> SSAValue:
            block = k.div(n, SIXTEEN)
            inside = k.sub(n, k.mul(block, SIXTEEN))
            weight = weights.wide(k.add(k.mul(block, SIXTEEN * LANES), k.add(inside, SIXTEEN * channel)))
            return k.add(total, k.mul(bytes.wide(n), weight), wraps=True)

        return k.reduce("n", 0, count, start, add, "sum")

    return [total(n, start) for n, start in enumerate(starts.values())]


def _window(op: SumWindowOp) -> dict[str, Operand]:
    row, column = op.steps.get_values()
    return {"elements": op.memref, "row": row, "column": column, "weights": op.weights, "sum": op.sum}


@means(SumWindowOp, _window)
def sum_window(
    k: Loops,
    op: SumWindowOp,
    elements: Array,
    row: Value,
    column: Value,
    weights: Array,
    sum: Array | Elements,
) -> Callable[[Value], SSAValue]:
    """Lane by lane."""
    rows, columns = op.extents.get_values()

    def total(lane: Value) -> SSAValue:
        def add(r: Value, n: Value, total: SSAValue) -> SSAValue:
            byte = elements.wide(k.add(k.add(k.mul(r, row), k.mul(n, column)), lane))
            weight = weights.wide(k.add(k.mul(k.add(k.mul(r, columns), n), LANES), lane))
            return k.add(total, k.mul(byte, weight), wraps=True)

        return _over(k, (rows, columns), add, sum.load(lane))

    return total


def _over(
    k: Loops, extents: tuple[int, ...], add: Callable[[Value, Value, SSAValue], SSAValue], total: SSAValue
) -> SSAValue:
    """A total over rows and columns."""
    rows, columns = extents
    return k.reduce(
        "r", 0, rows, total, lambda r, total: k.reduce("n", 0, columns, total, lambda n, all: add(r, n, all))
    )
