"""Means of quantised elements through floats: `nn.real_average_pool2d`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, TensorType, f32, i8, i16, i32
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .attributes import ClampAttr
from .interfaces import element_type_of, expect_length
from .pooling import Pool2D
from .signature import SIGNATURE


@irdl_op_definition
class RealAveragePool2DOp(Pool2D):
    """Mean over a window in float32, as ONNX's AveragePool between DequantizeLinear and QuantizeLinear.

    Elements are `(x - zero_point) * scale`, added tap by tap; the sum is divided by the taps inside the input, then by
    the result's scale, and rounded, halves to even. The zero point is added, then it is clamped.
    """

    name = "nn.real_average_pool2d"
    zero_points = prop_def(DenseArrayBase.constr(i32))
    """Of operand and result."""
    scales = prop_def(DenseArrayBase.constr(f32))
    """Of operand and result."""
    assembly_format = (
        "$input `kernel` $kernel `strides` $strides `pads` $pads `zero_points` $zero_points `scales` $scales"
        " (`clamp` $clamp^)?" + SIGNATURE
    )

    def __init__(
        self,
        input: Value,
        *,
        kernel: Sequence[int],
        strides: Sequence[int],
        pads: Sequence[int],
        zero_points: Sequence[int],
        scales: Sequence[float],
        output_type: TensorType,
        clamp: ClampAttr,
    ):
        super().__init__(input, kernel=kernel, strides=strides, pads=pads, output_type=output_type, clamp=clamp)
        self.properties["zero_points"] = DenseArrayBase.from_list(i32, zero_points)
        self.properties["scales"] = DenseArrayBase.from_list(f32, scales)

    def verify_(self) -> None:
        super().verify_()
        if element_type_of(self.output) not in (i8, i16) or self.clamp is None:
            raise VerifyException(f"'{self.name}' op elements must be i8 or i16, with a clamp")
        expect_length(self, "zero_points", len(self.zero_points), 2)
        expect_length(self, "scales", len(self.scales), 2)
