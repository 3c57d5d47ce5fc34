"""Whether sums of two channels may share a word: a proof from the constants."""

from __future__ import annotations

from ...dialects.task import NestOp
from ...dialects.task.dual import DualPlan
from ..tasks.dual.constants import Constants
from ..tasks.dual.pack import fits_halves, lanes_of_uses

_MOST_MORE = 2048
"""Bytes that words of one element may take beyond what elements of one byte would."""
_WORD_BYTES = 4


def allows_swar(nest: NestOp, plan: DualPlan, constants: Constants) -> bool:
    """Whether the products of two fold points fit 16 bits, whatever the elements, and their copy is not too large.

    Args:
        nest: the nest.
        plan: what the step means for it.
        constants: of the module.
    """
    if plan.pairs * (_WORD_BYTES - 1) > _MOST_MORE:
        return False
    values = lanes_of_uses(nest, plan, constants)
    return values is not None and all(fits_halves(plan, each) for each in values)
