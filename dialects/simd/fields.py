"""Definitions that operations of the `simd` dialect share."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.irdl import AttrSizedOperandSegments

INTEGER = IntegerAttr.constr(i64)
"""A property that is a number."""
INTEGERS = DenseArrayBase.constr(i64)
"""A property of several numbers."""
SEGMENTS = (AttrSizedOperandSegments(as_property=True),)
"""Options of operations that say how many of their operands belong together."""
