"""`nn.svdf`.

Source: TensorFlow Lite Micro `EvalIntegerSvdfReference` and `EvalFloatSvdfReference`, TensorFlow Lite `EvalHybridSVDF`.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import f32, i8, i16, i32
from xdsl.ir import SSAValue

from ....dialects.nn import SvdfOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.quantisation import Quantisation
from ....dialects.nn.quantised import integer_range
from ...builder import Value
from ..hybrid import HybridRow
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import Requantiser, clamp_float, fits_int32, largest_magnitude


@lowers(SvdfOp, (i8, i16, i32, f32))
def lower_svdf(op: SvdfOp, k: Kernel) -> None:
    """For every row and unit, filter by filter: the state moves on, gets its newest entry, and is summed over time."""
    batch, _ = shape_of(op.input)
    filters, memory = shape_of(op.time)
    step = _arithmetic(op, k)
    time = k.input(op.time, "time")
    bias = None if op.bias is None else k.input(op.bias, "bias")
    state = k.input(op.state, "state", (batch, filters, memory))
    target = k.output(op.output)
    with k.loop("n", 0, batch) as n:
        step.begin(n)
        with k.loop("unit", 0, filters // op.rank) as unit:

            def add_filter(r: Value, total: SSAValue, n: Value = n, unit: Value = unit) -> SSAValue:
                f = k.add(k.mul(unit, op.rank), r, "filter")
                newest = step.newest(n, f)
                with k.loop("m", 0, memory - 1) as m:
                    k.store(k.load(state, [n, f, k.add(m, 1)]), state, [n, f, m])
                k.store(newest, state, [n, f, memory - 1])

                def over_time(m: Value, acc: SSAValue) -> SSAValue:
                    return step.over_time(acc, k.load(state, [n, f, m], "value"), k.load(time, [f, m], "weight"))

                return step.add(total, k.reduce("m", 0, memory, step.zero(), over_time))

            start = step.zero() if bias is None else k.load(bias, [unit])
            k.store(step.result(k.reduce("r", 0, op.rank, start, add_filter, "total")), target, [n, unit])


def _arithmetic(op: SvdfOp, k: Kernel) -> _Arithmetic:
    if op.scales is not None:
        return _Hybrid(op, k, op.scales.get_values())
    return _Float(op, k) if op.quantised is None else _Quantised(op, k, op.quantised)


class _Arithmetic(abc.ABC):
    """What the element types decide."""

    def __init__(self, op: SvdfOp, k: Kernel):
        self._op = op
        self._k = k
        self._depth = shape_of(op.input)[1]
        self._source, self._features = k.input(op.input, "input"), k.input(op.features, "features")

    def begin(self, n: Value) -> None:  # noqa: B027 - not all prepare rows
        """Before the filters of a row."""

    def newest(self, n: Value, f: Value) -> SSAValue:
        """The state's new entry: the product of the row with the features of a filter."""
        k = self._k

        def feature(i: Value, acc: SSAValue) -> SSAValue:
            return self._feature(acc, k.load(self._source, [n, i], "value"), k.load(self._features, [f, i], "weight"))

        return self._entry(k.reduce("i", 0, self._depth, self.zero(), feature))

    @abc.abstractmethod
    def zero(self) -> SSAValue: ...

    @abc.abstractmethod
    def _feature(self, acc: SSAValue, value: SSAValue, weight: SSAValue) -> SSAValue: ...

    @abc.abstractmethod
    def _entry(self, acc: SSAValue) -> SSAValue: ...

    @abc.abstractmethod
    def over_time(self, acc: SSAValue, value: SSAValue, weight: SSAValue) -> SSAValue: ...

    @abc.abstractmethod
    def add(self, total: SSAValue, acc: SSAValue) -> SSAValue: ...

    @abc.abstractmethod
    def result(self, total: SSAValue) -> SSAValue: ...


class _Float(_Arithmetic):
    def zero(self) -> SSAValue:
        return self._k.floating(0.0)

    def _feature(self, acc: SSAValue, value: SSAValue, weight: SSAValue) -> SSAValue:
        return self._k.addf(acc, self._k.mulf(weight, value), "acc")

    def _entry(self, acc: SSAValue) -> SSAValue:
        return acc

    def over_time(self, acc: SSAValue, value: SSAValue, weight: SSAValue) -> SSAValue:
        return self._feature(acc, value, weight)

    def add(self, total: SSAValue, acc: SSAValue) -> SSAValue:
        return self._k.addf(total, acc, "total")

    def result(self, total: SSAValue) -> SSAValue:
        return clamp_float(self._k, total, self._op.clamp)


class _Hybrid(_Float):
    def __init__(self, op: SvdfOp, k: Kernel, scales: Sequence[float]):
        super().__init__(op, k)
        self._feature_scale, self._time_scale = map(float, scales)
        self._row = HybridRow(k, self._depth, "quantised", asymmetric=op.asymmetric is not None)

    def begin(self, n: Value) -> None:
        self._row.quantise(lambda i: self._k.load(self._source, [n, i]))

    def newest(self, n: Value, f: Value) -> SSAValue:
        return self._row.product(self._features, f, self._feature_scale)

    def over_time(self, acc: SSAValue, value: SSAValue, weight: SSAValue) -> SSAValue:
        real = self._k.mulf(self._k.to_float(weight), self._k.floating(self._time_scale))
        return super().over_time(acc, value, real)


class _Quantised(_Arithmetic):
    def __init__(self, op: SvdfOp, k: Kernel, quantised: Quantisation):
        super().__init__(op, k)
        self._input_zero_point, self._state_zero_point, output_zero_point = quantised.zero_points
        state, output = element_type_of(op.state), element_type_of(op.output)
        self._feature_bound = _bound(
            self._depth, largest_magnitude(output, self._input_zero_point), largest_magnitude(i8, 0)
        )
        self._time_bound = _bound(
            shape_of(op.time)[1], largest_magnitude(state, self._state_zero_point), largest_magnitude(state, 0)
        )
        to_state, to_output = map(quantised.rescale.factor, range(2))
        whole = ClampAttr.get(*integer_range(state))
        self._state = state
        self._to_state = Requantiser(k, to_state, 0, whole, i32)
        self._to_output = Requantiser(k, to_output, output_zero_point, quantised.clamp, output)

    def zero(self) -> SSAValue:
        return self._k.value(0, i32)

    def _feature(self, acc: SSAValue, value: SSAValue, weight: SSAValue) -> SSAValue:
        return self._multiply_add(acc, value, weight, self._input_zero_point, self._feature_bound)

    def _entry(self, acc: SSAValue) -> SSAValue:
        k = self._k
        steps = self._to_state.apply(k, acc, 0, self._feature_bound)
        return k.narrow(k.add(steps, self._state_zero_point), self._state)

    def over_time(self, acc: SSAValue, value: SSAValue, weight: SSAValue) -> SSAValue:
        return self._multiply_add(acc, value, weight, self._state_zero_point, self._time_bound)

    def add(self, total: SSAValue, acc: SSAValue) -> SSAValue:
        return self._k.add(total, acc, "total", wraps=True)

    def result(self, total: SSAValue) -> SSAValue:
        return self._to_output.apply(self._k, total, 0, 2**31)

    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, zero_point: int, bound: int) -> SSAValue:
        k, wraps = self._k, not fits_int32(bound)
        product = k.mul(k.extend(weight), k.sub(k.extend(value), zero_point), wraps=wraps)
        return k.add(acc, product, "acc", wraps=wraps)


def _bound(count: int, value: int, weight: int) -> int:
    return min(count * value * weight, 2**31)
