"""`nn.average_pool2d` and `nn.max_pool2d` of quantised elements and floats, `nn.l2_pool2d` of floats.

Source: TensorFlow Lite `reference_integer_ops::AveragePool` and `MaxPool`, `reference_ops::AveragePool`,
`MaxPool` and `L2Pool`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import f32, i8, i16, i32
from xdsl.ir import SSAValue

from ....dialects.nn import AveragePool2DOp, L2Pool2DOp, MaxPool2DOp
from ....dialects.nn.attributes import ints
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of, is_quantised, shape_of
from ....dialects.nn.pooling import Pool2D
from ....dialects.nn.real_pooling import RealAveragePool2DOp
from ..kernel import Kernel
from ..nest import Nest
from ..real_steps import from_steps, to_steps
from ..registry import lowers
from ..requantise import FLOAT32_LOWEST, clamp_float, clamp_in_range
from ..storage import UI8
from ..sum_orders import SUMS
from ..window import Window

ELEMENTS = (i8, UI8, i16, f32)


@lowers(AveragePool2DOp, ELEMENTS)
def lower_average_pool2d(op: AveragePool2DOp, k: Kernel) -> None:
    """Sum over the window, divided by the number of taps inside the input."""
    if is_quantised(element_type_of(op.output)):

        def mean(acc: SSAValue, nest: Nest) -> SSAValue:
            count = k.index_to_i32(nest.taps())
            half = k.div(count, 2)
            is_signed = integer_range(element_type_of(op.output))[0] < 0
            nudge = k.select(k.compare("sgt", acc, 0), half, k.sub(0, half)) if is_signed else half
            return k.div(k.add(acc, nudge), count)

        _lower_pool(op, k, k.value(0, i32), lambda acc, value: k.add(acc, value, "acc"), mean)
    else:

        def mean_float(acc: SSAValue, nest: Nest) -> SSAValue:
            return k.divf(acc, k.to_float(k.index_to_i32(nest.taps())))

        _lower_pool(op, k, k.floating(0.0), lambda acc, value: k.addf(acc, value, "acc"), mean_float)


@lowers(RealAveragePool2DOp, (i8, i16))
def lower_real_average_pool2d(op: RealAveragePool2DOp, k: Kernel) -> None:
    """Sum of floats over the window, divided by the number of taps inside the input, then quantised."""
    (from_zero, to_zero), scales = ints(op.zero_points), [float(scale) for scale in op.scales.get_values()]
    assert op.clamp is not None, "verified"
    clamp, element = op.clamp, element_type_of(op.output)

    def real(value: SSAValue) -> SSAValue:
        return from_steps(k, value, from_zero, scales[0])

    def mean(acc: SSAValue, nest: Nest) -> SSAValue:
        real = k.divf(acc, k.to_float(k.index_to_i32(nest.taps())))
        return to_steps(k, real, to_zero, scales[1], clamp, element)

    order = "rows" if op.order is None else op.order.data
    sums = SUMS[order](k, ints(op.kernel), shape_of(op.input)[3])
    window = Window(ints(op.kernel), ints(op.strides), ints(op.pads))
    source, target = k.input(op.input, "input"), k.output(op.output)
    batch, *_, channels = shape_of(op.input)
    taps = window.taps if order != "columns" else dict(reversed(list(window.taps.items())))
    nest = k.nest({**window.positions(batch, shape_of(op.output)), "oc": channels}, taps)
    n, oy, ox, oc, *_ = nest.dims
    iy, ix = window.places(nest)

    def over_tap(state: list[SSAValue]) -> Sequence[SSAValue]:
        return sums.step(state, real(k.load(source, [n, iy, ix, oc], clip=True)), nest)

    def write(state: list[SSAValue]) -> None:
        k.store(mean(sums.total(state, nest), nest), target, [n, oy, ox, oc])

    nest.build(sums.start, over_tap, write, hints=sums.HINTS, ordered=True)


@lowers(L2Pool2DOp, (f32,))
def lower_l2_pool2d(op: L2Pool2DOp, k: Kernel) -> None:
    """Sum of squares over the window, divided by the number of taps inside the input, then the root."""

    def add_square(acc: SSAValue, value: SSAValue) -> SSAValue:
        return k.addf(acc, k.mulf(value, value), "acc")

    def root(acc: SSAValue, nest: Nest) -> SSAValue:
        return k.sqrt(k.divf(acc, k.to_float(k.index_to_i32(nest.taps()))))

    _lower_pool(op, k, k.floating(0.0), add_square, root)


@lowers(MaxPool2DOp, ELEMENTS)
def lower_max_pool2d(op: MaxPool2DOp, k: Kernel) -> None:
    """The largest element of the window."""
    element = element_type_of(op.output)
    if is_quantised(element):
        lowest = k.value(integer_range(element)[0], i32)
        _lower_pool(op, k, lowest, lambda acc, value: k.max(acc, value, "acc"), lambda acc, _: acc)
    else:

        def larger(acc: SSAValue, value: SSAValue) -> SSAValue:
            return k.select(k.comparef("olt", acc, value), value, acc, "acc")

        _lower_pool(op, k, k.floating(FLOAT32_LOWEST), larger, lambda acc, _: acc)


def _lower_pool(
    op: Pool2D,
    k: Kernel,
    initial: SSAValue,
    step: Callable[[SSAValue, SSAValue], SSAValue],
    finish: Callable[[SSAValue, Nest], SSAValue],
) -> None:
    """For every output pixel and channel: fold the taps inside the input, finish, clamp.

    Args:
        op: the operation.
        k: its kernel.
        initial: what the fold begins with.
        step: adds a tap; quantised elements as i32.
        finish: the result of a fold.
    """
    batch, *_, channels = shape_of(op.input)
    window = Window(ints(op.kernel), ints(op.strides), ints(op.pads))
    element = element_type_of(op.output)
    source, target = k.input(op.input, "input"), k.output(op.output)
    nest = k.nest({**window.positions(batch, shape_of(op.output)), "oc": channels}, window.taps)
    n, oy, ox, oc, _, _ = nest.dims
    iy, ix = window.places(nest)

    def over_tap(state: list[SSAValue]) -> Sequence[SSAValue]:
        value = k.load(source, [n, iy, ix, oc], clip=True)
        return [step(state[0], k.extend(value) if is_quantised(element) else value)]

    def write(state: list[SSAValue]) -> None:
        result = finish(state[0], nest)
        if is_quantised(element):
            result = k.narrow(clamp_in_range(k, result, op.clamp, element), element)
        else:
            result = clamp_float(k, result, op.clamp)
        k.store(result, target, [n, oy, ox, oc])

    nest.build(lambda: [initial], over_tap, write, ordered=not is_quantised(element))
