"""Inputs and outputs of modules written by hand: bound by position, whatever they are called or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from xdsl.parser import Parser

import stillpool
from stillpool.driver import pipeline
from stillpool.driver.models.model import Model
from stillpool.errors import InputError
from stillpool.run.samples import Array

TENSOR = "tensor<2x3xi32>"
A = np.arange(6, dtype=np.int32).reshape(2, 3)
B = np.array([[7, -1, 4], [0, 3, -9]], np.int32)


def hand_made(*names: str) -> Model:
    """`%a - %b` and `%b - %a`; names of the inputs, then of the outputs, an empty one for none."""
    a, b, c, d = (f' {{nn.name = "{name}"}}' if name else "" for name in names)
    text = f"""
func.func @main(%a: {TENSOR}{a}, %b: {TENSOR}{b}) -> ({TENSOR}{c}, {TENSOR}{d}) {{
  %0 = nn.sub %a, %b : ({TENSOR}, {TENSOR}) -> {TENSOR}
  %1 = nn.sub %b, %a : ({TENSOR}, {TENSOR}) -> {TENSOR}
  func.return %0, %1 : {TENSOR}, {TENSOR}
}}"""
    return Model("hand", "hand.mlir", Parser(pipeline.context(), text).parse_module(), None)


NAMES = [
    (("", "", "", ""), ["input_0", "input_1"], ["output_0", "output_1"]),
    (("input_1", "", "output_1", ""), ["input_1", "input_1_2"], ["output_1", "output_1_2"]),
    (("", "input_0", "", "output_0"), ["input_0_2", "input_0"], ["output_0_2", "output_0"]),
    (("x", "x", "y", "y"), ["x", "x_2"], ["y", "y_2"]),
    (("same", "b", "same", ""), ["same", "b"], ["same", "output_1"]),
]


CASES = [
    *((*names, "all") for names in NAMES),
    *((*NAMES[0], workspace_io) for workspace_io in ("none", "inputs", "outputs", "last")),
]


@pytest.mark.parametrize(("given", "inputs", "outputs", "workspace_io"), CASES)
def test_every_tensor_is_bound_by_position(
    given: tuple[str, ...], inputs: list[str], outputs: list[str], workspace_io: str
) -> None:
    model = hand_made(*given)
    assert (model.inputs, model.outputs) == (inputs, outputs)
    artifact = stillpool.compile(model, workspace_io=outputs[1] if workspace_io == "last" else workspace_io)
    description = artifact.description
    assert [tensor.name for tensor in (*description.inputs, *description.outputs)] == [*inputs, *outputs]
    inside = [tensor.pool is not None for tensor in (*description.inputs, *description.outputs)]
    expected = {"all": [1, 1, 1, 1], "none": [0] * 4, "inputs": [1, 1, 0, 0], "outputs": [0, 0, 1, 1]}
    assert inside == expected.get(workspace_io, [0, 0, 0, 1])
    answer = artifact.run(dict(zip(inputs, (A, B), strict=True)))
    np.testing.assert_array_equal(answer[outputs[0]], A - B)
    np.testing.assert_array_equal(answer[outputs[1]], B - A)
    assert "nn.name" not in str(model.nn) or given != ("", "", "", ""), "the caller's module is left alone"


@pytest.mark.parametrize("returned", ["%0, %0", "%a, %0", "%0, %a"])
def test_results_that_share_a_value_are_outputs_of_their_own(returned: str) -> None:
    text = f"""
func.func @main(%a: {TENSOR}) -> ({TENSOR}, {TENSOR}) {{
  %0 = nn.sub %a, %a : ({TENSOR}, {TENSOR}) -> {TENSOR}
  func.return {returned} : {TENSOR}, {TENSOR}
}}"""
    model = Model("hand", "hand.mlir", Parser(pipeline.context(), text).parse_module(), None)
    answer = stillpool.compile(model).run({"input_0": A})
    for output, name in zip(("output_0", "output_1"), returned.split(", "), strict=True):
        np.testing.assert_array_equal(answer[output], A if name == "%a" else A - A)


WRONG = [
    ({"input_0": A}, r"input 'input_1' is missing; give int32 of shape \[2, 3\]"),
    ({"input_0": A, "b": B}, "no input 'b'; its inputs are 'input_0', 'input_1'"),
    ({"input_0": A, "input_1": B, "more": B}, "no input 'more'"),
    ({"input_0": A, "input_1": B[0]}, r"input 'input_1': expected int32 of shape \[2, 3\], got int32 of shape \[3\]"),
    ({"input_0": A, "input_1": B.T}, r"got int32 of shape \[3, 2\]"),
    ({"input_0": A, "input_1": B.astype(np.int64)}, "got int64"),
    ({"input_0": A, "input_1": 1.0}, r"got float64 of shape \[\]"),
    ({}, "input 'input_0' is missing"),
]


@pytest.mark.parametrize(("arrays", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_inputs_are_refused(arrays: Mapping[str, Any], message: str) -> None:
    artifact = stillpool.compile(hand_made("", "", "", ""))
    with pytest.raises(InputError, match=message):
        artifact.run(arrays)
    stacked: dict[str, Array] = {name: np.asarray(array)[np.newaxis] for name, array in arrays.items()}
    with pytest.raises(InputError, match=message.split(" of shape")[0]):
        artifact.execute(stacked)


def test_inputs_of_different_numbers_of_samples_are_refused() -> None:
    artifact = stillpool.compile(hand_made("", "", "", ""))
    with pytest.raises(InputError, match=r"expected int32 of shape \[2, 2, 3\], got int32 of shape \[1, 2, 3\]"):
        artifact.execute({"input_0": np.stack([A, A]), "input_1": B[np.newaxis]})
