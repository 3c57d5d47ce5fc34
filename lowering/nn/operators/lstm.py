"""`nn.lstm`.

Source: TensorFlow Lite Micro `lstm_eval.h` (`EvalLstm`, `LstmStep`), `lstm_eval_common.cc`; TensorFlow Lite
`lstm_eval::EvalHybrid`.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects import math
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType, f32, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import LstmOp
from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.lstm import GATES, QuantisedLstm
from ....dialects.nn.quantised import integer_range
from ...builder import Value
from ..hybrid import HybridRow
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import Requantiser, clamp_float, clamp_integer, largest_magnitude
from ..sigmoid16 import Sigmoid16

INPUT, FORGET, CELL, OUTPUT = range(len(GATES))

LOGISTIC_ONE = 16.619047164916992188
"""Above it, the reference's float logistic function is 1."""

LOGISTIC_EXP = -9.0
"""Below it, the exponential stands for it."""


@lowers(LstmOp, (i8, i16, i32, i64, f32))
def lower_lstm(op: LstmOp, k: Kernel) -> None:
    """Unit by unit: all gates from the old hidden state, the cell, the new hidden state into the output.

    Nobody needs the new hidden state before the step is complete: it is copied from the output then.
    """
    batch, steps, _, units = op.sizes
    layer = _layer(op, k)
    with k.loop("n", 0, batch) as n, k.loop("t", 0, steps) as t:
        at = [n, t] if op.time_major is None else [t, n]
        layer.begin(n, at)
        with k.loop("unit", 0, units) as unit:
            layer.step(n, at, unit)
        with k.loop("unit", 0, units) as unit:
            k.store(k.load(layer.output, [*at, unit]), layer.hidden, [n, unit])


def _layer(op: LstmOp, k: Kernel) -> _Layer:
    if op.weight_scales is not None:
        return _Hybrid(op, k, op.weight_scales.get_values())
    return _Float(op, k) if op.quantised is None else _Quantised(op, k, op.quantised)


class _Layer(abc.ABC):
    """The arithmetic; operands are memrefs of the operator's shapes."""

    def __init__(self, op: LstmOp, k: Kernel):
        self.op = op
        self.k = k
        self._depth, self._units = op.sizes[2:]
        self._input = k.input(op.input, "input")
        self._weights = [k.input(w, f"{gate}_weights") for gate, w in zip(GATES, op.input_weights, strict=True)]
        self._recurrent = [k.input(w, f"{gate}_recurrent") for gate, w in zip(GATES, op.recurrent_weights, strict=True)]
        self._biases = [k.input(b, f"{gate}_bias") for gate, b in zip(GATES, op.biases, strict=True)]
        self.hidden = k.input(op.hidden, "hidden")
        self._cell = k.input(op.cell, "cell")
        self.output = k.output(op.output)

    def begin(self, n: Value, at: Sequence[Value]) -> None:  # noqa: B027 - not all prepare rows
        """Before the units of a step."""

    def step(self, n: Value, at: Sequence[Value], unit: Value) -> None:
        """One step of one unit."""
        k = self.k
        gates = [self._activated(gate, self._sum(gate, n, at, unit)) for gate in range(len(GATES))]
        cell = self._next_cell(gates, k.load(self._cell, [n, unit], "old"))
        k.store(cell, self._cell, [n, unit])
        k.store(self._next_hidden(gates[OUTPUT], cell), self.output, [*at, unit])

    def _sum(self, gate: int, n: Value, at: Sequence[Value], unit: Value) -> SSAValue:
        k = self.k

        def from_input(i: Value, acc: SSAValue) -> SSAValue:
            value = k.load(self._input, [*at, i], "value")
            return self._multiply_add(acc, value, k.load(self._weights[gate], [unit, i], "weight"), gate, of_input=True)

        def from_hidden(i: Value, acc: SSAValue) -> SSAValue:
            value = k.load(self.hidden, [n, i], "value")
            weight = k.load(self._recurrent[gate], [unit, i], "weight")
            return self._multiply_add(acc, value, weight, gate, of_input=False)

        product = k.reduce("i", 0, self._depth, self._zero(), from_input)
        recurrent = k.reduce("i", 0, self._units, self._zero(), from_hidden)
        return self._joined(gate, product, self._bias(gate, unit), recurrent)

    def _bias(self, gate: int, unit: Value) -> SSAValue:
        return self.k.load(self._biases[gate], [unit], "bias")

    @abc.abstractmethod
    def _zero(self) -> SSAValue: ...

    @abc.abstractmethod
    def _multiply_add(
        self, acc: SSAValue, value: SSAValue, weight: SSAValue, gate: int, *, of_input: bool
    ) -> SSAValue: ...

    @abc.abstractmethod
    def _joined(self, gate: int, product: SSAValue, bias: SSAValue, recurrent: SSAValue) -> SSAValue: ...

    @abc.abstractmethod
    def _activated(self, gate: int, value: SSAValue) -> SSAValue: ...

    @abc.abstractmethod
    def _next_cell(self, gates: Sequence[SSAValue], cell: SSAValue) -> SSAValue: ...

    @abc.abstractmethod
    def _next_hidden(self, gate: SSAValue, cell: SSAValue) -> SSAValue: ...


