"""`nn.lstm` of floats.

Source: TensorFlow Lite Micro `lstm_eval.h` (`EvalLstm`, `LstmStep`), `lstm_eval_common.cc`; TensorFlow Lite
`lstm_eval::EvalHybrid`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from xdsl.dialects import math
from xdsl.dialects.builtin import FloatAttr, f32, i8, i16, i32, i64
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr

from ....dialects.nn import LstmOp
from ....dialects.nn.attributes import ClampAttr
from ....dialects.nn.lstm import GATES
from ...builder import Value
from ..hybrid import Finish, HybridRows
from ..kernel import Kernel
from ..nest import Place
from ..registry import lowers
from ..requantise import clamp_float
from .lstm_operands import CELL, FORGET, INPUT, OUTPUT
from .lstm_quantised import lower_quantised_lstm

LOGISTIC_ONE = 16.619047164916992188
"""Above it, the reference's float logistic function is 1."""

LOGISTIC_EXP = -9.0
"""Below it, the exponential stands for it."""


_At: TypeAlias = Callable[[Place], list[Place]]
"""Place of a step's row in input and output."""

_Row: TypeAlias = Callable[[AffineExpr, AffineExpr], SSAValue]
"""Loads an element of a row of the batch, inside of a task."""


@lowers(LstmOp, (i8, i16, i32, i64, f32))
def lower_lstm(op: LstmOp, k: Kernel) -> None:
    """Step by step: tasks of what gates get from the input and from the old hidden state, then one of all units.

    A task has affine places, and one of several steps is none: the row of the step is copied before, the new hidden
    state after.
    """
    if op.quantised is not None:
        lower_quantised_lstm(op, k, op.quantised)
        return
    batch, steps, _, units = op.sizes
    layer = _Float(op, k) if op.weight_scales is None else _Hybrid(op, k, op.weight_scales.get_values())
    with k.loop("t", 0, steps) as t:

        def at(n: Place, t: Value = t) -> list[Place]:
            return [n, t] if op.time_major is None else [t, n]

        layer.begin(at)
        for gate in range(len(GATES)):
            layer.from_input(gate)
            layer.from_hidden(gate)
        layer.update()
        with k.loop("n", 0, batch) as n, k.loop("unit", 0, units) as unit:
            k.store(k.load(layer.hidden, [n, unit]), layer.output, [*at(n), unit])


class _Float:
    """The tasks of a step."""

    def __init__(self, op: LstmOp, k: Kernel):
        self.op = op
        self.k = k
        self.batch, _, self.depth, self.units = op.sizes
        self._input = k.input(op.input, "input")
        self._biases = [k.input(bias, f"{gate}_bias") for gate, bias in zip(GATES, op.biases, strict=True)]
        self.hidden, self._cell = k.input(op.hidden, "hidden"), k.input(op.cell, "cell")
        self.output = k.output(op.output)
        self._sums = [k.scratch([self.batch, self.units], f32, f"{gate}_sum") for gate in GATES]
        self._prepare()

    def _prepare(self) -> None:
        k, op = self.k, self.op
        self._weights = [k.input(w, f"{gate}_weights") for gate, w in zip(GATES, op.input_weights, strict=True)]
        self._recurrent = [k.input(w, f"{gate}_recurrent") for gate, w in zip(GATES, op.recurrent_weights, strict=True)]
        self._row = k.scratch([self.batch, self.depth], f32, "row") if op.sizes[1] > 1 else None

    def begin(self, at: _At) -> None:
        """Before the gates of a step, whose rows lie at places."""
        self._at = at
        if self._row is None:
            return
        with self.k.loop("n", 0, self.batch) as n, self.k.loop("i", 0, self.depth) as i:
            self.k.store(self.k.load(self._input, [*at(n), i]), self._row, [n, i])

    def from_input(self, gate: int) -> None:
        """A gate's sum of products with the input of the step, and its bias."""
        k, row = self.k, self._row

        def value(n: AffineExpr, i: AffineExpr) -> SSAValue:
            return k.load(self._input, [*self._at(n), i], "value") if row is None else k.load(row, [n, i], "value")

        self._products(value, self._weights[gate], self.depth, partial(self._store_input, gate))

    def from_hidden(self, gate: int) -> None:
        """Add a gate's sum of products with the hidden state."""
        k = self.k

        def value(n: AffineExpr, i: AffineExpr) -> SSAValue:
            return k.load(self.hidden, [n, i], "value")

        self._products(value, self._recurrent[gate], self.units, partial(self._add_hidden, gate))

    def _products(self, value: _Row, weights: SSAValue, depth: int, finish: Finish) -> None:
        k = self.k
        nest = k.nest({"n": self.batch, "unit": self.units}, {"i": depth})
        n, unit, i = nest.dims

        def step(state: list[SSAValue]) -> Sequence[SSAValue]:
            return [k.addf(state[0], k.mulf(value(n, i), k.load(weights, [unit, i], "weight")), "acc")]

        nest.build(lambda: [k.floating(0.0)], step, lambda state: finish(state[0], n, [unit]), ordered=True)

    def _store_input(self, gate: int, product: SSAValue, n: AffineExpr, unit: Sequence[AffineExpr]) -> None:
        k = self.k
        k.store(k.addf(product, k.load(self._biases[gate], [*unit], "bias")), self._sums[gate], [n, *unit])

    def _add_hidden(self, gate: int, product: SSAValue, n: AffineExpr, unit: Sequence[AffineExpr]) -> None:
        k = self.k
        k.store(k.addf(k.load(self._sums[gate], [n, *unit], "sum"), product), self._sums[gate], [n, *unit])

    def update(self) -> None:
        """The new cell and hidden states from the sums of all gates."""
        k, nest = self.k, self.k.nest({"n": self.batch, "unit": self.units})

        def unit() -> None:
            at = nest.dims
            gates = [self._activated(gate, k.load(sums, at)) for gate, sums in enumerate(self._sums)]
            cell = self._next_cell(gates, k.load(self._cell, at, "old"))
            k.store(cell, self._cell, at)
            k.store(k.mulf(k.emit(math.TanhOp(cell)), gates[OUTPUT]), self.hidden, at)

        nest.each(unit)

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
        self._scales = [float(scale) for scale in scales]
        super().__init__(op, k)

    def _prepare(self) -> None:
        k, asymmetric = self.k, self.op.asymmetric is not None
        self._rows = HybridRows(k, self.batch, self.depth, "quantised_input", asymmetric=asymmetric)
        self._states = HybridRows(k, self.batch, self.units, "quantised_hidden", asymmetric=asymmetric)

    def begin(self, at: _At) -> None:
        self._rows.quantise(lambda n, i: self.k.load(self._input, [*at(n), i]))
        self._states.quantise(lambda n, i: self.k.load(self.hidden, [n, i]))

    def from_input(self, gate: int) -> None:
        units, scale = {"unit": self.units}, self._scales[gate]
        finish = partial(self._store_input, gate)
        self._rows.products(self.op.input_weights[gate], f"{GATES[gate]}_weights", units, scale, finish)

    def from_hidden(self, gate: int) -> None:
        units, scale = {"unit": self.units}, self._scales[len(GATES) + gate]
        finish = partial(self._add_hidden, gate)
        self._states.products(self.op.recurrent_weights[gate], f"{GATES[gate]}_recurrent", units, scale, finish)
