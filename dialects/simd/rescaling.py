"""How sums of 32 bits become bytes: what operations that do so for several channels have in common."""

from __future__ import annotations

import abc
from dataclasses import dataclass

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import opt_prop_def
from xdsl.utils.exceptions import VerifyException

from .instruction import INTEGER
from .memory import OnMemory

_MOST_SHIFTED = 31
_INTEGERS = 0x4B400000
"""Bits of the float32 1.5 * 2**23: what is added to it is rounded to an integer, in the lowest bits."""


@dataclass(frozen=True)
class Rescaling:
    """How `simd.scale_bytes` makes bytes of sums: multiplier and what is added are words of a record.

    With `zero_point` four channels have their factors side by side, and behind them four times the word that products
    are added to (`started`).
    """

    signed: bool = False
    """Whether the sign of the sum is added before the shift, too."""
    unsigned: bool = False
    """Whether the bytes have none."""
    shift: int | None = None
    """Shift of all channels; None where it is the third word of each one's record."""
    floor: bool = False
    """Whether `high` is rounded down; else it is rounded, halves up."""
    zero_point: int | None = None
    """Zero point that is added to a product of floats; None of products of integers."""

    @property
    def record(self) -> int:
        """Words of a channel's record."""
        return 3 if self.shift is None and not self.is_real else 2

    @property
    def apart(self) -> int:
        """Words from what one channel is multiplied by to the next one's."""
        return 1 if self.is_real else self.record

    @property
    def is_real(self) -> bool:
        """Whether products are of floats."""
        return self.zero_point is not None

    @property
    def lift(self) -> int:
        """Sum of the zero point and the distance from the least byte to zero."""
        assert self.zero_point is not None, "products of floats have one"
        return self.zero_point + (0 if self.unsigned else 128)

    @property
    def started(self) -> int | None:
        """The bits of the float that products are added to; None of products of integers.

        That is 1.5 * 2**23, whose sums have their integer in the lowest bits, rounded, halves to even; and an even
        `lift`, which leaves even what is.
        """
        return _INTEGERS + (0 if self.lift % 2 else self.lift) if self.is_real else None

    @property
    def kinds(self) -> list[str]:
        """Parts of the name of a function in C that is given the shift or the zero point."""
        given = {"floor": self.floor, "by": not self.floor and self.shift is not None, "real": self.is_real}
        given |= {"signed": self.signed, "to_unsigned": self.unsigned}
        return [kind for kind, is_given in given.items() if is_given]

    @property
    def suffixes(self) -> list[str]:
        """Parts of the name of one that is not."""
        number = self.shift if self.zero_point is None else self.zero_point
        if number is None:
            return self.kinds
        first, *others = self.kinds
        return [first, *(["less"] if number < 0 else []), str(abs(number)), *others]

    def verify(self) -> None:
        """Check it.

        Raises:
            VerifyException: there are no instructions for it.
        """
        if self.is_real and (self.signed or self.floor or self.shift is not None or not 0 <= self.lift <= 255):
            raise VerifyException("to products of floats a byte is added, and nothing else")
        if self.shift is not None and not 1 <= self.shift <= _MOST_SHIFTED:
            raise VerifyException(f"all channels are shifted by 1 to {_MOST_SHIFTED}, not {self.shift}")
        if self.floor and (self.signed or self.shift is None):
            raise VerifyException("what is rounded down has one shift for all channels, and no sign is added")


RESCALED = (
    "(`signed` $signed^)? (`unsigned` $unsigned^)? (`floor` $floor^)? (`shift` $shift^)? (`zero_point` $zero_point^)? "
)
"""How operations write their rescaling."""


class Rescales(OnMemory, abc.ABC):
    """Base of the operations that make bytes of sums."""

    signed = opt_prop_def(UnitAttr)
    unsigned = opt_prop_def(UnitAttr)
    shift = opt_prop_def(INTEGER)
    floor = opt_prop_def(UnitAttr)
    zero_point = opt_prop_def(INTEGER)

    @property
    def rescaling(self) -> Rescaling:
        """How sums become bytes."""
        return self.described(Rescaling)
