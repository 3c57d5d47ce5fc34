"""`nn.resize_nearest`, `nn.resize_bilinear`, `nn.real_resize`: where rows and columns come from stands in tables.

Source: TensorFlow Lite `reference_ops::ResizeNearestNeighbor`, `ResizeBilinear`, `ResizeBilinearInteger`;
onnxruntime `UpsampleBilinear`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xdsl.dialects.arith import FPToSIOp
from xdsl.dialects.builtin import IntegerType, Signedness, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from ....dialects.nn import ResizeBilinearOp, ResizeNearestOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.real_resize import RealResizeOp
from ....dialects.nn.resize import ONE
from ...builder import Value
from ..kernel import Kernel
from ..real_steps import from_steps, to_steps
from ..registry import lowers
from ..scalar_types import widened

UNSIGNED = IntegerType(8, Signedness.UNSIGNED)


@lowers(ResizeNearestOp, (i1, i8, UNSIGNED, i16, i32, i64, f32))
def lower_resize_nearest(op: ResizeNearestOp, k: Kernel) -> None:
    """Copies of whole pixels."""
    source, target = k.input(op.input, "input"), k.output(op.output)
    batch, height, width, channels = shape_of(op.output)
    rows, columns = op.places(1), op.places(2)
    row_table, column_table = _place_table(k, rows, "rows"), _place_table(k, columns, "columns")
    with (
        k.loop("n", 0, batch) as n,
        _places(k, "y", rows, row_table, height) as (iy, oy),
        _places(k, "x", columns, column_table, width) as (ix, ox),
        k.loop("c", 0, channels) as c,
    ):
        k.store(k.load(source, [n, iy, ix, c], "value"), target, [n, oy, ox, c])


def _place_table(k: Kernel, places: Sequence[int], hint: str) -> SSAValue | None:
    """The input indices as a table; None where each one is repeated equally often."""
    return None if _repeats(places) else k.table(_smallest(places), hint)


def _smallest(values: Sequence[int]) -> npt.NDArray[np.signedinteger]:
    """Indices in the narrowest type that holds them."""
    return np.array(values, next(t for t in (np.int8, np.int16, np.int32) if max(values) <= np.iinfo(t).max))


def _repeats(places: Sequence[int]) -> int:
    """Return how often each index comes in a row if it is the same for all from 0 on; else 0."""
    times, count = places.count(0), len(places)
    return times if times and not count % times and list(places) == [i // times for i in range(count)] else 0


@contextmanager
def _places(
    k: Kernel, name: str, places: Sequence[int], table: SSAValue | None, extent: int
) -> Generator[tuple[Value, Value]]:
    """Loops over all input and output indices that belong together."""
    if table is not None:
        with k.loop(f"o{name}", 0, extent) as o:
            yield k.i32_to_index(k.load(table, [o])), o
        return
    times = _repeats(places)
    with k.loop(f"i{name}", 0, extent // times) as i, k.loop(f"r{name}", 0, times) as r:
        yield i, k.add(k.mul(i, times), r)


Numbers = npt.NDArray[np.float32 | np.int16]


@dataclass(frozen=True)
class Neighbours:
    """Neighbours of every output index of one axis: the two input indices and the weights of both."""

    lower: SSAValue
    upper: SSAValue
    weights: tuple[SSAValue, SSAValue]

    @staticmethod
    def of(k: Kernel, op: ResizeBilinearOp, axis: int, hint: str, *, real: bool) -> Neighbours:
        """Tables for an axis."""
        lower, upper, fraction = op.real_places(axis) if real else op.integer_places(axis)
        rest = np.float32(1) - fraction if real else ONE - fraction
        return Neighbours.stored(k, (lower, upper, rest, fraction), hint)

    @staticmethod
    def stored(k: Kernel, known: tuple[Sequence[int], Sequence[int], Numbers, Numbers], hint: str) -> Neighbours:
        """Tables of lower and upper indices, and of the weights of both."""
        lower, upper, before, beyond = known
        return Neighbours(
            k.table(_smallest(lower), f"{hint}_lower"),
            k.table(_smallest(upper), f"{hint}_upper"),
            (k.table(before, f"{hint}_lower_weight"), k.table(beyond, f"{hint}_upper_weight")),
        )

    def at(self, k: Kernel, index: Value) -> tuple[list[SSAValue], list[SSAValue]]:
        """Indices and weights for one output index."""
        places = [k.i32_to_index(k.load(table, [index])) for table in (self.lower, self.upper)]
        return places, [widened(k, k.load(table, [index])) for table in self.weights]


@lowers(ResizeBilinearOp, (i8, UNSIGNED, i16, f32))
def lower_resize_bilinear(op: ResizeBilinearOp, k: Kernel) -> None:
    """The weighted sum of four elements for each output element."""
    element = element_type_of(op.output)
    real = element in (f32, UNSIGNED)
    rows = Neighbours.of(k, op, 1, "rows", real=real)
    columns = Neighbours.of(k, op, 2, "columns", real=real)
    made = _real_mean if real else _integer_mean
    # In the order of the reference's sum.
    _four(op, k, rows, columns, ((0, 0), (1, 0), (0, 1), (1, 1)), lambda weights: made(k, weights, element))


@lowers(RealResizeOp, (i8, i16, f32))
def lower_real_resize(op: RealResizeOp, k: Kernel) -> None:
    """The sum of four floats, each times the product of its weights, for each output element."""
    rows, columns = (Neighbours.stored(k, op.neighbours(axis), name) for axis, name in ((1, "rows"), (2, "columns")))

    def mean(weights: Weights) -> Mean:
        factors = [k.mulf(left, above) for above, left in weights]

        def weighted(values: Sequence[SSAValue]) -> SSAValue:
            first, *others = [k.mulf(factor, real(value)) for factor, value in zip(factors, values, strict=True)]
            for term in others:
                first = k.addf(first, term)
            return steps(first)

        return weighted

    def real(value: SSAValue) -> SSAValue:
        return value if op.zero_points is None else from_steps(k, value, ints(op.zero_points)[0], scales[0])

    def steps(real: SSAValue) -> SSAValue:
        if op.zero_points is None or op.clamp is None:
            return real
        zero, truncates = ints(op.zero_points)[1], op.truncates is not None
        return to_steps(k, real, zero, scales[1], op.clamp, element_type_of(op.output), truncates=truncates)

    scales = [] if op.scales is None else [float(scale) for scale in op.scales.get_values()]
    _four(op, k, rows, columns, ((0, 0), (0, 1), (1, 0), (1, 1)), mean)


def _four(
    op: ResizeBilinearOp | RealResizeOp,
    k: Kernel,
    rows: Neighbours,
    columns: Neighbours,
    order: Sequence[tuple[int, int]],
    mean: Callable[[Weights], Mean],
) -> None:
    """For every output element: a mean of four, with the weights that its row and its column have.

    Args:
        op: the operation.
        k: its kernel.
        rows: neighbours of every row.
        columns: neighbours of every column.
        order: row and column of each element, 0 or 1, as they are added.
        mean: makes the mean from the weights, once for each pixel.
    """
    source, target = k.input(op.input, "input"), k.output(op.output)
    batch, height, width, channels = shape_of(op.output)
    with k.loop("n", 0, batch) as n, k.loop("oy", 0, height) as oy:
        ys, vertical = rows.at(k, oy)
        with k.loop("ox", 0, width) as ox:
            xs, horizontal = columns.at(k, ox)
            of_weights = mean([(vertical[y], horizontal[x]) for y, x in order])
            with k.loop("c", 0, channels) as c:
                values = [widened(k, k.load(source, [n, ys[y], xs[x], c])) for y, x in order]
                k.store(of_weights(values), target, [n, oy, ox, c])


Weights = Sequence[tuple[SSAValue, SSAValue]]
"""The vertical and the horizontal one of each corner."""

Mean = Callable[[Sequence[SSAValue]], SSAValue]
"""From the widened elements of the corners to the result."""


def _real_mean(k: Kernel, weights: Weights, element: Attribute) -> Mean:
    """A sum of floats; to bytes it is rounded by adding 1/2 and dropping the fraction."""

    def mean(values: Sequence[SSAValue]) -> SSAValue:
        floats = [k.to_float(value) if element == UNSIGNED else value for value in values]
        first, *others = [k.mulf(k.mulf(v, above), left) for v, (above, left) in zip(floats, weights, strict=True)]
        for term in others:
            first = k.addf(first, term)
        # The reference adds 0 to floats, too, which makes 0 of -0.
        total = k.addf(first, k.floating(0.5 if element == UNSIGNED else 0.0))
        return k.emit(FPToSIOp(total, i32)) if element == UNSIGNED else total

    return mean


def _integer_mean(k: Kernel, weights: Weights, element: Attribute) -> Mean:
    """A sum with 20 fractional bits, rounded halves away from zero."""
    # All weights together have a magnitude of at most (2 * ONE)**2: sums of more than 8 bits need 64.
    wide = i32 if element == i8 else i64
    factors = [k.extend(k.mul(above, left), wide) for above, left in weights]

    def mean(values: Sequence[SSAValue]) -> SSAValue:
        total: Value = 0
        for value, factor in zip(values, factors, strict=True):
            total = k.add(total, k.mul(k.extend(value, wide), factor))
        half = ONE * ONE // 2
        nudge = k.select(k.compare("sgt", total, 0), half, -half, type=wide)
        return k.narrow(k.div(k.add(total, nudge), ONE * ONE), element)

    return mean
