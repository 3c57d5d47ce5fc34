"""Integer element types."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute


def integer_range(element_type: Attribute) -> tuple[int, int]:
    """Smallest and largest value of an integer element type; signless ones are read as signed, but i1 is a truth."""
    assert isinstance(element_type, IntegerType), "only integer elements have an integer range"
    if element_type.signedness.data is Signedness.UNSIGNED or element_type.width.data == 1:
        return 0, (1 << element_type.width.data) - 1
    half = 1 << (element_type.width.data - 1)
    return -half, half - 1
