"""Sums of products and pools: what slides over images, and matrix products."""

from __future__ import annotations

import abc
from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, DenseArrayBase, IntegerAttr, TensorType
from xdsl.dialects.tosa import NanModeAttr
from xdsl.ir import Operation, TypeAttribute
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from .assembly import TosaOp


class Convolution(TosaOp, abc.ABC):
    """Base of the convolutions: images with channels last, zero points of images and weights."""

    input = operand_def(TensorType)
    weight = operand_def(TensorType)
    bias = operand_def(TensorType)
    input_zp = operand_def(TensorType)
    weight_zp = operand_def(TensorType)
    output = result_def(TensorType)
    stride = prop_def(DenseArrayBase)
    acc_type = prop_def(TypeAttribute)
    local_bound = opt_prop_def(BoolAttr)
    traits = traits_def(Pure())


class Padded(Convolution, abc.ABC):
    """Base of those with a margin."""

    pad = prop_def(DenseArrayBase)
    """Elements outside, before and after in each dimension of space."""
    dilation = prop_def(DenseArrayBase)


@irdl_op_definition
class Conv2DOp(Padded):
    """A convolution; weights are out, height, width, in."""

    name = "tosa.conv2d"


@irdl_op_definition
class Conv3DOp(Padded):
    """A convolution of three dimensions."""

    name = "tosa.conv3d"


@irdl_op_definition
class DepthwiseConv2DOp(Padded):
    """A convolution of each channel alone; weights are height, width, in, multiplier."""

    name = "tosa.depthwise_conv2d"


@irdl_op_definition
class TransposeConv2DOp(Convolution):
    """A convolution that enlarges."""

    name = "tosa.transpose_conv2d"
    out_pad = prop_def(DenseArrayBase)
    """Rows and columns added to the result: top, bottom, left, right; below 0, taken away."""


@irdl_op_definition
class MatMulOp(TosaOp):
    """Products of matrices. xDSL's has one element type and one product, TOSA's sums are wider."""

    name = "tosa.matmul"
    a = operand_def(TensorType)
    b = operand_def(TensorType)
    a_zp = operand_def(TensorType)
    b_zp = operand_def(TensorType)
    output = result_def(TensorType)
    traits = traits_def(Pure())


@irdl_op_definition
class ArgMaxOp(TosaOp):
    """The place of the largest element along an axis, which goes away."""

    name = "tosa.argmax"
    input = operand_def(TensorType)
    output = result_def(TensorType)
    axis = prop_def(IntegerAttr)
    nan_mode = opt_prop_def(NanModeAttr)
    traits = traits_def(Pure())


@irdl_op_definition
class Fft2DOp(TosaOp):
    """The Fourier transform of complex images."""

    name = "tosa.fft2d"
    input_real = operand_def(TensorType)
    input_imag = operand_def(TensorType)
    output_real = result_def(TensorType)
    output_imag = result_def(TensorType)
    inverse = prop_def(BoolAttr)
    local_bound = opt_prop_def(BoolAttr)
    traits = traits_def(Pure())


@irdl_op_definition
class RFft2DOp(TosaOp):
    """The Fourier transform of real images."""

    name = "tosa.rfft2d"
    input_real = operand_def(TensorType)
    output_real = result_def(TensorType)
    output_imag = result_def(TensorType)
    local_bound = opt_prop_def(BoolAttr)
    traits = traits_def(Pure())


OPS: Sequence[type[Operation]] = (
    ArgMaxOp,
    Conv2DOp,
    Conv3DOp,
    DepthwiseConv2DOp,
    Fft2DOp,
    RFft2DOp,
    TransposeConv2DOp,
)
