"""`nn.svdf`: the state moves on, then tasks of the products with features and of those over time.

Source: TensorFlow Lite Micro `EvalIntegerSvdfReference` and `EvalFloatSvdfReference`, TensorFlow Lite `EvalHybridSVDF`.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import f32, i8, i16, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.nn import SvdfOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.quantisation import Quantisation
from ....dialects.simd.moves import SlideBytesOp
from ..accumulate import largest_bias
from ..hybrid import HybridRows
from ..kernel import Kernel
from ..nest import Place
from ..registry import lowers
from ..requantise import Requantiser, clamp_float, fits_int32, largest_magnitude

_First: TypeAlias = Callable[[Place], SSAValue]
"""First value of a unit's sum."""


@lowers(SvdfOp, (i8, i16, i32, f32))
def lower_svdf(op: SvdfOp, k: Kernel) -> None:
    """The filters of a unit lie side by side: its state is one row, whose last entry of each filter is the newest."""
    layer = _layer(op, k)
    layer.features()
    layer.over_time()


def _layer(op: SvdfOp, k: Kernel) -> _Layer:
    if op.scales is not None:
        return _Hybrid(op, k, op.scales.get_values())
    return _Float(op, k) if op.quantised is None else _Quantised(op, k, op.quantised)


class _Layer(abc.ABC):
    """Parts of the lowering that the element types decide."""

    def __init__(self, op: SvdfOp, k: Kernel):
        self._op = op
        self._k = k
        self._batch, self._depth = shape_of(op.input)
        filters, self._memory = shape_of(op.time)
        self._rank, self._units = op.rank, filters // op.rank
        self._state = k.input(op.state, "state", (self._batch, self._units, self._rank * self._memory))

    @abc.abstractmethod
    def features(self) -> None:
        """The state moves on by one step, and the product of the row with the features of a filter is its newest."""

    @abc.abstractmethod
    def over_time(self) -> None:
        """The products of states and time weights, summed over the filters of each unit."""

    @property
    def _of_filters(self) -> dict[str, int]:
        """Dimensions that number the filters."""
        return {"unit": self._units, "r": self._rank}

    def _move_on(self) -> None:
        """Every entry takes the place of the one before; the last one of each filter will be replaced."""
        k, length = self._k, self._rank * self._memory
        if length * self._units * self._batch == 1:
            return
        if element_type_of(self._op.state) == i8:
            k.builder.insert(SlideBytesOp(self._state))
            return
        with k.loop("n", 0, self._batch) as n, k.loop("unit", 0, self._units) as unit, k.loop("m", 0, length - 1) as m:
            k.store(k.load(self._state, [n, unit, k.add(m, 1)]), self._state, [n, unit, m])

    def _store_newest(self, value: SSAValue, n: AffineExpr, filter: Sequence[AffineExpr]) -> None:
        unit, r = filter
        self._k.store(value, self._state, [n, unit, r * self._memory + (self._memory - 1)])


class _Float(_Layer):
    def features(self) -> None:
        k = self._k
        source = k.input(self._op.input, "input")
        weights = k.input(self._op.features, "features")
        self._move_on()
        nest = k.nest({"n": self._batch, **self._of_filters}, {"i": self._depth})
        n, unit, r, i = nest.dims

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            value, weight = k.load(source, [n, i], "value"), k.load(weights, [unit * self._rank + r, i], "weight")
            return [k.addf(state[0], k.mulf(weight, value), "acc")]

        nest.build(
            lambda: [k.floating(0.0)], step, lambda state: self._store_newest(state[0], n, [unit, r]), ordered=True
        )

    def over_time(self) -> None:
        """A sum from 0 for every filter, then these from the bias."""
        k, op = self._k, self._op
        time = k.input(op.time, "time", (self._units, self._rank, self._memory))
        bias = None if op.bias is None else k.input(op.bias, "bias")
        target = k.output(op.output)

        def first(unit: Place) -> SSAValue:
            return k.floating(0.0) if bias is None else k.load(bias, [unit])

        sums = target if self._rank == 1 else k.scratch([self._batch, self._units, self._rank], f32, "sums")
        nest = k.nest({"n": self._batch, **self._of_filters}, {"m": self._memory})
        n, unit, r, m = nest.dims

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            value = k.load(self._state, [n, unit, r * self._memory + m], "value")
            return [k.addf(state[0], k.mulf(self._real(k.load(time, [unit, r, m], "weight")), value), "acc")]

        def finish(state: list[SSAValue]) -> None:
            if self._rank > 1:
                k.store(state[0], sums, [n, unit, r])
            else:
                total = k.addf(first(unit), state[0], "total")
                k.store(clamp_float(k, total, op.clamp), target, [n, unit])

        nest.build(lambda: [k.floating(0.0)], step, finish, ordered=True)
        if self._rank > 1:
            self._over_filters(first, sums, target)

    def _over_filters(self, first: _First, sums: SSAValue, target: SSAValue) -> None:
        k, op = self._k, self._op
        nest = k.nest({"n": self._batch, "unit": self._units}, {"r": self._rank})
        n, unit, r = nest.dims
        nest.build(
            lambda: [first(unit)],
            lambda state: [k.addf(state[0], k.load(sums, [n, unit, r], "sum"), "total")],
            lambda state: k.store(clamp_float(k, state[0], op.clamp), target, [n, unit]),
            hints=["total"],
            ordered=True,
        )

    def _real(self, weight: SSAValue) -> SSAValue:
        """A weight of time as a float."""
        return weight


