"""Where tensors live: every way in which a function may return, share and reshape tensors."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.utils.exceptions import PassFailedException

X = np.arange(6, dtype=np.float32).reshape(2, 3)
TYPES = {"f": "tensor<2x3xf32>", "v": "tensor<6xf32>"}


def call(lower, body: str, results: str) -> list[np.ndarray]:
    """Run a body on %x; `results` names the values to return with their types: `a:f b:v`."""
    names, kinds = zip(*(result.split(":") for result in results.split()), strict=True)
    types = ", ".join(TYPES[kind] for kind in kinds)
    values = ", ".join(f"%{name}" for name in names)
    evaluator = lower(f"func.func @m(%x: {TYPES['f']}) -> ({types}) {{\n{body}\nfunc.return {values} : {types}\n}}")
    outputs = [np.zeros((2, 3) if kind == "f" else 6, np.float32) for kind in kinds]
    x = X.copy()
    evaluator.call("m", x, *outputs)
    np.testing.assert_array_equal(x, X)
    return outputs


def add(name: str, a: str, b: str, kind: str = "f") -> str:
    return f"%{name} = nn.add %{a}, %{b} : ({TYPES[kind]}, {TYPES[kind]}) -> {TYPES[kind]}\n"


def reshape(name: str, a: str, source: str = "f", target: str = "v") -> str:
    return f"%{name} = nn.reshape %{a} : ({TYPES[source]}) -> {TYPES[target]}\n"


DOUBLE = add("y", "x", "x")
FLAT = X.reshape(-1)


@pytest.mark.parametrize(
    ("body", "results", "expected"),
    [
        pytest.param(DOUBLE, "y:f", [2 * X], id="written into the output"),
        pytest.param(DOUBLE, "y:f y:f", [2 * X] * 2, id="returned twice"),
        pytest.param("", "x:f", [X], id="an argument returned"),
        pytest.param("", "x:f x:f", [X, X], id="an argument returned twice"),
        pytest.param(reshape("v", "x"), "v:v", [FLAT], id="an argument reshaped and returned"),
        pytest.param(reshape("v", "x"), "v:v x:f", [FLAT, X], id="an argument returned under two shapes"),
        pytest.param(DOUBLE + add("z", "y", "x"), "y:f z:f", [2 * X, 3 * X], id="returned and used"),
        pytest.param(DOUBLE + add("z", "y", "x"), "z:f y:f", [3 * X, 2 * X], id="returned later, used before"),
        pytest.param(DOUBLE + reshape("v", "y"), "v:v", [2 * FLAT], id="reshaped and returned"),
        pytest.param(DOUBLE + reshape("v", "y"), "v:v y:f", [2 * FLAT, 2 * X], id="returned under two shapes"),
        pytest.param(
            DOUBLE + reshape("v", "y") + reshape("w", "v", "v", "f") + add("z", "w", "y"),
            "z:f w:f v:v",
            [4 * X, 2 * X, 2 * FLAT],
            id="reshaped there and back, used and returned",
        ),
        pytest.param(
            "%c = nn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>\n" + reshape("d", "c", "v", "f"),
            "d:f c:v",
            [(FLAT + 1).reshape(2, 3), FLAT + 1],
            id="a constant returned under two shapes",
        ),
        pytest.param(
            "%c = nn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>\n"
            + reshape("d", "c", "v", "f")
            + add("y", "d", "x"),
            "y:f",
            [(2 * FLAT + 1).reshape(2, 3)],
            id="a reshaped constant as operand",
        ),
        pytest.param(DOUBLE + add("unused", "y", "y"), "y:f", [2 * X], id="an unused result"),
    ],
)
def test_returned_tensors(lower, body, results, expected):
    for output, value in zip(call(lower, body, results), expected, strict=True):
        np.testing.assert_array_equal(output, value)


def test_scalars(lower):
    evaluator = lower(
        """func.func @m(%x: tensor<f32>) -> tensor<1x1xf32> {
        %y = nn.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
        %z = nn.reshape %y : (tensor<f32>) -> tensor<1x1xf32>
        func.return %z : tensor<1x1xf32>
        }"""
    )
    output = np.zeros((1, 1), np.float32)
    evaluator.call("m", np.array(1.5, np.float32), output)
    assert output[0, 0] == 3.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "func.func @m(%x: tensor<4xi16>) -> tensor<2x2xi16> {\n"
            '%y = "test.op"(%x) : (tensor<4xi16>) -> tensor<2x2xi16>\nfunc.return %y : tensor<2x2xi16>\n}',
            r"'test.op' op has no lowering to loops",
        ),
        (
            "func.func @m(%x: tensor<1x4x4x1xi64>) -> tensor<1x4x4x1xi64> {\n"
            "%y = nn.average_pool2d %x kernel [1, 1] strides [1, 1] pads [0, 0, 0, 0] clamp <-9, 9>"
            " : (tensor<1x4x4x1xi64>) -> tensor<1x4x4x1xi64>\nfunc.return %y : tensor<1x4x4x1xi64>\n}",
            r"'nn.average_pool2d' op has no lowering for elements of type i64",
        ),
    ],
)
def test_what_cannot_be_lowered(lower, text, message):
    with pytest.raises(PassFailedException, match=message):
        lower(text)
