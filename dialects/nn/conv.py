"""Convolutions: `nn.conv2d` and `nn.depthwise_conv2d`."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.irdl import irdl_op_definition, prop_def
from xdsl.utils.exceptions import VerifyException

from ..values import Value, integers
from .accumulate import QUANTISATION_FORMAT, Accumulate, AccumulatorScaling
from .attributes import ints
from .constant import ConstantOp
from .interfaces import expect_rank, shape_of
from .taps import Taps, reach
from .window import infer_window_shape


class Convolution(Accumulate, abc.ABC):
    """Base of both convolutions: NHWC input and output, a 2-D window with explicit pads."""

    strides = prop_def(DenseArrayBase.constr(i64))
    """Vertical and horizontal stride."""
    pads = prop_def(DenseArrayBase.constr(i64))
    """Rows and columns outside the input: top, bottom, left, right. Their taps count as zero points."""
    dilations = prop_def(DenseArrayBase.constr(i64))
    """Vertical and horizontal distance between taps."""

    assembly_format = (
        "$input `,` $filter (`,` $extras^)? `strides` $strides `pads` $pads `dilations` $dilations"
        + QUANTISATION_FORMAT
    )

    def __init__(
        self,
        input: Value,
        filter: Value,
        bias: Value | None,
        *,
        strides: Sequence[int],
        pads: Sequence[int],
        dilations: Sequence[int] = (1, 1),
        output_type: TensorType,
        **scaling: Unpack[AccumulatorScaling],
    ):
        window = {"strides": integers(strides, i64), "pads": integers(pads, i64), "dilations": integers(dilations, i64)}
        super().__init__(input, filter, bias, window, output_type=output_type, **scaling)

    def _taps(self, weights: npt.NDArray[Any], groups: int) -> Taps:
        """Taps of weights [output channels, rows, columns, input channels of a group]."""
        pads, extents, results = ints(self.pads), shape_of(self.input)[1:3], shape_of(self.output)[1:3]
        rows, columns = (
            reach(
                weights.shape[1 + d],
                extents[d],
                results[d],
                stride=ints(self.strides)[d],
                dilation=ints(self.dilations)[d],
                before=pads[2 * d],
            )
            for d in range(2)
        )
        flat = Taps.of(weights, groups)
        inside, outside = np.logical_and.outer(rows[0], columns[0]), np.logical_or.outer(rows[1], columns[1])
        return replace(flat, inside=inside.reshape(-1), outside=outside.reshape(-1))

    def _window(self) -> tuple[tuple[int, ...], tuple[int, ...], int, int]:
        """Input shape, filter shape, output height and width."""
        batch_h_w_c = expect_rank(self, "input", self.input, 4)
        kernel = expect_rank(self, "filter", self.filter, 4)
        height, width = infer_window_shape(
            self, batch_h_w_c[1:3], kernel[1:3], self.strides, self.pads, ints(self.dilations)
        )
        return batch_h_w_c, kernel, height, width


@irdl_op_definition
class Conv2DOp(Convolution):
    """2-D convolution: input NHWC, filter OHWI, bias O, output NHWC; grouped if I divides C.

    Numeric rule: see `accumulate.py` (TensorFlow Lite `reference_integer_ops::ConvPerChannel`, `reference_ops::Conv`);
    requantised per tensor or per output channel.
    """

    name = "nn.conv2d"

    def inferred_shape(self) -> tuple[int, ...]:
        (batch, _, _, channels), (out_channels, _, _, group_channels), height, width = self._window()
        if group_channels < 1 or channels % group_channels or out_channels % (channels // group_channels or 1):
            raise VerifyException(
                f"'{self.name}' op filter has {group_channels} input channels and {out_channels} output channels, "
                f"which do not divide the input's {channels} channels into groups"
            )
        return batch, height, width, out_channels

    @property
    def groups(self) -> int:
        """Groups of channels that do not mix."""
        return shape_of(self.input)[3] // shape_of(self.filter)[3]

    def taps(self) -> Taps | None:
        weights = self.filter.owner
        return self._taps(weights.array, self.groups) if isinstance(weights, ConstantOp) else None

    def macs(self) -> int:
        batch, height, width, out_channels = shape_of(self.output)
        _, kernel_h, kernel_w, group_channels = shape_of(self.filter)
        return batch * height * width * out_channels * kernel_h * kernel_w * group_channels


@irdl_op_definition
class DepthwiseConv2DOp(Convolution):
    """Depthwise 2-D convolution: input NHWC, filter 1HWM with M = C * multiplier, bias M, output NHWM.

    Output channel `m` reads input channel `m // multiplier`. Numeric rule: see `accumulate.py` (TensorFlow Lite
    `reference_integer_ops::DepthwiseConvPerChannel`, `reference_ops::DepthwiseConv`).
    """

    name = "nn.depthwise_conv2d"

    @property
    def depth_multiplier(self) -> int:
        """Output channels per input channel."""
        return shape_of(self.filter)[3] // shape_of(self.input)[3]

    def inferred_shape(self) -> tuple[int, ...]:
        (batch, _, _, channels), (one, _, _, out_channels), height, width = self._window()
        if one != 1 or channels < 1 or out_channels % channels:
            raise VerifyException(
                f"'{self.name}' op filter must have shape [1, H, W, k * {channels}], got {list(shape_of(self.filter))}"
            )
        return batch, height, width, out_channels

    def taps(self) -> Taps | None:
        weights = self.filter.owner
        if not isinstance(weights, ConstantOp):
            return None
        return self._taps(weights.array.transpose(3, 1, 2, 0), shape_of(self.input)[3])

    def macs(self) -> int:
        batch, height, width, out_channels = shape_of(self.output)
        _, kernel_h, kernel_w, _ = shape_of(self.filter)
        return batch * height * width * out_channels * kernel_h * kernel_w
