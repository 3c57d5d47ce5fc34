"""The `nn` dialect: trained networks on tensors, quantisation as explicit integer attributes.

Operators have TOSA's names where TOSA has the operator, TensorFlow Lite's where it has not. Everything that can be
computed from scales at import is an integer attribute here; nothing below this level knows scales.
"""

from xdsl.ir import Dialect

from .activation import AbsOp, ClampOp, LeakyReluOp, RsqrtOp, SigmoidAttr, SigmoidOp, TableOp
from .attributes import ClampAttr, OriginAttr, RescaleAttr, VariableType
from .constant import ConstantOp
from .control_flow import CondIfOp, ScanOp, WhileLoopOp, YieldOp
from .conv import Conv2DOp, DepthwiseConv2DOp
from .custom import CustomCallOp, CustomOp
from .detection import DetectionPostprocessOp
from .dynamic import DynamicQuantizeOp, DynamicRangeOp
from .element_functions import BinaryAttr, BinaryOp, CompareOp, PredicateAttr, UnaryAttr, UnaryOp
from .elementwise import AddNOp, AddOp, DivOp, MulOp, PreluOp, SquaredDifferenceOp, SubOp
from .gather import GatherNdOp, GatherOp
from .joining import ConcatOp, SplitOp
from .lstm import LstmOp
from .matmul import BatchMatmulOp, FullyConnectedOp
from .normalise import L2NormalizeOp, LogSoftmaxOp
from .ordering import ArgMaxOp, ArgMinOp, TopKOp
from .padding import MirrorPadOp, PadOp
from .pooling import AveragePool2DOp, L2Pool2DOp, MaxPool2DOp
from .quantise import CastOp, DequantizeOp, QuantizeOp, RescaleOp
from .real_elementwise import RealBinaryAttr, RealBinaryOp
from .real_pooling import RealAveragePool2DOp
from .real_resize import RealResizeOp
from .rearrange import DepthToSpaceOp, SpaceToDepthOp, TransposeOp
from .reduction import MeanOp, ReduceAllOp, ReduceAnyOp, ReduceMaxOp, ReduceMinOp, ReduceProductOp, ReduceSumOp
from .removed import RemovedAttr
from .resize import ResizeBilinearOp, ResizeNearestOp
from .scan import CumulativeSumOp
from .scatter import CombinationAttr, ScatterNdOp
from .select import SelectOp
from .shape import ReshapeOp
from .slicing import BroadcastOp, SliceOp, TileOp
from .softmax import SoftmaxOp
from .svdf import SvdfOp
from .transpose_conv import TransposeConv2DOp
from .variable import AssignVariableOp, ReadVariableOp, VariableOp

Nn = Dialect(
    "nn",
    [
        AbsOp,
        AddNOp,
        AddOp,
        ArgMaxOp,
        ArgMinOp,
        AssignVariableOp,
        AveragePool2DOp,
        BatchMatmulOp,
        BinaryOp,
        BroadcastOp,
        CastOp,
        ClampOp,
        CompareOp,
        ConcatOp,
        CondIfOp,
        CustomCallOp,
        CustomOp,
        ConstantOp,
        Conv2DOp,
        CumulativeSumOp,
        DepthToSpaceOp,
        DepthwiseConv2DOp,
        DequantizeOp,
        DetectionPostprocessOp,
        DynamicQuantizeOp,
        DynamicRangeOp,
        DivOp,
        FullyConnectedOp,
        GatherNdOp,
        GatherOp,
        L2NormalizeOp,
        L2Pool2DOp,
        LeakyReluOp,
        RsqrtOp,
        LogSoftmaxOp,
        LstmOp,
        MaxPool2DOp,
        MeanOp,
        MirrorPadOp,
        MulOp,
        PadOp,
        PreluOp,
        QuantizeOp,
        ReadVariableOp,
        RealAveragePool2DOp,
        RealResizeOp,
        RealBinaryOp,
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
        ScanOp,
        ScatterNdOp,
        SelectOp,
        SigmoidOp,
        SliceOp,
        SoftmaxOp,
        SpaceToDepthOp,
        SplitOp,
        SquaredDifferenceOp,
        SubOp,
        SvdfOp,
        TableOp,
        TileOp,
        TopKOp,
        TransposeConv2DOp,
        TransposeOp,
        UnaryOp,
        VariableOp,
        WhileLoopOp,
        YieldOp,
    ],
    [
        BinaryAttr,
        ClampAttr,
        CombinationAttr,
        OriginAttr,
        RemovedAttr,
        PredicateAttr,
        RealBinaryAttr,
        RescaleAttr,
        SigmoidAttr,
        UnaryAttr,
        VariableType,
    ],
)
