"""Constants that sums of products multiply with, and how large these sums may become."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...dialects.task import NestOp
from ...dialects.task.products import Factor
from .constants import Numbers
from .elements import Wide, elements

INT32_MAX = 2**31 - 1


def contributions(nest: NestOp, factor: Factor, dims: Sequence[int], values: Wide) -> Wide:
    """A constant factor less its zero point, as `[points of dims, fold points]`, each in their order.

    Args:
        nest: the nest, whose step sums products.
        factor: the factor, which is never clipped.
        dims: dimensions of the space.
        values: the constant, in the shape of its memory.
    """
    folds = range(len(nest.space.data), len(nest.extents))
    stored = values if factor.signed else values & ((1 << factor.bits) - 1)
    found = elements(nest, nest.accesses("step_reads")[factor.read], [*dims, *folds], stored - factor.zero_point)
    return found.reshape(math.prod(nest.extents[d] for d in dims), math.prod(nest.extents[d] for d in folds))


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
