"""The comparison behind `verify`, and the arrays it runs on."""

from __future__ import annotations

import numpy as np
import pytest

from stillpool.errors import InputError
from stillpool.run.samples import checked_inputs, linear_congruential, random_inputs
from stillpool.run.verify import compare
from stillpool.targets.identifiers import identifier, unique_identifiers
from stillpool.targets.interfaces.description import Constants, Description, Tensor


def test_integers_must_be_equal() -> None:
    want = np.arange(6, dtype=np.int8).reshape(2, 3)
    assert compare("y", want.copy(), want, 1e-5).passed
    got = want.copy()
    got[1, 1] += 1
    verdict = compare("y", got, want, 1e9)
    assert (verdict.passed, verdict.mismatches, verdict.max_error, verdict.max_ulp) == (False, 1, 1.0, None)
    assert verdict.first_mismatch == {"sample": 1, "index": 1, "value": 5, "reference": 4}


def test_integers_that_wrap_differ_by_their_distance() -> None:
    verdict = compare("y", np.full((1, 1), 127, np.int8), np.full((1, 1), -128, np.int8), 0)
    assert verdict.max_error == 255


def test_floats_are_relative_to_the_largest() -> None:
    want = np.array([[100.0, 0.0]], np.float32)
    near = want + np.array([[0, 0.0009]], np.float32)
    assert compare("y", near, want, 1e-5).passed
    assert not compare("y", near, want, 1e-6).passed


def test_ulp_counts_representable_floats() -> None:
    one = np.ones((1, 1), np.float32)
    assert compare("y", np.nextafter(one, np.float32(2)), one, 1).max_ulp == 1
    tiny = np.full((1, 1), np.finfo(np.float32).smallest_subnormal)
    assert compare("y", tiny, -tiny, 1).max_ulp == 2


def test_nans_and_infinities() -> None:
    want = np.array([[np.nan, np.inf, 1]], np.float32)
    assert compare("y", want.copy(), want, 0).passed
    assert not compare("y", np.array([[0, np.inf, 1]], np.float32), want, 1).passed
    assert not compare("y", np.array([[np.nan, 5, 1]], np.float32), want, 1).passed


def model(*inputs: Tensor) -> Description:
    return Description("m", "m", inputs, (), (), (), (), (), Constants())


def test_random_inputs_cover_the_type_and_repeat() -> None:
    made = model(Tensor("a", "a", "int8", (100,)), Tensor("b", "b", "float32", (2, 2)))
    first, second = random_inputs(made, 50, 7), random_inputs(made, 50, 7)
    assert first["a"].shape == (50, 100)
    assert (first["a"].min(), first["a"].max()) == (-128, 127)
    assert all(np.array_equal(first[name], second[name]) for name in ("a", "b"))
    assert not np.array_equal(first["a"], random_inputs(made, 50, 8)["a"])


def test_linear_congruential_matches_its_formula() -> None:
    array, state = linear_congruential(Tensor("a", "a", "int8", (2,)), 1)
    first = 1664525 + 1013904223
    assert array[0] == np.uint8(first >> 24).astype(np.int8)
    assert state == (first * 1664525 + 1013904223) % 2**32
    floats, _ = linear_congruential(Tensor("a", "a", "float32", (1,)), 1)
    assert floats[0] == ((first >> 8) - 2**23) / 2**23


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({}, "input 'serving:0' is missing"),
        ({"nope": np.zeros(2, np.int8)}, "has no input 'nope'; its inputs are 'serving:0'"),
        ({"serving:0": np.zeros(2, np.float32)}, r"expected int8 of shape \[2\], got float32 of shape \[2\]"),
        ({"serving:0": np.zeros(3, np.int8)}, r"expected int8 of shape \[2\], got int8 of shape \[3\]"),
        ({"serving:0": np.zeros(2, np.int8), "serving_0": np.zeros(2, np.int8)}, "given twice"),
    ],
)
def test_wrong_arrays(arrays: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked_inputs(model(Tensor("serving:0", "serving_0", "int8", (2,))), arrays)


def test_identifiers() -> None:
    assert identifier("serving_default_input:0") == "serving_default_input_0"
    assert identifier("2nd") == "t2nd"
    assert identifier("ünï / x") == "n_x"
    assert identifier("") == "t"
    assert identifier("int") == "int_"
    assert unique_identifiers(["a", "A", "a:", "a_2"], reserved=["b"]) == ["a", "A_2", "a_3", "a_2_2"]
