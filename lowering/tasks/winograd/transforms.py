"""The three transformations of F(2, 3): two results of three taps with four products.

The elements d and the taps g of one tile become B d and G g; their products, added up over everything else, are m; and
A m are the results. G has halves, and is scaled by 2 here, so that results are multiples of 2 for each dimension.

Source: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks (2016), section 4.1, after Winograd (1980).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ...builder import Loops

TAPS = np.array([[2, 0, 0], [1, 1, 1], [1, -1, 1], [0, 0, 2]])
"""G, times 2."""

ELEMENTS: Sequence[tuple[int, Literal["+", "-"], int]] = ((0, "-", 2), (1, "+", 2), (2, "-", 1), (1, "-", 3))
"""The rows of B, each a sum or a difference of two elements."""

CENTRE = 1
"""The product that every result has with factor 1: what is added to it is added to each of them."""


def results(k: Loops, sums: Sequence[SSAValue]) -> list[SSAValue]:
    """A m along each dimension of a tile, whose products lie in order: two values for each four.

    Sums wrap around, for only the last ones fit 32 bits for sure.
    """
    if len(sums) == 1:
        return [*sums]
    size, first, second = len(sums) // len(TAPS), list[SSAValue](), list[SSAValue]()
    for zero, one, two, three in zip(*(sums[n : n + size] for n in range(0, len(sums), size)), strict=True):
        first.append(k.emit(arith.AddiOp(zero, k.emit(arith.AddiOp(one, two)))))
        second.append(k.emit(arith.SubiOp(k.emit(arith.SubiOp(one, two)), three)))
    return [*results(k, first), *results(k, second)]
