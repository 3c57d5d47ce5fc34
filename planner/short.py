"""The error of a pool that is too small for its buffers."""

from __future__ import annotations

from ..errors import BudgetError


class PoolShort(BudgetError):
    """The buffers that have to lie in a pool need more than its limit."""

    def __init__(self, pool: str, size: int, limit: int, peak: str):
        """`size`: bytes that the plan needs; `limit`: bytes that the pool may have; `peak`: what is live there."""
        self.pool = pool
        self.size = size
        self.limit = limit
        self._peak = peak
        super().__init__(
            f"pool '{pool}' is {size - limit} bytes short: the plan needs {size}, its limit is {limit}; "
            f"live at the peak: {peak}",
            remedy="raise the limit or name a further pool",
        )

    @property
    def missing(self) -> int:
        """Bytes."""
        return self.size - self.limit

    def behind(self, taken: int, limit: int) -> PoolShort:
        """The error for a pool that has `limit` bytes in all, of which other plans take the first ones."""
        return PoolShort(self.pool, taken + self.size, limit, self._peak)
