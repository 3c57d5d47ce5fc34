"""Operations, blocks, regions, values and their uses are hashed and compared as Python does with any object.

xDSL 0.74 has functions of its own for that, which say the same: two million calls of them in a compilation.
"""

from __future__ import annotations

from xdsl.dialects.arith import SignlessIntegerBinaryOperation
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.irdl import IRDLOperation

for _kind in (SSAValue, Use, Block, Region, Operation, IRDLOperation, SignlessIntegerBinaryOperation):
    for _method in ("__eq__", "__hash__"):
        setattr(_kind, _method, getattr(object, _method))
