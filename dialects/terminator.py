"""Base of the operations that end a region with values."""

from __future__ import annotations

import abc

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, traits_def, var_operand_def
from xdsl.traits import IsTerminator


class ValuesTerminator(IRDLOperation, abc.ABC):
    """Ends a region with any number of values."""

    values = var_operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict ($values^ `:` type($values))?"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[list(values)])
