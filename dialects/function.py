"""Base of the operations that are functions of numbers."""

from __future__ import annotations

import abc
from typing import ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, operand_def, result_def, traits_def
from xdsl.traits import Pure

from .values import Properties, Value


class Function(IRDLOperation, abc.ABC):
    """A pure function whose operands, which operations declare, have types that need not be written; so has its result.

    Example: `fx.rounding_shift_right %x, %shift`.
    """

    RESULT: ClassVar[Attribute] = i32
    result = result_def(i32)
    traits = traits_def(Pure())
    assembly_format = "operands attr-dict"

    def __init__(self, *operands: Value, properties: Properties | None = None):
        """Make the operation of its operands in order."""
        super().__init__(operands=operands, result_types=[self.RESULT], properties=properties)


class Unary(Function, abc.ABC):
    """Base of the functions of one i32."""

    value = operand_def(i32)


class Binary(Function, abc.ABC):
    """Base of the functions of two i32."""

    lhs = operand_def(i32)
    rhs = operand_def(i32)
