"""The `pool` dialect: named memory pools, and how buffers may share their bytes.

Buffers stay `memref.alloc` and `memref.global`; what the planner knows and decides stands on them as attributes:
`pool.candidates` (pools in order of preference), then `pool.assigned` and `pool.offset` (bytes).
`keys` has all of them.
"""

from xdsl.ir import Dialect

from .attributes import KindAttr, LeadAttr, PartAttr
from .bytes import BytesOp
from .declare import DeclareOp
from .kinds import BufferKindAttr

Pool = Dialect("pool", [DeclareOp, BytesOp], [KindAttr, BufferKindAttr, LeadAttr, PartAttr])
