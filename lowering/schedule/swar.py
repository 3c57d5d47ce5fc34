"""Whether sums of two channels that share a word are worth what is copied for them."""

from __future__ import annotations

from ...dialects.task.dual import DualPlan

_MOST_MORE = 2048
"""Bytes that words of one element may take beyond what elements of one byte would."""
_WORD_BYTES = 4


def is_small_copy(plan: DualPlan) -> bool:
    """Whether the copy of the elements is not too large."""
    return plan.pairs * (_WORD_BYTES - 1) <= _MOST_MORE
