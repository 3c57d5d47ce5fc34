"""`nn.lstm` on quantised elements: for every step tasks of products for each gate, then one of all units.

Source: TensorFlow Lite Micro `lstm_eval.h` (`EvalLstm`, `LstmStep`), `lstm_eval_common.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import LstmOp
from ....dialects.nn.attributes import ClampAttr, RescaleAttr
from ....dialects.nn.integers import integer_range
from ....dialects.nn.interfaces import element_type_of
from ....dialects.nn.lstm import GATES, QuantisedLstm
from ...builder import Value
from ..accumulate import largest_bias
from ..kernel import Kernel
from ..nest import Place
from ..requantise import Requantiser, clamp_integer, largest_magnitude
from ..sigmoid16 import Sigmoid16
from .lstm_operands import CELL, FORGET, INPUT, OUTPUT, LstmOperands

_Value: TypeAlias = Callable[[Place, Place], SSAValue]
"""Loads the element of a row of the batch."""

INT16 = ClampAttr.get(*integer_range(i16))


def lower_quantised_lstm(op: LstmOp, k: Kernel, quantised: QuantisedLstm) -> None:
    """Step by step: what gates get from the input, then from the old hidden state; cells and the new hidden state.

    A task has affine places, and one of several steps is none: the row of the step is copied before, the new hidden
    state after.
    """
    batch, steps, depth, units = op.sizes
    layer = _Layer(op, k, quantised)
    element = i16 if element_type_of(op.input) == i16 else i8
    row = k.scratch([batch, depth], element, "row") if steps > 1 else None
    with k.loop("t", 0, steps) as t:

        def at(n: Place, i: Place, t: Value = t) -> list[Place]:
            return [n, t, i] if op.time_major is None else [t, n, i]

        if row is not None:
            with k.loop("n", 0, batch) as n, k.loop("i", 0, depth) as i:
                k.store(k.load(layer.operands.input, at(n, i)), row, [n, i])

        def value(n: Place, i: Place) -> SSAValue:
            return k.load(layer.operands.input, at(n, i), "value") if row is None else k.load(row, [n, i], "value")

        for gate in range(len(GATES)):
            layer.from_input(gate, value)
            layer.from_hidden(gate)
        layer.update()
        with k.loop("n", 0, batch) as n, k.loop("unit", 0, units) as unit:
            k.store(k.load(layer.operands.hidden, [n, unit]), layer.operands.output, at(n, unit))


@dataclass(frozen=True)
class _Side:
    """One of both products of the gates: that with the input or that with the hidden state."""

    depth: int
    zero_point: int
    weights: Sequence[SSAValue]
    weight_zero_points: Sequence[int]
    requantisers: Sequence[Requantiser]


class _Layer:
    """The tasks of a step; sums of gates are Q3.12 int16."""

    def __init__(self, op: LstmOp, k: Kernel, quantised: QuantisedLstm):
        self.operands = operands = LstmOperands.of(op, k)
        self._op = op
        self._k = k
        self._batch, _, depth, self._units = op.sizes
        zero_points = quantised.zero_points
        element = element_type_of(op.output)
        self._accumulator = i64 if element == i16 else i32
        from_input = _requantisers(k, quantised.input_rescale, self._accumulator)
        from_hidden = _requantisers(k, quantised.recurrent_rescale, self._accumulator)
        self._input = _Side(depth, zero_points[0], operands.weights, zero_points[2:6], from_input)
        self._hidden = _Side(self._units, zero_points[1], operands.recurrent, zero_points[6:], from_hidden)
        factors = [quantised.state_rescale.factor(number) for number in range(3)]
        self._forget = Requantiser(k, factors[0], 0, INT16, i16)
        self._remember = Requantiser(k, factors[1], 0, INT16, i16)
        self._to_hidden = Requantiser(k, factors[2], zero_points[1], ClampAttr.get(*integer_range(element)), element)
        self._sigmoid = Sigmoid16(k)
        # Q3.12 of the table's scale is multiplied by 3; the cell state is brought to it.
        exponent = quantised.cell_exponent + 12
        self._cell_scale = (3 << exponent, 0) if exponent >= 0 else (3, -exponent)
        self._gates = [k.scratch([self._batch, self._units], i16, f"{gate}_sum") for gate in GATES]

    def from_input(self, gate: int, value: _Value) -> None:
        """A gate's sum of products with the input of the step."""
        k, bias = self._k, self.operands.biases[gate]

        def start(unit: Place) -> SSAValue:
            return k.load(bias, [unit], "acc")

        def finish(result: SSAValue, at: Sequence[Place]) -> None:
            k.store(result, self._gates[gate], at)

        self._products(self._input, gate, value, start, finish, largest_bias(self._op.biases[gate]))

    def from_hidden(self, gate: int) -> None:
        """Add a gate's sum of products with the hidden state."""
        k = self._k

        def value(n: Place, i: Place) -> SSAValue:
            return k.load(self.operands.hidden, [n, i], "value")

        def start(unit: Place) -> SSAValue:
            return k.value(0, self._accumulator)

        def finish(result: SSAValue, at: Sequence[Place]) -> None:
            total = self._saturated_sum(k.load(self._gates[gate], at, "sum"), result)
            k.store(k.narrow(total, i16), self._gates[gate], at)

        self._products(self._hidden, gate, value, start, finish, 0)

    def _products(
        self,
        side: _Side,
        gate: int,
        value: _Value,
        start: Callable[[Place], SSAValue],
        finish: Callable[[SSAValue, Sequence[Place]], None],
        largest_start: int,
    ) -> None:
        """The task of one gate and one side."""
        k, largest = self._k, 1 << (self._accumulator.width.data - 1)
        bound = min(
            side.depth * largest_magnitude(element_type_of(self._op.output), side.zero_point) * 255 + largest_start,
            largest,
        )
        nest = k.nest({"n": self._batch, "unit": self._units}, {"i": side.depth})
        n, unit, i = nest.dims

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            element, weight = value(n, i), k.load(side.weights[gate], [unit, i], "weight")
            product = k.mul(
                k.sub(k.extend(element), side.zero_point), k.sub(k.extend(weight), side.weight_zero_points[gate])
            )
            return [k.add(state[0], k.extend(product, self._accumulator), "acc", wraps=bound >= largest)]

        def end(state: list[SSAValue]) -> None:
            finish(side.requantisers[gate].apply(k, state[0], 0, bound), [n, unit])

        nest.build(lambda: [start(unit)], step, end)

    def update(self) -> None:
        """The new cell and hidden states from the sums of all gates."""
        k, nest = self._k, self._k.nest({"n": self._batch, "unit": self._units})

        def unit() -> None:
            at = nest.dims
            gates = [self._activated(gate, k.load(sums, at)) for gate, sums in enumerate(self._gates)]
            cell = self._next_cell(gates, k.load(self.operands.cell, at, "old"))
            k.store(cell, self.operands.cell, at)
            activated = self._sigmoid.tanh(k.extend(cell), *self._cell_scale)
            k.store(self._product(self._to_hidden, activated, gates[OUTPUT]), self.operands.hidden, at)

        nest.each(unit)

    def _activated(self, gate: int, value: SSAValue) -> SSAValue:
        function = self._sigmoid.tanh if gate == CELL else self._sigmoid.logistic
        result = function(self._k.extend(value))
        result.name_hint = GATES[gate]
        return result

    def _next_cell(self, gates: Sequence[SSAValue], cell: SSAValue) -> SSAValue:
        k = self._k
        kept = self._product(self._forget, gates[FORGET], cell)
        added = self._product(self._remember, gates[INPUT], gates[CELL])
        new = self._saturated_sum(kept, added)
        if isinstance(self._op.clip, IntegerAttr):
            limit = self._op.clip.value.data
            new = clamp_integer(k, new, ClampAttr.get(-limit, limit))
        return k.narrow(new, i16)

    def _product(self, requantiser: Requantiser, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        k = self._k
        return requantiser.apply(k, k.mul(k.extend(lhs), k.extend(rhs)), 0, 1 << 30)

    def _saturated_sum(self, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        k = self._k
        return clamp_integer(k, k.add(k.extend(lhs), k.extend(rhs)), INT16)


def _requantisers(k: Kernel, factors: RescaleAttr, accumulator: IntegerType) -> list[Requantiser]:
    return [Requantiser(k, factors.factor(gate), 0, INT16, i16, accumulator) for gate in range(len(GATES))]
