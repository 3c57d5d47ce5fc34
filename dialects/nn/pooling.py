"""Pooling windows: `nn.average_pool2d`, `nn.max_pool2d` and `nn.l2_pool2d`."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integers
from .attributes import ClampAttr, ints
from .interfaces import (
    ByChannel,
    FusesClamp,
    HasRanges,
    element_type_of,
    expect_length,
    expect_rank,
    expect_shape,
    is_quantised,
    shape_of,
)
from .quantised import verify_clamp
from .ranges import Ranges
from .signature import SIGNATURE, FromTensor
from .window import infer_window_shape


class Pool2D(FromTensor, FusesClamp, ByChannel, abc.ABC):
    """Base of the pooling operators: NHWC in and out, equal quantisation of input and output."""

    kernel = prop_def(DenseArrayBase.constr(i64))
    """Window height and width."""
    strides = prop_def(DenseArrayBase.constr(i64))
    """Vertical and horizontal stride."""
    pads = prop_def(DenseArrayBase.constr(i64))
    """Rows and columns outside the input: top, bottom, left, right. They never take part in the result."""
    clamp = opt_prop_def(ClampAttr)
    """The fused activation."""

    assembly_format = "$input `kernel` $kernel `strides` $strides `pads` $pads (`clamp` $clamp^)?" + SIGNATURE

    def __init__(
        self,
        input: Value,
        *,
        kernel: Sequence[int],
        strides: Sequence[int],
        pads: Sequence[int],
        output_type: TensorType,
        clamp: ClampAttr | None = None,
    ):
        window = {"kernel": integers(kernel, i64), "strides": integers(strides, i64), "pads": integers(pads, i64)}
        super().__init__(input, output_type, {**window, "clamp": clamp})

    def fuses_clamp(self) -> bool:
        return True

    def keeps_channels(self) -> bool:
        return True

    def inferred_shape(self) -> tuple[int, ...]:
        """The output shape that operand and attributes imply; raises VerifyException if they contradict."""
        batch, height, width, channels = expect_rank(self, "input", self.input, 4)
        expect_length(self, "kernel", len(self.kernel), 2)
        kernel = ints(self.kernel)
        out_height, out_width = infer_window_shape(self, (height, width), kernel, self.strides, self.pads, (1, 1))
        top, bottom, left, right = ints(self.pads)
        if max(top, bottom) >= kernel[0] or max(left, right) >= kernel[1]:
            raise VerifyException(
                f"'{self.name}' op pads {[top, bottom, left, right]} leave windows {list(kernel)} without any input"
            )
        return batch, out_height, out_width, channels

    def verify_(self) -> None:
        expect_shape(self, "result", shape_of(self.output), self.inferred_shape())
        self.verify_same_elements()
        verify_clamp(self, self.clamp, element_type_of(self.output))


@irdl_op_definition
class AveragePool2DOp(Pool2D, HasRanges):
    """Mean over a window; taps outside the input do not count.

    Quantised rule (TensorFlow Lite `reference_integer_ops::AveragePool`, `reference_ops::AveragePool` for uint8):
    `(sum + n / 2) / n` for positive sums, `(sum - n / 2) / n` otherwise, with truncating divisions and n the taps
    inside the input. Then clamp. Float rule: sum / n, then clamp.
    """

    name = "nn.average_pool2d"

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        return [_of_windows(self, operands[0])]


@irdl_op_definition
class L2Pool2DOp(Pool2D):
    """The square root of the mean of the squares over a window, then clamp; float only.

    Source: TensorFlow Lite `reference_ops::L2Pool`.
    """

    name = "nn.l2_pool2d"

    def verify_(self) -> None:
        super().verify_()
        if is_quantised(element_type_of(self.output)):
            raise VerifyException(f"'{self.name}' op elements must be floats")


@irdl_op_definition
class MaxPool2DOp(Pool2D, HasRanges):
    """Maximum over a window, then clamp.

    Source: TensorFlow Lite `reference_integer_ops::MaxPool`, `reference_ops::MaxPool`.
    """

    name = "nn.max_pool2d"

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        return [_of_windows(self, operands[0])]


def _of_windows(op: Pool2D, input: Ranges) -> Ranges:
    """No window gives less than its least element or more than its largest; sums of floats are rounded."""
    return Ranges.everything(element_type_of(op.output), input.channels) if input.is_real else input.within(op.clamp)
