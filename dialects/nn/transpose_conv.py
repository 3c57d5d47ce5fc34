"""`nn.transpose_conv2d`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Unpack

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integers
from .accumulate import QUANTISATION_FORMAT, Accumulate, AccumulatorScaling, ElementTypes
from .attributes import ints
from .constant import ConstantOp
from .interfaces import expect_length, expect_rank, shape_of
from .taps import Taps
from .window import FARTHEST


@irdl_op_definition
class TransposeConv2DOp(Accumulate):
    """Transposed 2-D convolution: input NHWC, filter OHWI, bias O, output NHWO.

    Input pixel `i` and tap `k` contribute to output pixel `i * stride - crop + k`. Numeric rule: see `accumulate.py`
    (TensorFlow Lite `reference_integer_ops::TransposeConv`, `reference_ops::TransposeConv`).
    """

    ELEMENT_TYPES: ClassVar[ElementTypes] = Accumulate.ELEMENT_TYPES[:-1]

    name = "nn.transpose_conv2d"
    strides = prop_def(DenseArrayBase.constr(i64))
    """Vertical and horizontal stride: output pixels from one input pixel to the next."""
    crops = prop_def(DenseArrayBase.constr(i64))
    """Rows and columns of the full result that are left out: top, bottom, left, right; below 0, some are added to the
    bottom and right."""

    assembly_format = "$input `,` $filter (`,` $extras^)? `strides` $strides `crops` $crops" + QUANTISATION_FORMAT

    def __init__(
        self,
        input: Value,
        filter: Value,
        bias: Value | None,
        *,
        strides: Sequence[int],
        crops: Sequence[int],
        output_type: TensorType,
        **scaling: Unpack[AccumulatorScaling],
    ):
        window = {"strides": integers(strides, i64), "crops": integers(crops, i64)}
        super().__init__(input, filter, bias, window, output_type=output_type, **scaling)

    def inferred_shape(self) -> tuple[int, ...]:
        batch, *extents, depth = expect_rank(self, "input", self.input, 4)
        channels, *kernel, filter_depth = expect_rank(self, "filter", self.filter, 4)
        expect_length(self, "strides", len(self.strides), 2)
        expect_length(self, "crops", len(self.crops), 4)
        strides, crops = ints(self.strides), ints(self.crops)
        if depth != filter_depth:
            raise VerifyException(f"'{self.name}' op filter has depth {filter_depth}, the input {depth}")
        if min(*strides, *extents, *kernel) < 1 or min(crops[0], crops[2]) < 0:
            raise VerifyException(
                f"'{self.name}' op extents and strides must be at least 1, crops at the top and left at least 0"
            )
        reach = max((extents[d] - 1) * strides[d] + kernel[d] + strides[d] + abs(crops[2 * d + 1]) for d in range(2))
        if reach > FARTHEST:
            raise VerifyException(f"'{self.name}' op strides {list(strides)} reach beyond {FARTHEST} elements")
        height, width = ((extents[d] - 1) * strides[d] + kernel[d] - crops[2 * d] - crops[2 * d + 1] for d in range(2))
        if min(height, width) < 1:
            raise VerifyException(f"'{self.name}' op crops {list(crops)} leave nothing")
        return batch, height, width, channels

    def taps(self) -> Taps | None:
        weights = self.filter.owner
        # Most result pixels have some of the taps only.
        return Taps.of(weights.array, outside=True) if isinstance(weights, ConstantOp) else None

    def macs(self) -> int:
        channels, height, width, _ = shape_of(self.filter)
        batch, in_height, in_width, depth = shape_of(self.input)
        return batch * in_height * in_width * depth * channels * height * width
