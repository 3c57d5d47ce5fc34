"""The `nn` dialect: trained networks on tensors, quantisation as explicit integer attributes.

Operators have TOSA's names where TOSA has the operator, TensorFlow Lite's where it has not. Everything that can be
computed from scales at import is an integer attribute here; nothing below this level knows scales.
"""

from xdsl.ir import Dialect

from .attributes import ClampAttr, OriginAttr, RescaleAttr, VariableType
from .constant import ConstantOp
from .conv import Conv2DOp, DepthwiseConv2DOp
from .elementwise import AddOp
from .gather import GatherNdOp, GatherOp
from .joining import BroadcastOp, ConcatOp, TileOp
from .lstm import LstmOp
from .matmul import FullyConnectedOp
from .normalise import L2NormalizeOp, LogSoftmaxOp
from .ordering import ArgMaxOp, ArgMinOp, TopKOp
from .padding import MirrorPadOp, PadOp
from .pooling import AveragePool2DOp, L2Pool2DOp, MaxPool2DOp
from .quantise import DequantizeOp, QuantizeOp, RescaleOp
from .rearrange import DepthToSpaceOp, SpaceToDepthOp, TransposeOp
from .reduction import (
    MeanOp,
    ReduceAllOp,
    ReduceAnyOp,
    ReduceMaxOp,
    ReduceMinOp,
    ReduceProductOp,
    ReduceSumOp,
)
from .resize import ResizeBilinearOp, ResizeNearestOp
from .scan import CumulativeSumOp
from .select import SelectOp
from .shape import ReshapeOp
from .slicing import SliceOp, SplitOp
from .softmax import SoftmaxOp
from .svdf import SvdfOp
from .variable import AssignVariableOp, ReadVariableOp, VariableOp

Nn = Dialect(
    "nn",
    [
        AddOp,
        ArgMaxOp,
        ArgMinOp,
        AssignVariableOp,
        AveragePool2DOp,
        BroadcastOp,
        ConcatOp,
        ConstantOp,
        Conv2DOp,
        CumulativeSumOp,
        DepthToSpaceOp,
        DepthwiseConv2DOp,
        DequantizeOp,
        FullyConnectedOp,
        GatherNdOp,
        GatherOp,
        L2NormalizeOp,
        L2Pool2DOp,
        LogSoftmaxOp,
        LstmOp,
        MaxPool2DOp,
        MeanOp,
        MirrorPadOp,
        PadOp,
        QuantizeOp,
        ReadVariableOp,
        ReduceAllOp,
        ReduceAnyOp,
        ReduceMaxOp,
        ReduceMinOp,
        ReduceProductOp,
        ReduceSumOp,
        RescaleOp,
        ReshapeOp,
        ResizeBilinearOp,
        ResizeNearestOp,
        SelectOp,
        SliceOp,
        SoftmaxOp,
        SpaceToDepthOp,
        SplitOp,
        SvdfOp,
        TileOp,
        TopKOp,
        TransposeOp,
        VariableOp,
    ],
    [ClampAttr, OriginAttr, RescaleAttr, VariableType],
)