class _Float(_Layer):
    def _zero(self) -> SSAValue:
        return self.k.floating(0.0)

    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, gate: int, *, of_input: bool) -> SSAValue:
        return self.k.addf(acc, self.k.mulf(value, weight), "acc")

    def _joined(self, gate: int, product: SSAValue, bias: SSAValue, recurrent: SSAValue) -> SSAValue:
        return self.k.addf(self.k.addf(product, bias), recurrent, "sum")

    def _activated(self, gate: int, value: SSAValue) -> SSAValue:
        k = self.k
        if gate == CELL:
            return k.emit(math.TanhOp(value), GATES[gate])
        one = k.floating(1.0)
        usual = k.divf(one, k.addf(one, k.exp(k.subf(k.floating(-0.0), value))))
        below = k.select(k.comparef("olt", value, k.floating(LOGISTIC_EXP)), k.exp(value), usual)
        return k.select(k.comparef("ogt", value, k.floating(LOGISTIC_ONE)), one, below, GATES[gate])

    def _next_cell(self, gates: Sequence[SSAValue], cell: SSAValue) -> SSAValue:
        k = self.k
        new = k.addf(k.mulf(gates[FORGET], cell), k.mulf(gates[INPUT], gates[CELL]), "new")
        clip = self.op.clip
        if not isinstance(clip, FloatAttr):
            return new
        return clamp_float(k, new, ClampAttr.get(-clip.value.data, clip.value.data))

    def _next_hidden(self, gate: SSAValue, cell: SSAValue) -> SSAValue:
        return self.k.mulf(self.k.emit(math.TanhOp(cell)), gate)


class _Hybrid(_Float):
    def __init__(self, op: LstmOp, k: Kernel, scales: Sequence[float]):
        super().__init__(op, k)
        self._scales = [float(scale) for scale in scales]
        asymmetric = op.asymmetric is not None
        self._input_row = HybridRow(k, self._depth, "quantised_input", asymmetric=asymmetric)
        self._hidden_row = HybridRow(k, self._units, "quantised_hidden", asymmetric=asymmetric)

    def begin(self, n: Value, at: Sequence[Value]) -> None:
        self._input_row.quantise(lambda i: self.k.load(self._input, [*at, i]))
        self._hidden_row.quantise(lambda i: self.k.load(self.hidden, [n, i]))

    def _sum(self, gate: int, n: Value, at: Sequence[Value], unit: Value) -> SSAValue:
        product = self._input_row.product(self._weights[gate], unit, self._scales[gate])
        recurrent = self._hidden_row.product(self._recurrent[gate], unit, self._scales[len(GATES) + gate])
        return self._joined(gate, product, self._bias(gate, unit), recurrent)


