"""Rows brought to a norm: `nn.log_softmax` and `nn.l2_normalize`."""

from __future__ import annotations

import abc
from collections.abc import Collection
from dataclasses import dataclass

from xdsl.dialects.builtin import IntegerAttr, TensorType, f32, i8, i32
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integer, real
from .attributes import RescaleAttr
from .interfaces import element_type_of, expect_length, is_quantised, shape_of
from .quantised import UI8
from .signature import SIGNATURE, FromTensor

_LARGEST_SQUARE = 255**2
"""Largest square of the difference between an element of 8 bits and its zero point."""


class Rows(FromTensor, abc.ABC):
    """Base: functions of the rows along the last dimension; the result has the operand's shape."""

    def verify_rows(self, types: Collection[tuple[Attribute, Attribute]]) -> tuple[Attribute, Attribute]:
        """Check the shapes; the element types of operand and result, which must be among `types`.

        Raises:
            VerifyException: a shape or the element types are wrong.
        """
        self.verify_same_shape()
        if not shape_of(self.input):
            raise VerifyException(f"'{self.name}' op input must have at least one dimension")
        found = element_type_of(self.input), element_type_of(self.output)
        if found not in types:
            raise VerifyException(f"'{self.name}' op elements {found[0]} and {found[1]} do not go together")
        return found


@dataclass(frozen=True)
class FixedPoint:
    """Parameters of exponentials of quantised elements."""

    rescale: RescaleAttr
    diff_min: int
    """Least difference to the maximum that still contributes to the sum, 8 bits only."""


class Exponentials(Rows, abc.ABC):
    """Base of the functions of a row's exponentials; quantised, they are computed in fixed point."""

    rescale = opt_prop_def(RescaleAttr)
    """Fixed-point factors; each operation says which."""
    diff_min = opt_prop_def(IntegerAttr.constr(type=i32))
    """Least difference to the maximum that still contributes to the sum, 8 bits only."""
    assembly_format = "$input (`rescale` $rescale^)? (`diff_min` $diff_min^)?" + SIGNATURE

    def __init__(
        self,
        input: Value,
        *,
        output_type: TensorType,
        rescale: RescaleAttr | None = None,
        diff_min: int | None = None,
        beta: float | None = None,
    ):
        """Make the operation; `beta` is for `nn.softmax` only."""
        properties = {"rescale": rescale, "diff_min": integer(diff_min), "beta": real(beta)}
        super().__init__(input, output_type, properties)

    @property
    def quantised(self) -> FixedPoint | None:
        """How exponentials of quantised elements are computed."""
        if self.rescale is None:
            return None
        return FixedPoint(self.rescale, 0 if self.diff_min is None else self.diff_min.value.data)


@irdl_op_definition
class LogSoftmaxOp(Exponentials):
    """Logarithm of the softmax over the last dimension.

    Quantised rule (TensorFlow Lite `reference_ops::LogSoftmaxQuantized`): the sum of exponentials as `nn.softmax` forms
    it for 8 bits, its logarithm in Q5.26, and differences less that, rounded to the output scale 1/16 with zero point
    127. There are two factors: input scale to Q5.26, and back. Float rule: `x - max - log(sum(exp(x - max)))`.
    """

    name = "nn.log_softmax"

    def verify_(self) -> None:
        quantised = is_quantised(self.verify_rows(((f32, f32), (i8, i8)))[0])
        if (self.rescale is None) == quantised or (self.diff_min is None) == quantised:
            raise VerifyException(
                f"'{self.name}' op needs rescale and diff_min for quantised elements, neither for floats"
            )
        if self.rescale is not None:
            expect_length(self, "rescale", len(self.rescale.multiplier), 2)


@irdl_op_definition
class L2NormalizeOp(Rows):
    """Rows divided by their Euclidean norms.

    Quantised rule (TensorFlow Lite `reference_integer_ops::L2Normalization` and `reference_ops::L2Normalization` for
    uint8): the inverse root of the sum of squares by five Newton steps; the results have scale 1/128 and the middle of
    the type's range as zero point. Float rule: `x / max(sqrt(sum(x * x)), 1e-6)`.
    """

    name = "nn.l2_normalize"
    zero_point = opt_prop_def(IntegerAttr.constr(type=i32))
    """The quantised input's zero point."""

    assembly_format = "$input (`zero_point` $zero_point^)?" + SIGNATURE

    def __init__(self, input: Value, *, output_type: TensorType, zero_point: int | None = None):
        super().__init__(input, output_type, {"zero_point": integer(zero_point)})

    def verify_(self) -> None:
        quantised = is_quantised(self.verify_rows(((f32, f32), (i8, i8), (UI8, UI8)))[0])
        if (self.zero_point is None) == quantised:
            raise VerifyException(f"'{self.name}' op needs a zero_point for quantised elements, none for floats")
        if quantised and shape_of(self.input)[-1] * _LARGEST_SQUARE >= 2**31:
            raise VerifyException(
                f"'{self.name}' op rows of {shape_of(self.input)[-1]} elements are too long: their squares overflow i32"
            )