class _Hybrid(_Float):
    def __init__(self, op: SvdfOp, k: Kernel, scales: Sequence[float]):
        super().__init__(op, k)
        self._feature_scale, self._time_scale = map(float, scales)

    def features(self) -> None:
        k, op = self._k, self._op
        source = k.input(op.input, "input")
        rows = HybridRows(k, self._batch, self._depth, "quantised", asymmetric=op.asymmetric is not None)
        rows.quantise(lambda n, i: k.load(source, [n, i]))
        self._move_on()
        rows.products(op.features, "features", self._of_filters, self._feature_scale, self._store_newest)

    def _real(self, weight: SSAValue) -> SSAValue:
        return self._k.mulf(self._k.to_float(weight), self._k.floating(self._time_scale))


class _Quantised(_Layer):
    def __init__(self, op: SvdfOp, k: Kernel, quantised: Quantisation):
        super().__init__(op, k)
        self._input_zero_point, self._state_zero_point, output_zero_point = quantised.zero_points
        state, output = element_type_of(op.state), element_type_of(op.output)
        self._feature_bound = _bound(self._depth, largest_magnitude(output, self._input_zero_point), i8, 0)
        self._time_bound = _bound(
            self._rank * self._memory, largest_magnitude(state, self._state_zero_point), state, largest_bias(op.bias)
        )
        to_state, to_output = map(quantised.rescale.factor, range(2))
        self._element = state
        self._to_state = Requantiser(k, to_state, 0, ClampAttr.get(*integer_range(state)), i32)
        self._to_output = Requantiser(k, to_output, output_zero_point, quantised.clamp, output)

    def features(self) -> None:
        k = self._k
        source = k.input(self._op.input, "input")
        weights = k.input(self._op.features, "features")
        self._move_on()
        nest = k.nest({"n": self._batch, **self._of_filters}, {"i": self._depth})
        n, unit, r, i = nest.dims

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            value, weight = k.load(source, [n, i], "value"), k.load(weights, [unit * self._rank + r, i], "weight")
            return [self._multiply_add(state[0], value, weight, self._input_zero_point, self._feature_bound)]

        def finish(state: list[SSAValue]) -> None:
            steps = self._to_state.apply(k, state[0], 0, self._feature_bound)
            entry = k.narrow(k.add(steps, self._state_zero_point), self._element)
            self._store_newest(entry, n, [unit, r])

        nest.build(lambda: [k.value(0, i32)], step, finish)

    def over_time(self) -> None:
        """Integers may be summed over the filters of a unit as they lie."""
        k, op = self._k, self._op
        time = k.input(op.time, "time", (self._units, self._rank * self._memory))
        bias = None if op.bias is None else k.input(op.bias, "bias")
        target = k.output(op.output)
        nest = k.nest({"n": self._batch, "unit": self._units}, {"m": self._rank * self._memory})
        n, unit, m = nest.dims

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            value, weight = k.load(self._state, [n, unit, m], "value"), k.load(time, [unit, m], "weight")
            return [self._multiply_add(state[0], value, weight, self._state_zero_point, self._time_bound)]

        nest.build(
            lambda: [k.value(0, i32) if bias is None else k.load(bias, [unit], "acc")],
            step,
            lambda state: k.store(self._to_output.apply(k, state[0], 0, self._time_bound), target, [n, unit]),
        )

    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, zero_point: int, bound: int) -> SSAValue:
        k, wraps = self._k, not fits_int32(bound)
        product = k.mul(k.sub(k.extend(value), zero_point), k.extend(weight), wraps=wraps)
        return k.add(acc, product, "acc", wraps=wraps)


def _bound(count: int, value: int, weight: Attribute, start: int) -> int:
    """The largest magnitude of a sum of products."""
    return min(count * value * largest_magnitude(weight, 0) + start, 2**31)