class _Quantised(_Layer):
    def __init__(self, op: LstmOp, k: Kernel, quantised: QuantisedLstm):
        super().__init__(op, k)
        zero_points = quantised.zero_points
        self._value_zero_points = zero_points[:2]
        self._weight_zero_points = zero_points[2:6], zero_points[6:]
        element = element_type_of(op.output)
        self._accumulator = i64 if element == i16 else i32
        self._largest = 1 << (self._accumulator.width.data - 1)
        self._bounds = [
            min(depth * largest_magnitude(element, zero_point) * 255, self._largest)
            for depth, zero_point in zip((self._depth, self._units), self._value_zero_points, strict=True)
        ]
        self._from_input = _requantisers(k, quantised.input_rescale, self._accumulator)
        self._from_hidden = _requantisers(k, quantised.recurrent_rescale, self._accumulator)
        factors = [quantised.state_rescale.factor(number) for number in range(3)]
        self._forget = Requantiser(k, factors[0], 0, INT16, i16)
        self._remember = Requantiser(k, factors[1], 0, INT16, i16)
        self._to_hidden = Requantiser(
            k, factors[2], self._value_zero_points[1], ClampAttr.get(*integer_range(element)), element
        )
        self._sigmoid = Sigmoid16(k)
        # Q3.12 of the table's scale is multiplied by 3; the cell state is brought to it.
        exponent = quantised.cell_exponent + 12
        self._cell_scale = (3 << exponent, 0) if exponent >= 0 else (3, -exponent)

    def _zero(self) -> SSAValue:
        return self.k.value(0, self._accumulator)

    def _multiply_add(self, acc: SSAValue, value: SSAValue, weight: SSAValue, gate: int, *, of_input: bool) -> SSAValue:
        k, side = self.k, 0 if of_input else 1
        product = k.mul(
            k.sub(k.extend(value), self._value_zero_points[side]),
            k.sub(k.extend(weight), self._weight_zero_points[side][gate]),
        )
        wide, wraps = k.extend(product, self._accumulator), self._bounds[side] >= self._largest
        return k.add(acc, wide, "acc", wraps=wraps)

    def _joined(self, gate: int, product: SSAValue, bias: SSAValue, recurrent: SSAValue) -> SSAValue:
        k = self.k
        biased = k.add(product, bias, wraps=True)
        from_input = self._from_input[gate].apply(k, biased, 0, self._largest)
        from_hidden = self._from_hidden[gate].apply(k, recurrent, 0, self._bounds[1])
        return self._saturated_sum(from_input, from_hidden)

    def _activated(self, gate: int, value: SSAValue) -> SSAValue:
        function = self._sigmoid.tanh if gate == CELL else self._sigmoid.logistic
        result = function(value)
        result.name_hint = GATES[gate]
        return result

    def _next_cell(self, gates: Sequence[SSAValue], cell: SSAValue) -> SSAValue:
        k = self.k
        kept = self._product(self._forget, gates[FORGET], cell)
        added = self._product(self._remember, gates[INPUT], gates[CELL])
        new = self._saturated_sum(kept, added)
        if isinstance(self.op.clip, IntegerAttr):
            limit = self.op.clip.value.data
            new = clamp_integer(k, new, ClampAttr.get(-limit, limit))
        return k.narrow(new, i16)

    def _next_hidden(self, gate: SSAValue, cell: SSAValue) -> SSAValue:
        activated = self._sigmoid.tanh(self.k.extend(cell), *self._cell_scale)
        return self._product(self._to_hidden, activated, gate)

    def _product(self, requantiser: Requantiser, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        k = self.k
        return requantiser.apply(k, k.mul(k.extend(lhs), k.extend(rhs)), 0, 1 << 30)

    def _saturated_sum(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        k = self.k
        return clamp_integer(k, k.add(k.extend(lhs), k.extend(rhs)), INT16)


INT16 = ClampAttr.get(*integer_range(i16))


def _requantisers(k: Kernel, factors: RescaleAttr, accumulator: IntegerType) -> list[Requantiser]:
    return [Requantiser(k, factors.factor(gate), 0, INT16, i16, accumulator) for gate in range(len(GATES))]
