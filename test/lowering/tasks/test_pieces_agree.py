"""Random convolutions of few channels whose rows of taps are read in words as far as they go, against numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from libraries import STRICT, UBSAN, library
from random_convolutions import check, convolution

CASES = [8, pytest.param(24, marks=pytest.mark.sweep)]


def pieces(rng: np.random.Generator, channels: int, folds: str, depthwise: bool) -> str:
    """A schedule whose run has several dimensions."""
    tile = "jam c" if channels <= 4 else f"split c 4, order (oy, ox, c_o, c_i, {folds}), jam c_i"
    step = f"dual {rng.integers(2, 4)} {rng.integers(1, 4)} {rng.choice(['', 'bytes'])}".strip()
    return f"{tile}, {step}"


@pytest.mark.parametrize("count", CASES)
def test_pieces_agree(tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng(91)
    cases = list[tuple[str, dict[str, int], dict[str, np.ndarray]]]()
    while len(cases) < count:
        case = convolution(rng, f"f{len(cases)}", depthwise=False, schedule=pieces)
        e = case[1]
        has_words = e["ci"] < 4 <= e["ci"] * e["kw"] and e["d"] == 1
        if has_words and e["h"] >= e["kh"] and e["w"] >= e["kw"]:
            cases.append(case)
    text = "".join(text for text, _, _ in cases)
    functions, source = library(tmp_path, text, "scale-sums,lower-tasks,usmp,emit-c", (*STRICT, *UBSAN))
    assert source.count("simd_load_bytes(") > count
    check(functions, cases, 91)
