"""Convolutions with transformed constants, their C in its portable form: bit for bit what the reference computes."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from typing import Any

import pytest
import sweeps
from case import WEIGHTED
from hypothesis import strategies as st
from test_operators import check
from tflite_build import SAME, VALID
from varied import examples
from window_specs import Convolution, Window, convolutions

from stillpool.lowering.schedule.variants import Variant
from stillpool.lowering.tasks.winograd import WinogradLoops
from stillpool.transforms.tasks.choose import choose_forms

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

CASES = [2, pytest.param(sweeps.size(7, long=12), marks=pytest.mark.sweep, id="12")]
"""Convolutions of one network."""
KERNELS = ((3, 3), (3, 3), (3, 3), (3, 1), (1, 3), (2, 3))


@st.composite
def transformable(draw: st.DrawFn) -> Convolution:
    """Convolutions of which three taps lie side by side, over words of channels."""
    kernel, padding = draw(st.sampled_from(KERNELS)), draw(st.sampled_from((SAME, VALID)))
    extents = draw(st.tuples(st.integers(4, 11), st.integers(4, 11)))
    window = Window(extents, kernel, (1, 1), (1, 1), padding)
    channels, outputs = 4 * draw(st.integers(1, 3)), draw(st.integers(2, 9))
    groups = draw(st.sampled_from((1, 1, 2)))
    drawn = draw(convolutions(depthwise=False, types=WEIGHTED["int8"]))
    return replace(drawn, window=window, group_channels=channels, outputs=outputs, groups=groups)


@pytest.mark.parametrize("count", CASES)
def test_transformed_convolutions_agree(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[object] = []
    made = WinogradLoops.__init__

    def counted(*arguments: Any) -> None:
        taken.append(arguments[1])
        made(*arguments)

    monkeypatch.setattr(WinogradLoops, "__init__", counted)
    monkeypatch.setattr(choose_forms, "variants", lambda _: (Variant.WINOGRAD,))
    check(examples(transformable(), count, "winograd"), target="cortex-m4", optimize="speed")
    assert len(taken) >= count // 2
