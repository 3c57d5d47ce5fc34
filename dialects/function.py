"""Base of the operations that are functions of numbers."""

from __future__ import annotations

import abc

from xdsl.dialects.builtin import i32
from xdsl.irdl import IRDLOperation, operand_def, result_def, traits_def
from xdsl.traits import Pure

from .values import Properties, Value


class Function(IRDLOperation, abc.ABC):
    """A pure function whose operands, which operations declare, have types that need not be written; so has its result.

    Example: `fx.rounding_shift_right %x, %shift`.
    """

    result = result_def(i32)
    traits = traits_def(Pure())
    assembly_format = "operands attr-dict"

    def __init__(self, *operands: Value, properties: Properties | None = None):
        """Make the operation of its operands in order."""
        super().__init__(operands=operands, result_types=[i32], properties=properties)


class Unary(Function, abc.ABC):
    """Base of the functions of one i32."""

    value = operand_def(i32)


class Binary(Function, abc.ABC):
    """Base of the functions of two i32."""

    lhs = operand_def(i32)
    rhs = operand_def(i32)
