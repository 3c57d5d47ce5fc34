"""SAME and VALID against their definition by counting windows."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from stillpool.frontends.tflite.padding import SAME, VALID, explicit_padding, explicit_pads

EXTENT, KERNEL, STRIDE, DILATION = st.integers(1, 40), st.integers(1, 7), st.integers(1, 5), st.integers(1, 4)


def positions(extent: int, kernel: int, stride: int, dilation: int, before: int, after: int) -> int:
    """Places where the whole window lies in the padded input."""
    reach = (kernel - 1) * dilation
    return len([start for start in range(-before, extent + after, stride) if start + reach < extent + after])


@given(EXTENT, KERNEL, STRIDE, DILATION)
def test_same_gives_a_window_per_stride(extent: int, kernel: int, stride: int, dilation: int) -> None:
    before, after = explicit_padding(extent, kernel, stride, dilation, SAME)
    assert positions(extent, kernel, stride, dilation, before, after) == len(range(0, extent, stride))
    assert 0 <= after - before <= 1


@given(EXTENT, KERNEL, STRIDE, DILATION)
def test_same_pads_no_more_than_it_must(extent: int, kernel: int, stride: int, dilation: int) -> None:
    before, after = explicit_padding(extent, kernel, stride, dilation, SAME)
    assume(after > 0)
    assert positions(extent, kernel, stride, dilation, before, after - 1) < len(range(0, extent, stride))


def test_valid_pads_nothing_and_height_comes_first() -> None:
    assert explicit_pads((5, 6), (3, 2), (1, 2), (1, 1), VALID) == (0, 0, 0, 0)
    assert explicit_pads((5, 6), (3, 2), (1, 1), (1, 1), SAME) == (1, 1, 0, 1)
    assert explicit_pads((5, 6), (3, 2), (1, 1), (2, 3), SAME) == (2, 2, 1, 2)
