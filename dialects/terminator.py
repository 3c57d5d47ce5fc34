"""Base of the operations that end a region with values."""

from __future__ import annotations

import abc

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, traits_def
from xdsl.traits import IsTerminator


class ValuesTerminator(IRDLOperation, abc.ABC):
    """Ends a region with values, which operations declare as one operand: an optional one, or any number."""

    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict (operands^ `:` type(operands))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[list(values)])
