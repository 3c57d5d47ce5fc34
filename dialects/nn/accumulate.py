"""What convolutions and matrix products share: a multiply-accumulate, then requantise, then clamp.

Quantised rule (TensorFlow Lite reference kernels `integer_ops/conv.h`, `depthwise_conv.h`, `fully_connected.h`, as
TFLite Micro runs them): `acc = bias + sum((input - zp_input) * (filter - zp_filter))` in int32 over the taps inside the
input, `MultiplyByQuantizedMultiplier(acc, multiplier[c], shift[c]) + zp_output`, then clamp. Float rule: the sum of
products plus bias, then clamp.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i32
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, operand_def, opt_operand_def, opt_prop_def, result_def
from xdsl.utils.exceptions import VerifyException

from .attributes import ClampAttr, RescaleAttr, ints
from .interfaces import HasMacs, element_type_of, expect_shape, is_quantised, tensor_type
from .quantised import verify_clamp, verify_rescale, verify_zero_points


class Accumulate(IRDLOperation, HasMacs, abc.ABC):
    """Base of the multiply-accumulate family; operands, quantisation and their verification."""

    input = operand_def(TensorType)
    filter = operand_def(TensorType)
    bias = opt_operand_def(TensorType)
    output = result_def(TensorType)

    zero_points = opt_prop_def(DenseArrayBase.constr(i32))
    """Zero points of input, filter and output."""
    rescale = opt_prop_def(RescaleAttr)
    """Requantisation of the accumulator, per tensor or per output channel."""
    clamp = opt_prop_def(ClampAttr)
    """The fused activation."""

    @property
    def input_zero_point(self) -> int:
        """The quantised input's zero point; 0 for floats."""
        return self._zero_point(0)

    @property
    def filter_zero_point(self) -> int:
        """The quantised filter's zero point; 0 for floats and symmetric weights."""
        return self._zero_point(1)

    @property
    def output_zero_point(self) -> int:
        """The quantised output's zero point; 0 for floats."""
        return self._zero_point(2)

    def _zero_point(self, position: int) -> int:
        return 0 if self.zero_points is None else ints(self.zero_points)[position]

    @abc.abstractmethod
    def inferred_shape(self) -> tuple[int, ...]:
        """The output shape that operands and attributes imply; raises VerifyException if they contradict."""

    def verify_(self) -> None:
        expect_shape(self, "result", tensor_type(self.output).get_shape(), self.inferred_shape())
        channels = self.inferred_shape()[-1]
        element = element_type_of(self.output)
        if self.bias is not None:
            expect_shape(self, "bias", tensor_type(self.bias).get_shape(), (channels,))
            self._verify_bias(element)
        if is_quantised(element) != is_quantised(element_type_of(self.input)):
            raise VerifyException(f"'{self.name}' op input and result must be both quantised or both float")
        if is_quantised(element) != is_quantised(element_type_of(self.filter)):
            raise VerifyException(f"'{self.name}' op filter and result must be both quantised or both float")
        verify_zero_points(self, self.zero_points, 3, element)
        verify_rescale(self, self.rescale, channels, element)
        verify_clamp(self, self.clamp, element)

    def _verify_bias(self, element: Attribute) -> None:
        assert self.bias is not None, "called with a bias only"
        expected = i32 if is_quantised(element) else element
        if element_type_of(self.bias) != expected:
            raise VerifyException(
                f"'{self.name}' op bias elements must be {expected}, got {element_type_of(self.bias)}"
            )


def quantisation_properties(
    zero_points: Sequence[int] | None, rescale: RescaleAttr | None, clamp: ClampAttr | None
) -> dict[str, Attribute | None]:
    """The properties of the family from plain Python values."""
    return {
        "zero_points": None if zero_points is None else DenseArrayBase.from_list(i32, zero_points),
        "rescale": rescale,
        "clamp": clamp,
    }
