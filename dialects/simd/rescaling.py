"""How sums of 32 bits become bytes: what operations that do so for several channels have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, UnitAttr, i64
from xdsl.utils.exceptions import VerifyException

_MOST_SHIFTED = 31


@dataclass(frozen=True)
class Rescaling:
    """`saturate((high(sum, multiplier) + added) >> shift)`: multiplier and what is added are words of a record.

    `high` is the upper half of the product.
    """

    signed: bool
    """Whether the sign of the sum is added before the shift, too."""
    unsigned: bool
    """Whether the bytes have none."""
    shift: int | None = None
    """That of all channels; None where it is the third word of each one's record."""
    floor: bool = False
    """Whether `high` is rounded down; else it is rounded, halves up."""

    @staticmethod
    def of(
        signed: object | None, unsigned: object | None, shift: IntegerAttr | None, floor: object | None
    ) -> Rescaling:
        """What properties of an operation say."""
        number = None if shift is None else shift.value.data
        return Rescaling(signed is not None, unsigned is not None, number, floor is not None)

    @property
    def properties(self) -> dict[str, Any]:
        """Those that an operation has for it."""
        return {
            "signed": UnitAttr() if self.signed else None,
            "unsigned": UnitAttr() if self.unsigned else None,
            "shift": None if self.shift is None else IntegerAttr(self.shift, i64),
            "floor": UnitAttr() if self.floor else None,
        }

    @property
    def record(self) -> int:
        """Words of a channel's record."""
        return 3 if self.shift is None else 2

    @property
    def suffixes(self) -> list[str]:
        """Parts of the name of a function in C."""
        shifted = [] if self.shift is None else [f"{'floor' if self.floor else 'by'}_{self.shift}"]
        kinds = (("signed", self.signed), ("to_unsigned", self.unsigned))
        return shifted + [text for text, given in kinds if given]

    def verify(self) -> None:
        """Check it.

        Raises:
            VerifyException: there are no instructions for it.
        """
        if self.shift is not None and not 1 <= self.shift <= _MOST_SHIFTED:
            raise VerifyException(f"all channels are shifted by 1 to {_MOST_SHIFTED}, not {self.shift}")
        if self.floor and (self.signed or self.shift is None):
            raise VerifyException("what is rounded down has one shift for all channels, and no sign is added")
