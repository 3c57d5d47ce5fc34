"""How large an element less its zero point may be."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import i8, i16

from stillpool.lowering.nn.requantise import largest_magnitude


@pytest.mark.parametrize(("zero_point", "most"), [(0, 128), (5, 133), (-5, 132), (127, 255), (-128, 255)])
def test_the_far_end_counts(zero_point: int, most: int) -> None:
    assert largest_magnitude(i8, zero_point) == most


def test_wider_elements() -> None:
    assert largest_magnitude(i16, 0) == 32768
