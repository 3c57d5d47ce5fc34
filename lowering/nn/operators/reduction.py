"""Reductions along axes: loops over what remains around one accumulator.

Source: TensorFlow Lite `reference_ops::ReduceGeneric`, `Mean`, `QuantizedMeanOrSum`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import IntegerType, Signedness, f32, i1, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import MeanOp, ReduceAllOp, ReduceAnyOp, ReduceMaxOp, ReduceMinOp, ReduceProductOp, ReduceSumOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.quantisation import Quantisation
from ....dialects.nn.reduction import ExtremeReduction, Reduction, SumReduction
from ....dialects.strides import broadcast_strides, merge, row_major
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import FLOAT32_LOWEST, Requantiser, WideFactor, fits_int32, largest_magnitude
from ..scalar_types import extremum, widened, widest
from ..storage import storage_type

ELEMENTS = (i1, i8, IntegerType(8, Signedness.UNSIGNED), i16, i32, i64, f32)

Step = Callable[[SSAValue, SSAValue], SSAValue]
"""`(accumulator, element)` to the next accumulator."""


def lower_extremum(op: Reduction, k: Kernel) -> None:
    """Maximum or minimum, of truth values any or all."""
    largest = isinstance(op, ReduceMaxOp | ReduceAnyOp)
    element = element_type_of(op.input)
    if isinstance(element, IntegerType):
        initial = k.value(integer_range(element)[0 if largest else 1], widest(element))
    else:
        lowest = -math.inf if isinstance(op, ExtremeReduction) and op.infinite is not None else FLOAT32_LOWEST
        initial = k.floating(lowest if largest else -lowest)
    _reduce(op, k, initial, lambda acc, value: extremum(k, acc, value, largest=largest), lambda acc: acc)


for kind in (ReduceMaxOp, ReduceMinOp, ReduceAllOp, ReduceAnyOp):
    lowers(kind, ELEMENTS)(lower_extremum)


@lowers(ReduceProductOp, (i8, i16, i32, i64, f32))
def lower_product(op: ReduceProductOp, k: Kernel) -> None:
    """Plain integers wrap, quantised ones are rescaled after every product."""
    element = element_type_of(op.input)
    if op.quantised is not None:
        _multiply_quantised(op, k, op.quantised)
    elif isinstance(element, IntegerType):
        initial = k.value(1, element)
        _reduce(op, k, initial, lambda acc, v: k.mul(v, acc, "acc", wraps=True), lambda acc: acc)
    else:
        _reduce(op, k, k.floating(1.0), lambda acc, v: k.mulf(v, acc, "acc"), lambda acc: acc)


def _multiply_quantised(op: ReduceProductOp, k: Kernel, quantised: Quantisation) -> None:
    from_zero, to_zero = quantised.zero_points
    factor = WideFactor.of(k, quantised.rescale)
    to_output = Requantiser(k, quantised.rescale, to_zero, quantised.clamp, element_type_of(op.output), i64)
    # No product has this value: it stands for that of no elements.
    nothing = k.value(2**31, i64)

    def multiply(acc: SSAValue, value: SSAValue) -> SSAValue:
        steps = k.extend(k.sub(value, from_zero), i64)
        product, _ = factor.apply(k, k.mul(acc, steps), 2**31)
        return k.select(k.compare("eq", acc, nothing), steps, k.extend(product, i64), "acc")

    _reduce(op, k, nothing, multiply, lambda acc: to_output.apply(k, acc, 0, 2**31))


@lowers(ReduceSumOp, ELEMENTS)
def lower_sum(op: ReduceSumOp, k: Kernel) -> None:
    """The sum, requantised if it is quantised."""
    _lower_sum(op, k)


@lowers(MeanOp, ELEMENTS)
def lower_mean(op: MeanOp, k: Kernel) -> None:
    """The sum divided; the factor of quantised ones contains the division."""
    _lower_sum(op, k)


def _lower_sum(op: SumReduction, k: Kernel) -> None:
    element = element_type_of(op.input)
    count = _reduced_count(op)
    if not isinstance(element, IntegerType):

        def quotient(acc: SSAValue) -> SSAValue:
            return k.divf(acc, float(count)) if isinstance(op, MeanOp) else acc

        _reduce(op, k, k.floating(0.0), lambda acc, value: k.addf(value, acc, "acc"), quotient)
    elif op.quantised is None:
        # Means are divided after an int64 sum, sums stay in their type.
        wide = i64 if isinstance(op, MeanOp) else element

        def whole(acc: SSAValue) -> SSAValue:
            return k.narrow(k.div(acc, count) if isinstance(op, MeanOp) else acc, element)

        def add_wrapping(acc: SSAValue, value: SSAValue) -> SSAValue:
            return k.add(acc, k.extend(value, wide), "acc", wraps=True)

        _reduce(op, k, k.value(0, wide), add_wrapping, whole)
    else:
        _sum_quantised(op, op.quantised, k, element, count)


def _sum_quantised(op: SumReduction, quantised: Quantisation, k: Kernel, element: IntegerType, count: int) -> None:
    from_zero, to_zero = quantised.zero_points
    raw, bound = largest_magnitude(element, 0) * count, largest_magnitude(element, from_zero) * count
    wraps = not fits_int32(raw + abs(from_zero) * count)
    to_output = Requantiser(k, quantised.rescale, to_zero, quantised.clamp, element)
    # The low 32 bits: what the reference's narrowing keeps of a sum of 2**31 or more.
    offset = (from_zero * count + 2**31) % 2**32 - 2**31

    def finish(acc: SSAValue) -> SSAValue:
        return to_output.apply(k, k.sub(acc, offset, wraps=wraps), 0, min(bound, 2**31))

    _reduce(op, k, k.value(0, i32), lambda acc, v: k.add(acc, v, "acc", wraps=wraps), finish)


def _reduced_count(op: Reduction) -> int:
    count = 1
    for axis in ints(op.axes):
        count *= shape_of(op.input)[axis]
    return count


def _reduce(op: Reduction, k: Kernel, initial: SSAValue, step: Step, finish: Callable[[SSAValue], SSAValue]) -> None:
    """A fold in row-major order over the reduced dimensions at every point of the others; elements come widened."""
    shape, axes = shape_of(op.input), ints(op.axes)
    kept_shape = [1 if d in axes else extent for d, extent in enumerate(shape)]
    merged = merge(shape, [row_major(shape), broadcast_strides(kept_shape, shape)])
    reduced = [not stride for stride in merged.strides[1]]
    kept = [extent for extent, is_reduced in zip(merged.extents, reduced, strict=True) if not is_reduced]
    source = k.input(op.input, "input", merged.extents)
    target = k.output(op.output, shape=kept)
    element = storage_type(element_type_of(op.output))
    folded = {f"r{d}": extent for d, extent in enumerate(merged.extents) if reduced[d]}
    nest = k.nest({f"o{d}": extent for d, extent in enumerate(kept)}, folded or {"r": 1})
    outer, inner = nest.dims[: len(kept)], iter(nest.dims[len(kept) :])
    remaining = iter(outer)
    at = [next(inner if is_reduced else remaining) for is_reduced in reduced]

    def over_element(state: list[SSAValue]) -> Sequence[SSAValue]:
        return [step(state[0], widened(k, k.load(source, at)))]

    def write(state: list[SSAValue]) -> None:
        result = finish(state[0])
        k.store(k.narrow(result, element) if isinstance(element, IntegerType) else result, target, outer)

    nest.build(lambda: [initial], over_element, write, ordered=not isinstance(element, IntegerType))
