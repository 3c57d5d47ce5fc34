"""`nn.lstm` of floats.

Source: TensorFlow Lite Micro `lstm_eval.h` (`EvalLstm`, `LstmStep`), `lstm_eval_common.cc`; TensorFlow Lite
`lstm_eval::EvalHybrid`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import math
from xdsl.dialects.builtin import FloatAttr, f32, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import LstmOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.lstm import GATES
from ...builder import Value
from ..hybrid import HybridRow
from ..kernel import Kernel
from ..registry import lowers
from ..requantise import clamp_float
from .lstm_operands import CELL, FORGET, INPUT, OUTPUT, LstmOperands
from .lstm_quantised import lower_quantised_lstm

LOGISTIC_ONE = 16.619047164916992188
"""Above it, the reference's float logistic function is 1."""

LOGISTIC_EXP = -9.0
"""Below it, the exponential stands for it."""


@lowers(LstmOp, (i8, i16, i32, i64, f32))
def lower_lstm(op: LstmOp, k: Kernel) -> None:
    """Unit by unit: all gates from the old hidden state, the cell, the new hidden state into the output.

    Nobody needs the new hidden state before the step is complete: it is copied from the output then.
    """
    if op.quantised is not None:
        lower_quantised_lstm(op, k, op.quantised)
        return
    batch, steps, _, units = op.sizes
    layer = _Float(op, k) if op.weight_scales is None else _Hybrid(op, k, op.weight_scales.get_values())
    with k.loop("n", 0, batch) as n, k.loop("t", 0, steps) as t:
        at = [n, t] if op.time_major is None else [t, n]
        layer.begin(n, at)
        with k.loop("unit", 0, units) as unit:
            layer.step(n, at, unit)
        with k.loop("unit", 0, units) as unit:
            k.store(k.load(layer.operands.output, [*at, unit]), layer.operands.hidden, [n, unit])


class _Float:
    """The arithmetic of a unit."""

    def __init__(self, op: LstmOp, k: Kernel):
        self.op = op
        self.k = k
        self._depth, self._units = op.sizes[2:]
        self.operands = LstmOperands.of(op, k)

    def begin(self, n: Value, at: Sequence[Value]) -> None:
        """Before the units of a step."""

    def step(self, n: Value, at: Sequence[Value], unit: Value) -> None:
        """One step of one unit."""
        k, operands = self.k, self.operands
        gates = [self._activated(gate, self._sum(gate, n, at, unit)) for gate in range(len(GATES))]
        cell = self._next_cell(gates, k.load(operands.cell, [n, unit], "old"))
        k.store(cell, operands.cell, [n, unit])
        k.store(k.mulf(k.emit(math.TanhOp(cell)), gates[OUTPUT]), operands.output, [*at, unit])

    def _sum(self, gate: int, n: Value, at: Sequence[Value], unit: Value) -> SSAValue:
        k, operands = self.k, self.operands

        def from_input(i: Value, acc: SSAValue) -> SSAValue:
            value = k.load(operands.input, [*at, i], "value")
            return k.addf(acc, k.mulf(value, k.load(operands.weights[gate], [unit, i], "weight")), "acc")

        def from_hidden(i: Value, acc: SSAValue) -> SSAValue:
            value = k.load(operands.hidden, [n, i], "value")
            return k.addf(acc, k.mulf(value, k.load(operands.recurrent[gate], [unit, i], "weight")), "acc")

        product = k.reduce("i", 0, self._depth, k.floating(0.0), from_input)
        recurrent = k.reduce("i", 0, self._units, k.floating(0.0), from_hidden)
        return self._joined(gate, unit, product, recurrent)

    def _joined(self, gate: int, unit: Value, product: SSAValue, recurrent: SSAValue) -> SSAValue:
        k = self.k
        return k.addf(k.addf(product, k.load(self.operands.biases[gate], [unit], "bias")), recurrent, "sum")

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


class _Hybrid(_Float):
    def __init__(self, op: LstmOp, k: Kernel, scales: Sequence[float]):
        super().__init__(op, k)
        self._scales = [float(scale) for scale in scales]
        asymmetric = op.asymmetric is not None
        self._input_row = HybridRow(k, self._depth, "quantised_input", asymmetric=asymmetric)
        self._hidden_row = HybridRow(k, self._units, "quantised_hidden", asymmetric=asymmetric)

    def begin(self, n: Value, at: Sequence[Value]) -> None:
        self._input_row.quantise(lambda i: self.k.load(self.operands.input, [*at, i]))
        self._hidden_row.quantise(lambda i: self.k.load(self.operands.hidden, [n, i]))

    def _sum(self, gate: int, n: Value, at: Sequence[Value], unit: Value) -> SSAValue:
        product = self._input_row.product(self.operands.weights[gate], unit, self._scales[gate])
        recurrent = self._hidden_row.product(self.operands.recurrent[gate], unit, self._scales[len(GATES) + gate])
        return self._joined(gate, unit, product, recurrent)
