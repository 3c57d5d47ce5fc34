"""Means of quantised elements through floats: `nn.real_average_pool2d`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, TensorType, f32, i8, i16, i32
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value
from .attributes import ClampAttr, ints
from .interfaces import element_type_of, expect_length, shape_of
from .pooling import Pool2D
from .signature import SIGNATURE

ORDERS = ("columns", "fours", "lanes", "pairs")
"""Orders in which taps are added beside row by row."""


@irdl_op_definition
class RealAveragePool2DOp(Pool2D):
    """Mean over a window in float32, as ONNX's AveragePool between DequantizeLinear and QuantizeLinear.

    Elements are `(x - zero_point) * scale`, added tap by tap; the sum is divided by the taps inside the input, then by
    the result's scale, and rounded, halves to even. The zero point is added, then it is clamped. Taps are added row by
    row, or in another order of onnxruntime's kernels:

    - `columns` adds sums of columns.
    - `fours` adds sums of four taps, of two where fewer remain, then a single tap.
    - `lanes` adds every fourth tap of the whole input, then `(l0 + l2) + (l1 + l3)` and the taps that remain.
    - `pairs` has groups of four taps from the first multiple of 16 bytes on, in an image of channels first. It adds the
      even groups and the odd ones, then both, then the last group if their number is odd. Then it goes on as `lanes`;
      the taps before the groups come before those behind.
    """

    name = "nn.real_average_pool2d"
    zero_points = prop_def(DenseArrayBase.constr(i32))
    """Zero points of operand and result."""
    scales = prop_def(DenseArrayBase.constr(f32))
    """Scales of operand and result."""
    order = opt_prop_def(StringAttr)
    """One of `ORDERS`; row by row where it is not said."""
    assembly_format = (
        "$input `kernel` $kernel `strides` $strides `pads` $pads `zero_points` $zero_points `scales` $scales"
        " (`order` $order^)?"
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
        order: str | None = None,
    ):
        super().__init__(input, kernel=kernel, strides=strides, pads=pads, output_type=output_type, clamp=clamp)
        self.properties["zero_points"] = DenseArrayBase.from_list(i32, zero_points)
        self.properties["scales"] = DenseArrayBase.from_list(f32, scales)
        if order is not None:
            self.properties["order"] = StringAttr(order)

    def verify_(self) -> None:
        super().verify_()
        if element_type_of(self.output) not in (i8, i16) or self.clamp is None:
            raise VerifyException(f"'{self.name}' op elements must be i8 or i16, with a clamp")
        expect_length(self, "zero_points", len(self.zero_points), 2)
        expect_length(self, "scales", len(self.scales), 2)
        if self.order is None:
            return
        if self.order.data not in ORDERS:
            raise VerifyException(f"'{self.name}' op order must be one of {', '.join(ORDERS)}, got {self.order}")
        if self.order.data != "columns" and ints(self.kernel) != shape_of(self.input)[1:3]:
            raise VerifyException(f"'{self.name}' op order {self.order.data} goes with a window as large as the input")
