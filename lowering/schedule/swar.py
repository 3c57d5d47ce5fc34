"""Whether sums of two channels may share a word: a proof from the constants."""

from __future__ import annotations

from ...dialects.task import NestOp
from ...dialects.task.dual import DualPlan
from ..tasks.dual.constants import Constants
from ..tasks.dual.pack import fits_halves, lanes

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
    access = nest.accesses("step_reads")[plan.packed.read]
    uses = constants.uses(access.buffer)
    if uses is None or plan.pairs * (_WORD_BYTES - 1) > _MOST_MORE:
        return False
    used = {position for index in access.indices for position in nest.form(index).positions()}
    dims = sorted(d for d in used if d < len(nest.space.data))
    return all(fits_halves(plan, lanes(nest, plan, dims, constants.numbers(use))) for use in uses)
