"""Changes of representation: `nn.quantize`, `nn.dequantize`, `nn.rescale`, `nn.cast`."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Unpack

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    DenseArrayBase,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
    UnitAttr,
    f32,
    i1,
    i32,
)
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..fx.fixed_point_arrays import Truths
from ..values import Value, integer, real
from .attributes import ClampAttr, RescaleAttr, ints
from .interfaces import Elementwise, Foldable, FusesClamp, HasRanges, element_type_of, expect_length
from .quantised import verify_clamp
from .ranges import Ranges, requantised
from .scaling import Scaling, scaled_properties
from .signature import SIGNATURE, FromTensor


class Recode(FromTensor, Elementwise, abc.ABC):
    """Base: one operand, same shape, another representation."""

    def verify_(self) -> None:
        self.verify_same_shape()


class AffineRecode(Recode, abc.ABC):
    """Base of the float <-> integer changes: real = scale * (integer - zero_point)."""

    scale = prop_def(FloatAttr.constr(type=f32))
    """Real value of one step, float32."""
    zero_point = prop_def(IntegerAttr.constr(type=i32))
    """The integer that stands for 0."""
    assembly_format = "$input `scale` $scale `zero_point` $zero_point" + SIGNATURE

    def __init__(self, input: Value, *, scale: float, zero_point: int, output_type: TensorType):
        super().__init__(input, output_type, {"scale": real(scale), "zero_point": integer(zero_point)})

    def _verify_elements(self, floating: SSAValue, integer: SSAValue) -> None:
        super().verify_()
        if not isinstance(element_type_of(floating), Float32Type):
            raise VerifyException(f"'{self.name}' op real side must be f32, got {element_type_of(floating)}")
        if not isinstance(element_type_of(integer), IntegerType):
            raise VerifyException(f"'{self.name}' op quantised side must be integers, got {element_type_of(integer)}")
        if self.scale.value.data <= 0:
            raise VerifyException(f"'{self.name}' op scale must be positive")


def _of_zeros(output: SSAValue, is_zero: Truths, number: int) -> Ranges:
    """One number in the channels that hold zeros, anything in others."""
    anything = Ranges.everything(element_type_of(output), len(is_zero))
    return Ranges(np.where(is_zero, number, anything.least), np.where(is_zero, number, anything.most))


@irdl_op_definition
class QuantizeOp(AffineRecode, HasRanges):
    """Float to integer: `clamp(round(x / scale) + zero_point)`, float32 division, halves away from zero, saturating.

    Source: TensorFlow Lite `reference_ops::AffineQuantize`. With `to_even` halves are rounded to even, as ONNX's
    QuantizeLinear rounds them.
    """

    name = "nn.quantize"
    to_even = opt_prop_def(UnitAttr)
    """Whether halves are rounded to even."""
    assembly_format = "$input `scale` $scale `zero_point` $zero_point (`to_even` $to_even^)?" + SIGNATURE

    def __init__(self, input: Value, *, scale: float, zero_point: int, output_type: TensorType, to_even: bool = False):
        super().__init__(input, scale=scale, zero_point=zero_point, output_type=output_type)
        if to_even:
            self.properties["to_even"] = UnitAttr()

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """A channel of zeros has the zero point."""
        return [_of_zeros(self.output, operands[0].constant & (operands[0].least == 0), self.zero_point.value.data)]

    def verify_(self) -> None:
        self._verify_elements(self.input, self.output)


@irdl_op_definition
class DequantizeOp(AffineRecode, Foldable, HasRanges):
    """Integer to float: `scale * (x - zero_point)`, rounded once (TensorFlow Lite `reference_ops::Dequantize`)."""

    name = "nn.dequantize"

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """A channel that is the zero point is 0."""
        is_zero = operands[0].constant & (operands[0].least == self.zero_point.value.data)
        return [_of_zeros(self.output, is_zero, 0)]

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        steps = operands[0].astype(np.int64) - self.zero_point.value.data
        return [steps.astype(np.float32) * np.float32(self.scale.value.data)]

    def verify_(self) -> None:
        self._verify_elements(self.output, self.input)


@irdl_op_definition
class RescaleOp(Recode, FusesClamp, HasRanges):
    """Integer to integer of another scale: `clamp(MultiplyByQuantizedMultiplier(x - zp_in) + zp_out)`.

    Source: TensorFlow Lite `reference_ops::Requantize`; TOSA calls the operator RESCALE.
    """

    name = "nn.rescale"
    zero_points = prop_def(DenseArrayBase.constr(i32))
    """Zero points of input and output."""
    rescale = prop_def(RescaleAttr)
    """One factor: input scale / output scale."""
    clamp = prop_def(ClampAttr)
    """Range of the result."""
    assembly_format = "$input `zero_points` $zero_points `rescale` $rescale `clamp` $clamp" + SIGNATURE

    def __init__(self, input: Value, *, output_type: TensorType, **scaling: Unpack[Scaling]):
        super().__init__(input, output_type, scaled_properties(**scaling))

    def fuses_clamp(self) -> bool:
        return True

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        from_zero, to_zero = ints(self.zero_points)
        return [requantised(operands[0].less(from_zero), self.rescale, to_zero, self.clamp)]

    def verify_(self) -> None:
        super().verify_()
        for value in (self.input, self.output):
            if not isinstance(element_type_of(value), IntegerType):
                raise VerifyException(f"'{self.name}' op elements must be integers, got {element_type_of(value)}")
        expect_length(self, "zero_points", len(self.zero_points), 2)
        expect_length(self, "rescale", len(self.rescale.multiplier), 1)
        verify_clamp(self, self.clamp, element_type_of(self.output))


@irdl_op_definition
class CastOp(Recode, Foldable, HasRanges):
    """Convert a number to another element type as C does; scales do not count.

    Floats are rounded toward zero; those that leave an integer type give its nearest value (NaN the lowest), which C
    leaves open. Integers lose their upper bits. A truth value is whether the number is not 0.
    Source: TensorFlow Lite `reference_ops::Cast`.
    """

    name = "nn.cast"

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Integers that fit stay what they are."""
        element, (input,) = element_type_of(self.output), operands
        everything = Ranges.everything(element, input.channels)
        if input.is_real or everything.is_real or element == i1:
            return [everything]
        fits = (input.least >= everything.least) & (input.most <= everything.most)
        return [Ranges(np.where(fits, input.least, everything.least), np.where(fits, input.most, everything.most))]

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]] | None:
        # Reals that leave an integer type are left to the C.
        return None if operands[0].dtype.kind == "f" else [operands[0]]
