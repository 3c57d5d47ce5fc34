"""Steps that make other nests say in a sentence why they are not legal."""

from __future__ import annotations

import numpy as np
import pytest
from test_rewrites_agree import Convolution, parsed, why_not
from xdsl.utils.exceptions import ParseError, VerifyException


def made(*steps: str, pad: int = 0, zero: int = 3) -> Convolution:
    case = Convolution(np.random.default_rng(0), "f")
    case.o, case.oc, case.k, case.ic, case.stride = 6, 4, 3, 2, 1
    case.pad, case.clips, case.zero, case.width = pad, bool(pad), zero, 8 - pad
    case.w, case.b = np.full((4, 3, 2), 5, np.int8), np.full(4, 9, np.int32)
    case.steps = [*steps]
    return case


@pytest.mark.parametrize(
    ("step", "pad", "zero", "why"),
    [
        ("block oc 3", 0, 3, "block oc 3: oc has 4 points, no multiple of 3"),
        ("peel o", 0, 3, "peel o: nothing is clipped along o"),
        ("peel oc", 1, 3, "peel oc: nothing is clipped along oc"),
        ("peel k", 1, 3, "peel k: k is a dimension of the fold"),
        ("pack 0 (o, k, ic)", 0, 3, "pack 0 (o, k, ic): what the step reads as number 0 is no constant"),
        ("pack 1 (oc, k)", 0, 3, "pack 1 (oc, k): its place depends on oc, k, ic: name each once"),
        ("pack 1 (oc, k, ic, o)", 0, 3, "pack 1 (oc, k, ic, o): its place depends on oc, k, ic: name each once"),
        ("pack 2 (oc)", 0, 3, "pack 2 (oc): the step reads 2 elements, number 0 and on"),
        ("stage 0 (o, k, ic)", 1, 3, "it is clipped: peel the dimensions first along which it is"),
        ("fold_zero_point 1", 0, 3, "fold_zero_point 1: what the step reads as number 1 has no zero point"),
        ("fold_zero_point 0", 1, 3, "a read is clipped, so that the sum of the constant differs: peel first"),
        ("fold_zero_point 0", 0, 1 << 30, "what it adds to a sum does not fit 32 bits"),
    ],
)
def test_why_a_step_is_not_legal(step: str, pad: int, zero: int, why: str) -> None:
    found = why_not(made(step, pad=pad, zero=zero).text())
    assert found is not None
    assert why in found


def test_sums_that_start_from_a_number_have_no_constant_to_fold_into() -> None:
    text = made("fold_zero_point 0").text().replace("start (%s = %b[oc] : memref<4xi32>)", "start ()")
    found = why_not(text.replace("task.yield %s : i32", "task.yield %z : i32"))
    assert found == "fold_zero_point 0: sums do not start from a constant for each channel"


def test_they_come_before_steps_that_make_loops() -> None:
    text = made("jam oc", "block ic 2").text()
    with pytest.raises(VerifyException, match="block ic 2: it makes other nests, and comes before the steps that make"):
        parsed(text).verify()


def test_dimensions_have_the_names_of_the_nest_that_a_step_makes() -> None:
    assert why_not(made("block oc 2", "jam oc_i").text()) is None
    with pytest.raises(VerifyException, match="there is no dimension oc "):
        parsed(made("block oc 2", "jam oc").text()).verify()


def test_what_follows_is_asked_of_the_nests_that_are_made() -> None:
    assert "split k" in (why_not(made("block oc 2", "split k 2", pad=1).text()) or "")
    assert why_not(made("peel o", "split k 2", pad=1).text()) is None


def test_an_unknown_step_is_no_schedule() -> None:
    with pytest.raises(ParseError, match="expected a step of a schedule"):
        parsed(made("fold_zero_points 0").text())
