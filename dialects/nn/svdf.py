"""`nn.svdf`."""

from __future__ import annotations

from typing import Unpack

from xdsl.dialects.builtin import DenseArrayBase, TensorType, UnitAttr, f32, i8, i16, i32
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..values import Value, flag, reals
from .attributes import VariableType
from .interfaces import HasMacs, element_type_of, expect_length, expect_rank, expect_shape, is_quantised, shape_of
from .quantised import verify_clamp, verify_zero_points
from .scaling import SCALING, Scaled, Scaling, scaled_properties
from .signature import SIGNATURE


@irdl_op_definition
class SvdfOp(Scaled, HasMacs):
    """Singular value decomposition filter: a dense layer factored into features and time.

    Input [N, K], features [F, K], time [F, M], bias [U], state [N, F * M], output [N, U] with F = rank * U. The state
    of each filter moves on by one step, the product of input and features is its newest entry, and the products of
    states and time weights of `rank` neighbouring filters are summed. Quantised rule (TensorFlow Lite Micro
    `EvalIntegerSvdfReference`): the feature product is rescaled by the first factor, saturated, and the state's
    zero point added without regard to overflow; the sum over time, from the bias, is rescaled by the second factor,
    the output's zero point added, clamped. Float rule: sums from 0 over time, then from the bias over the rank.
    Hybrid rule (`reference_ops::EvalHybridSVDF`): int8 weights of two scales; each row of the float input is quantised,
    the int32 product with the features times both scales is the newest entry, the rest is the float rule.
    """

    name = "nn.svdf"
    input = operand_def(TensorType)
    features = operand_def(TensorType)
    time = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    state = operand_def(VariableType)
    output = result_def(TensorType)

    scales = opt_prop_def(DenseArrayBase.constr(f32))
    """Hybrid: of features and time weights."""
    asymmetric = opt_prop_def(UnitAttr)
    """Hybrid: rows are quantised with zero points."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$input `,` $features `,` $time (`bias` $bias^)? `state` $state"
        " (`scales` $scales^)? (`asymmetric` $asymmetric^)?" + SCALING + SIGNATURE
    )

    def __init__(
        self,
        input: Value,
        features: Value,
        time: Value,
        bias: Value | None,
        state: Value,
        *,
        output_type: TensorType,
        scales: tuple[float, float] | None = None,
        asymmetric: bool = False,
        **scaling: Unpack[Scaling],
    ):
        super().__init__(
            operands=[input, features, time, [] if bias is None else [bias], state],
            result_types=[output_type],
            properties={
                **scaled_properties(**scaling),
                "scales": reals(scales),
                "asymmetric": flag(asymmetric),
            },
        )

    def fuses_clamp(self) -> bool:
        return True

    @property
    def rank(self) -> int:
        """Filters that are summed into one output."""
        return shape_of(self.features)[0] // shape_of(self.output)[1]

    def verify_(self) -> None:
        batch, depth = expect_rank(self, "input", self.input, 2)
        filters, feature_depth = expect_rank(self, "features", self.features, 2)
        time_filters, memory = expect_rank(self, "time", self.time, 2)
        rows, units = expect_rank(self, "result", self.output, 2)
        if feature_depth != depth or time_filters != filters or rows != batch or not units or filters % units:
            raise VerifyException(
                f"'{self.name}' op input {batch}x{depth}, features {filters}x{feature_depth}, time "
                f"{time_filters}x{memory} and result {rows}x{units} do not go together"
            )
        if not memory:
            raise VerifyException(f"'{self.name}' op must remember at least one step")
        expect_shape(self, "state", shape_of(self.state), (batch, filters * memory))
        if self.bias is not None:
            expect_shape(self, "bias", shape_of(self.bias), (units,))
        self._verify_elements()

    def _verify_elements(self) -> None:
        element = element_type_of(self.output)
        quantised = is_quantised(element)
        state = element_type_of(self.state)
        hybrid = self.scales is not None
        if self.scales is not None:
            expect_length(self, "scales", len(self.scales), 2)
        if element_type_of(self.time) != (i8 if hybrid else state) or (
            state not in (i8, i16) if quantised else state != element
        ):
            raise VerifyException(f"'{self.name}' op state and time weights of type {state} do not fit the result's")
        if element_type_of(self.input) != element or element_type_of(self.features) != (i8 if hybrid else element):
            raise VerifyException(f"'{self.name}' op input, features and result must have the same element type")
        if (hybrid and quantised) or (self.asymmetric is not None and not hybrid):
            raise VerifyException(f"'{self.name}' op has scales and asymmetric for floats and int8 weights only")
        if self.bias is not None and element_type_of(self.bias) != (i32 if quantised else element):
            raise VerifyException(f"'{self.name}' op bias elements cannot be {element_type_of(self.bias)}")
        verify_zero_points(self, self.zero_points, 3, element)
        verify_clamp(self, self.clamp, element)
        if (self.rescale is not None) != quantised:
            raise VerifyException(f"'{self.name}' op needs rescale exactly when elements are quantised")
        if self.rescale is not None:
            expect_length(self, "rescale", len(self.rescale.multiplier), 2)

    def macs(self) -> int:
        filters, depth = shape_of(self.features)
        return shape_of(self.input)[0] * filters * (depth + shape_of(self.time)[1])
