"""The `external` dialect: operators that C functions of the application compute, at once or on a device meanwhile.

`external.operator` stands between operators on tensors; below it buffers are passed to `external.call`, or to
`external.launch` and, when the device must be done, to `external.wait`.
"""

from xdsl.ir import Dialect

from .buffers import BufferOp as BufferOp
from .buffers import CallOp as CallOp
from .buffers import LaunchOp as LaunchOp
from .buffers import WaitOp as WaitOp
from .device import ActivateOp as ActivateOp
from .device import DeactivateOp as DeactivateOp
from .operator import OperatorOp as OperatorOp
from .types import RunType as RunType
from .types import TokenType as TokenType

External = Dialect("external", [OperatorOp, CallOp, LaunchOp, WaitOp, ActivateOp, DeactivateOp], [RunType, TokenType])
