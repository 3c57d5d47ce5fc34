"""Loops over words, some of which are written out: what operations that are such a loop have in common."""

from __future__ import annotations

import abc

from xdsl.irdl import IRDLOperation, prop_def
from xdsl.utils.exceptions import VerifyException

from .fields import INTEGER

MOST_WRITTEN = 16
"""Words of a channel that are written out, in the loop and after it: C need not take longer strings."""


class Unrolled(IRDLOperation, abc.ABC):
    """Base of the operations on `count` words, `unroll` of which are written out in one pass."""

    count = prop_def(INTEGER)
    unroll = prop_def(INTEGER)

    @property
    def passed(self) -> int:
        """Words in one pass of a loop; none without one."""
        count, unroll = self.count.value.data, self.unroll.value.data
        return unroll if unroll and count // unroll > 1 else 0

    @property
    def after(self) -> int:
        """Words behind the loop, or all where there is none."""
        count = self.count.value.data
        return count % self.passed if self.passed else count

    def check_written(self, most: int, blocks: int = 1) -> None:
        """Check that there are words, in so many blocks, and that at most so many are written out.

        Raises:
            VerifyException: it is not so.
        """
        count, unroll = self.count.value.data, self.unroll.value.data
        if not 1 <= unroll <= count or blocks < 1:
            raise VerifyException(f"of one or more words at least one and at most all are written out, not {unroll}")
        if self.passed + self.after > most:
            raise VerifyException(f"{unroll} words in a loop, and {count % unroll} after it: at most {most}")
