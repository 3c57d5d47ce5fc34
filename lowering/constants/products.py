"""Constants that sums of products multiply with, and how large these sums may become."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...dialects.task import NestOp
from ...dialects.task.products import Factor
from .constants import Constants, Numbers, Use
from .elements import Wide, elements

INT32_MAX = 2**31 - 1


@dataclass(frozen=True)
class ConstantFactor:
    """A factor of a nest's products that is a constant, for each place where it comes from."""

    dims: Sequence[int]
    """Space dimensions that number its channels, innermost last."""
    uses: Sequence[Use]
    values: Sequence[Wide]
    """Numbers less the zero point, as `[channels, fold points]`, each in their order."""

    @staticmethod
    def of(
        nest: NestOp, factor: Factor, constants: Constants, space: Iterable[int] | None = None
    ) -> ConstantFactor | None:
        """Return a factor that is never clipped; None if it is no constant.

        Args:
            nest: the nest, whose step sums products.
            factor: the factor.
            constants: of the module.
            space: dimensions of the space, outermost first; by default as they are written.
        """
        access = nest.accesses("step_reads")[factor.read]
        uses, used, first_fold = constants.uses(access.buffer), nest.dims_of(access), len(nest.space.data)
        if uses is None:
            return None
        dims, folds = [d for d in space or range(first_fold) if d in used], range(first_fold, len(nest.extents))
        shape, values = [math.prod(nest.extents[d] for d in each) for each in (dims, folds)], list[Wide]()
        for use in uses:
            stored = constants.values(use)
            stored = stored if factor.signed else stored & ((1 << factor.bits) - 1)
            found = elements(nest, access, [*dims, *folds], stored - factor.zero_point)
            values.append(found.reshape(shape))
        return ConstantFactor(dims, uses, values)


def sums_between(values: Wide, extremes: Sequence[int]) -> tuple[Wide, Wide]:
    """Return the least and the largest sums of products of numbers along their last axis with elements.

    Args:
        values: the constant.
        extremes: least and largest element, and others that elements may be.
    """
    least, most = min(extremes), max(extremes)
    above = values.clip(min=0).sum(axis=-1)
    below = values.sum(axis=-1) - above
    return least * above + most * below, most * above + least * below


def largest_sum(values: Wide, starts: Numbers, element: int) -> int:
    """The largest magnitude that sums may have which start from `starts` and whose elements are at most `element`."""
    products = int(np.abs(values).sum(axis=1).max(initial=0)) * element
    return products + int(np.abs(starts.astype(np.int64)).max(initial=0))
