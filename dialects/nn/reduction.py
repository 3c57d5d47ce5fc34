"""Reductions along axes: `nn.reduce_sum`, `nn.mean`, `nn.reduce_max` and the like."""

from __future__ import annotations

import abc
import math
from collections.abc import Mapping, Sequence
from typing import Unpack

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import DenseArrayBase, TensorType, UnitAttr, i1, i64
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integers
from .attributes import ints
from .interfaces import ByChannel, Foldable, HasRanges, channels_of, element_type_of, expect_shape, shape_of
from .movement import verify_axis
from .quantised import verify_quantisation
from .ranges import Ranges, requantised
from .scaling import SCALING, Scaled, Scaling, scaled_properties
from .signature import SIGNATURE, FromTensor


class Reduction(FromTensor, ByChannel, abc.ABC):
    """Base: what remains of some dimensions is one element; they keep an extent of 1."""

    axes = prop_def(DenseArrayBase.constr(i64))
    """The reduced dimensions, ascending."""

    def keeps_channels(self) -> bool:
        return len(shape_of(self.input)) - 1 not in ints(self.axes)

    def inferred_shape(self) -> tuple[int, ...]:
        """The operand's shape with 1 for the reduced dimensions."""
        axes = ints(self.axes)
        return tuple(1 if d in axes else extent for d, extent in enumerate(shape_of(self.input)))

    def verify_(self) -> None:
        axes = ints(self.axes)
        for axis in axes:
            verify_axis(self, axis, len(shape_of(self.input)))
        if list(axes) != sorted(set(axes)):
            raise VerifyException(f"'{self.name}' op axes {list(axes)} must ascend")
        expect_shape(self, "result", shape_of(self.output), self.inferred_shape())
        self.verify_same_elements()


class PlainReduction(Reduction, Foldable, abc.ABC):
    """Base of the reductions to which scales do not matter."""

    assembly_format = "$input `axes` $axes" + SIGNATURE

    def __init__(self, input: Value, axes: Sequence[int], output_type: TensorType):
        super().__init__(input, output_type, {"axes": integers(axes, i64)})

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]]:
        return _folded(self, _FUNCTIONS[type(self)], operands[0])


def _folded(op: Reduction, function: np.ufunc, operand: npt.NDArray[np.generic]) -> list[npt.NDArray[np.generic]]:
    return [np.asarray(function.reduce(operand, axis=ints(op.axes), keepdims=True, dtype=operand.dtype))]


class ExtremeReduction(PlainReduction, HasRanges, abc.ABC):
    """Base of the largest and the smallest element."""

    infinite = opt_prop_def(UnitAttr)
    """Whether floats are compared with infinity first, as ONNX and TOSA define it. Without it with the last finite
    number, as TensorFlow Lite does: of infinities alone that is the result."""

    assembly_format = "$input `axes` $axes (`infinite` $infinite^)?" + SIGNATURE

    def __init__(self, input: Value, axes: Sequence[int], output_type: TensorType, *, infinite: bool = False):
        super().__init__(input, axes, output_type)
        if infinite:
            self.infinite = UnitAttr()

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        """Ranges of integers: the result is one of the elements."""
        (input,) = operands
        if input.is_real:
            return [Ranges.everything(element_type_of(self.output), channels_of(self.output))]
        if self.keeps_channels():
            return operands
        return [Ranges(*(_FUNCTIONS[type(self)](end.max(), end.min())[None] for end in (input.least, input.most)))]


@irdl_op_definition
class ReduceMaxOp(ExtremeReduction):
    """The largest element."""

    name = "nn.reduce_max"


@irdl_op_definition
class ReduceMinOp(ExtremeReduction):
    """The smallest element."""

    name = "nn.reduce_min"


class TruthReduction(PlainReduction, abc.ABC):
    """Base of the reductions of truth values."""

    def verify_(self) -> None:
        super().verify_()
        if element_type_of(self.input) != i1:
            raise VerifyException(f"'{self.name}' op elements must be i1, got {element_type_of(self.input)}")


@irdl_op_definition
class ReduceAllOp(TruthReduction):
    """Whether all elements are true."""

    name = "nn.reduce_all"


@irdl_op_definition
class ReduceAnyOp(TruthReduction):
    """Whether an element is true."""

    name = "nn.reduce_any"


_FUNCTIONS: Mapping[type[PlainReduction], np.ufunc] = {
    ReduceMaxOp: np.maximum,
    ReduceMinOp: np.minimum,
    ReduceAllOp: np.logical_and,
    ReduceAnyOp: np.logical_or,
}
"""Function that combines two elements."""


class ScaledReduction(Reduction, Scaled, abc.ABC):
    """Base of those of plain numbers, or of quantised ones with two zero points, a factor and a clamp."""

    assembly_format = "$input `axes` $axes" + SCALING + SIGNATURE

    def __init__(self, input: Value, axes: Sequence[int], output_type: TensorType, **scaling: Unpack[Scaling]):
        super().__init__(input, output_type, {"axes": integers(axes, i64), **scaled_properties(**scaling)})

    def verify_(self) -> None:
        super().verify_()
        element = element_type_of(self.output)
        parts = self.zero_points, self.rescale, self.clamp
        verify_quantisation(self, *parts, counts=(2, 1), element_type=element)


@irdl_op_definition
class ReduceProductOp(ScaledReduction, Foldable):
    """The product of the elements; plain integers wrap.

    Quantised rule (TensorFlow Lite `reference_ops::QuantizedReduceProd`): from the first element less its zero point,
    the product with each further one is an int64 that is rescaled to int32; so is the last product, then the output's
    zero point is added, clamped.
    """

    name = "nn.reduce_product"

    def fold(self, operands: Sequence[npt.NDArray[np.generic]]) -> list[npt.NDArray[np.generic]] | None:
        return _folded(self, np.multiply, operands[0]) if self.rescale is None else None


class SumReduction(ScaledReduction, HasRanges, abc.ABC):
    """Base of sum and mean.

    Quantised rule (TensorFlow Lite `reference_ops::QuantizedMeanOrSum`): the int32 sum of elements less their zero
    points, rescaled by a factor that contains the mean's division, plus the output's zero point, clamped.
    """

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        if self.quantised is None or not self.keeps_channels():
            return [Ranges.everything(element_type_of(self.output), channels_of(self.output))]
        from_zero, to_zero = self.quantised.zero_points
        count = math.prod(shape_of(self.input)) // math.prod(shape_of(self.output))
        sums = operands[0].less(from_zero, count)
        return [requantised(sums, self.quantised.rescale, to_zero, self.quantised.clamp)]


@irdl_op_definition
class ReduceSumOp(SumReduction):
    """The sum of the elements; plain integers wrap."""

    name = "nn.reduce_sum"


@irdl_op_definition
class MeanOp(SumReduction):
    """The mean of the elements; of plain integers rounded toward zero."""

    name = "nn.mean"
