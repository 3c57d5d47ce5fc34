"""The `nn` dialect: trained networks on tensors, quantisation as explicit integer attributes.

Operators have TOSA's names where TOSA has the operator, TensorFlow Lite's where it has not. Everything that can be
computed from scales at import is an integer attribute here; nothing below this level knows scales.
"""

from xdsl.ir import Dialect

from .attributes import ClampAttr, OriginAttr, RescaleAttr
from .constant import ConstantOp
from .conv import Conv2DOp, DepthwiseConv2DOp
from .elementwise import AddOp
from .matmul import FullyConnectedOp
from .pooling import AveragePool2DOp, MaxPool2DOp
from .quantise import DequantizeOp, QuantizeOp, RescaleOp
from .shape import ReshapeOp
from .softmax import SoftmaxOp

Nn = Dialect(
    "nn",
    [
        AddOp,
        AveragePool2DOp,
        ConstantOp,
        Conv2DOp,
        DepthwiseConv2DOp,
        DequantizeOp,
        FullyConnectedOp,
        MaxPool2DOp,
        QuantizeOp,
        RescaleOp,
        ReshapeOp,
        SoftmaxOp,
    ],
    [ClampAttr, OriginAttr, RescaleAttr],
)
