"""`nn.lstm`: a recurrent layer over a whole sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    TensorType,
    UnitAttr,
    f32,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..values import Value, flag, integer, integers, real, reals
from .attributes import RescaleAttr, VariableType, ints
from .interfaces import HasMacs, element_type_of, expect_length, expect_rank, expect_shape, is_quantised, shape_of
from .quantised import verify_zero_points

GATES = ("input", "forget", "cell", "output")
"""The order of weights, biases and factors."""


@dataclass(frozen=True)
class QuantisedLstm:
    """How a layer on quantised elements computes; the properties of `nn.lstm` of these names say more."""

    zero_points: Sequence[int]
    input_rescale: RescaleAttr
    recurrent_rescale: RescaleAttr
    state_rescale: RescaleAttr
    cell_exponent: int


@irdl_op_definition
class LstmOp(IRDLOperation, HasMacs):
    """Long short-term memory: four gates, a cell state and a hidden state, step by step over time.

    Input [N, T, K], or [T, N, K] if `time_major`; for each of the four gates input weights [S, K], recurrent weights
    [S, S] and a bias [S]; states of N * S elements; output as the input with S in place of K. For every step:
    `gate = sigmoid(W_input x + b + W_recurrent h)`, but tanh for the cell gate,
    `cell = clip(forget * cell + input * gate_cell)`, `h = output * tanh(cell)`. Quantised rule (TensorFlow Lite Micro
    `EvalLstm`): both products of a gate are rescaled to Q3.12 int16 each and added with saturation, activations are
    table look-ups from Q3.12 to Q0.15, the cell state is int16 with a scale that is a power of 2. Hybrid rule
    (`lstm_eval::EvalHybrid`): int8 weights; for every step the rows of the float input and the hidden state are
    quantised, and their int32 products times both scales added to the bias.
    """

    name = "nn.lstm"
    input = operand_def(TensorType)
    input_weights = var_operand_def(TensorType)
    recurrent_weights = var_operand_def(TensorType)
    biases = var_operand_def(TensorType)
    hidden = operand_def(VariableType)
    cell = operand_def(VariableType)
    output = result_def(TensorType)

    time_major = opt_prop_def(UnitAttr)
    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of the input, the hidden state, then the input weights and the recurrent weights of the gates."""
    input_rescale = opt_prop_def(RescaleAttr)
    """Input products to Q3.12, a factor for each gate."""
    recurrent_rescale = opt_prop_def(RescaleAttr)
    """Recurrent products to Q3.12, a factor for each gate."""
    state_rescale = opt_prop_def(RescaleAttr)
    """Factors of forget gate times cell state, input gate times cell gate, output gate times activated cell state."""
    cell_exponent = opt_prop_def(IntegerAttr.constr(type=i32))
    """The cell state's scale is 2 to this power."""
    clip = opt_prop_def(IntegerAttr.constr(type=i32) | FloatAttr.constr(type=f32))
    """Largest magnitude of the cell state."""

    weight_scales = opt_prop_def(DenseArrayBase.constr(f32))
    """Hybrid: of the input weights of the gates, then of the recurrent weights."""
    asymmetric = opt_prop_def(UnitAttr)
    """Hybrid: rows are quantised with zero points."""

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$input `,` `input_weights` `(` $input_weights `)` `,` `recurrent_weights` `(` $recurrent_weights `)` `,`"
        " `biases` `(` $biases `)` `,` `hidden` $hidden `,` `cell` $cell"
        " (`time_major` $time_major^)? (`zero_points` $zero_points^)? (`input_rescale` $input_rescale^)?"
        " (`recurrent_rescale` $recurrent_rescale^)? (`state_rescale` $state_rescale^)?"
        " (`cell_exponent` $cell_exponent^)? (`clip` $clip^)?"
        " (`weight_scales` $weight_scales^)? (`asymmetric` $asymmetric^)?"
        " attr-dict `:` type($input) `,` `(` type($input_weights) `)` `,` `(` type($recurrent_weights) `)` `,`"
        " `(` type($biases) `)` `,` type($hidden) `,` type($cell) `->` type($output)"
    )

    def __init__(
        self,
        input: Value,
        input_weights: Sequence[SSAValue],
        recurrent_weights: Sequence[SSAValue],
        biases: Sequence[SSAValue],
        hidden: Value,
        cell: Value,
        *,
        output_type: TensorType,
        time_major: bool,
        zero_points: Sequence[int] | None = None,
        input_rescale: RescaleAttr | None = None,
        recurrent_rescale: RescaleAttr | None = None,
        state_rescale: RescaleAttr | None = None,
        cell_exponent: int | None = None,
        clip: int | float | None = None,
        weight_scales: Sequence[float] | None = None,
        asymmetric: bool = False,
    ):
        super().__init__(
            operands=[input, input_weights, recurrent_weights, biases, hidden, cell],
            result_types=[output_type],
            properties={
                "time_major": flag(time_major),
                "zero_points": integers(zero_points),
                "input_rescale": input_rescale,
                "recurrent_rescale": recurrent_rescale,
                "state_rescale": state_rescale,
                "cell_exponent": integer(cell_exponent),
                "weight_scales": reals(weight_scales),
                "asymmetric": flag(asymmetric),
                "clip": real(clip) if isinstance(clip, float) else integer(clip),
            },
        )

    @property
    def quantised(self) -> QuantisedLstm | None:
        """How gates and states are rescaled, if elements are quantised."""
        to_input, to_hidden, to_state = self.input_rescale, self.recurrent_rescale, self.state_rescale
        if self.zero_points is None or to_input is None or to_hidden is None or to_state is None:
            return None
        exponent = 0 if self.cell_exponent is None else self.cell_exponent.value.data
        return QuantisedLstm(ints(self.zero_points), to_input, to_hidden, to_state, exponent)

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """Batch, time steps, input depth, state depth."""
        first, second, depth = shape_of(self.input)
        batch, steps = (second, first) if self.time_major is not None else (first, second)
        return batch, steps, depth, shape_of(self.output)[2]

    def verify_(self) -> None:
        expect_rank(self, "input", self.input, 3)
        expect_rank(self, "result", self.output, 3)
        expect_shape(self, "result", shape_of(self.output)[:2], shape_of(self.input)[:2])
        batch, _, depth, units = self.sizes
        for what, values, shape in (
            ("input weights", self.input_weights, (units, depth)),
            ("recurrent weights", self.recurrent_weights, (units, units)),
            ("biases", self.biases, (units,)),
        ):
            expect_length(self, what, len(values), len(GATES))
            for gate, value in zip(GATES, values, strict=True):
                expect_shape(self, f"{what} of the {gate} gate", shape_of(value), shape)
        for what, state in (("hidden", self.hidden), ("cell", self.cell)):
            expect_shape(self, f"{what} state", shape_of(state), (batch, units))
        self._verify_elements()

    def _verify_elements(self) -> None:
        element = element_type_of(self.output)
        quantised = is_quantised(element)
        hybrid = self.weight_scales is not None
        if self.weight_scales is not None:
            expect_length(self, "weight_scales", len(self.weight_scales), 2 * len(GATES))
        if (hybrid and quantised) or (self.asymmetric is not None and not hybrid):
            raise VerifyException(f"'{self.name}' op has weight_scales and asymmetric for floats and int8 weights only")
        expected = (element, i8 if quantised or hybrid else element, i16 if quantised else element)
        bias = i32 if element == i8 else i64 if element == i16 else element
        for values, wanted in (
            ((self.input, self.hidden), expected[0]),
            ((*self.input_weights, *self.recurrent_weights), expected[1]),
            ((self.cell,), expected[2]),
            (self.biases, bias),
        ):
            for value in values:
                if element_type_of(value) != wanted:
                    raise VerifyException(
                        f"'{self.name}' op has elements of {element_type_of(value)} where {wanted} belong"
                    )
        verify_zero_points(self, self.zero_points, 2 + 2 * len(GATES), element)
        for what, factors, count in (
            ("input_rescale", self.input_rescale, len(GATES)),
            ("recurrent_rescale", self.recurrent_rescale, len(GATES)),
            ("state_rescale", self.state_rescale, 3),
        ):
            if (factors is not None) != quantised:
                raise VerifyException(f"'{self.name}' op needs {what} exactly when elements are quantised")
            if factors is not None:
                expect_length(self, what, len(factors.multiplier), count)
        if (self.cell_exponent is not None) != quantised:
            raise VerifyException(f"'{self.name}' op needs cell_exponent exactly when elements are quantised")

    def macs(self) -> int:
        batch, steps, depth, units = self.sizes
        return batch * steps * len(GATES) * units * (depth + units)
