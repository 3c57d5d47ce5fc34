"""Tensors that `nn.lstm` reads and writes, whatever the elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ....dialects.nn import LstmOp
from ....dialects.nn.lstm import GATES
from ..kernel import Kernel

INPUT, FORGET, CELL, OUTPUT = range(len(GATES))


@dataclass(frozen=True)
class LstmOperands:
    """Memrefs of the operator's shapes; those of gates in the order of `GATES`."""

    input: SSAValue
    weights: Sequence[SSAValue]
    recurrent: Sequence[SSAValue]
    biases: Sequence[SSAValue]
    hidden: SSAValue
    cell: SSAValue
    output: SSAValue

    @staticmethod
    def of(op: LstmOp, k: Kernel) -> LstmOperands:
        """Return the operands of an operator, which become arguments of its function."""
        return LstmOperands(
            k.input(op.input, "input"),
            [k.input(w, f"{gate}_weights") for gate, w in zip(GATES, op.input_weights, strict=True)],
            [k.input(w, f"{gate}_recurrent") for gate, w in zip(GATES, op.recurrent_weights, strict=True)],
            [k.input(b, f"{gate}_bias") for gate, b in zip(GATES, op.biases, strict=True)],
            k.input(op.hidden, "hidden"),
            k.input(op.cell, "cell"),
            k.output(op.output),
        )
