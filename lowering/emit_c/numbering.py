"""Numbers for the names of C functions that differ in more than a name can say, such as the taps of a window.

They count the variants of a module in the order of its operations. The functions are static: those of another module
are others, whatever their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Operation

from ...dialects.operations import operations

_NUMBER = "c_number"
Variants = Mapping[type[Operation], Callable[[Any], tuple[str, Hashable] | None]]
"""The stem of an operation's name and what the function depends on beside it; None where the name says all."""


def number_variants(module: Operation, variants: Variants) -> None:
    """Give every operation the number of its variant, from 1 on."""
    counts: dict[str, dict[Hashable, int]] = {}
    for op in operations(module):
        if (variant := variants.get(type(op))) is not None and (found := variant(op)) is not None:
            stem, rest = found
            numbers = counts.setdefault(stem, {})
            op.attributes[_NUMBER] = IntAttr(numbers.setdefault(rest, len(numbers) + 1))


def number_of(op: Operation) -> int:
    """The number of its variant."""
    found = op.attributes[_NUMBER]
    assert isinstance(found, IntAttr), "numbers are given before names are asked for"
    return found.data
