"""Custom operators: the application's C function is called with descriptors; unknown ones are refused."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tflite_build import Operator, Tensor, constant, write_model

import stillpool
from stillpool.errors import UnsupportedError, UsageError
from stillpool.frontends.tflite import customs

SINH = Path(__file__).parents[2] / "examples" / "custom" / "sinh.c"

SCALED = """\
#include "stillpool_custom.h"

STILLPOOL_CUSTOM stillpool_custom_function scaled;

/* y[i] = x[i] * factors[i % count] + zero point of y + the option's byte; also checks what it is told. */
void scaled(const stillpool_custom_input *inputs, int32_t input_count,
    const stillpool_custom_output *outputs, int32_t output_count, const uint8_t *options, int32_t option_bytes)
{
    const int8_t *x = (const int8_t *)inputs[0].data;
    const int16_t *factors = (const int16_t *)inputs[1].data;
    int16_t *y = (int16_t *)outputs[0].data;
    int right = input_count == 2 && output_count == 1 && option_bytes == 2 && options[1] == 200;
    right = right && inputs[0].type == STILLPOOL_INT8 && inputs[0].rank == 2 && inputs[0].shape[1] == 3;
    right = right && inputs[0].scale == 0.5f && inputs[0].zero_point == -7 && inputs[1].scale == 0.0f;
    right = right && outputs[0].type == STILLPOOL_INT16 && outputs[0].shape[0] == inputs[0].shape[0];
    for (int32_t i = 0; i < outputs[0].shape[0] * outputs[0].shape[1]; ++i) {
        y[i] = right ? (int16_t)(x[i] * factors[i % 3] + outputs[0].zero_point + options[0]) : 0;
    }
}
"""


def scaled_model() -> bytes:
    """One operator of a constant input, quantised ends and options; its output's shape is left open."""
    tensors = [
        Tensor((2, 3), "int8", (0.5,), (-7,), name="x"),
        constant(np.array([1, 2, 3], np.int16)),
        Tensor((2, 3), "int16", (0.25,), (0,), name="y"),
    ]
    operator = Operator("CUSTOM Scaled", (0, 1), (2,), bytes([9, 200]))
    return write_model(tensors, [operator], [0], [2])


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    """The model and its function."""
    model, source = tmp_path / "scaled.tflite", tmp_path / "scaled.c"
    model.write_bytes(scaled_model())
    source.write_text(SCALED)
    return model, source


def test_the_function_sees_types_shapes_scales_and_options(paths: tuple[Path, Path]) -> None:
    artifact = stillpool.compile(paths[0], custom={"Scaled": "scaled"}, custom_sources=[paths[1]])
    x = np.array([[1, -2, 3], [-128, 127, 0]], np.int8)
    (y,) = artifact.run({"x": x}).values()
    assert y.tolist() == (x.astype(np.int16) * np.array([1, 2, 3], np.int16) + 9).tolist()


def test_an_installed_shape_rule_resizes_it(paths: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def shapes(inputs: list[tuple[int, ...]], options: bytes) -> list[tuple[int, ...]]:
        seen.append((list(inputs), options))
        return [inputs[0]]

    monkeypatch.setattr(customs, "SHAPE_RULES", SimpleNamespace(load={"Scaled": shapes}.get))
    artifact = stillpool.compile(
        paths[0], custom={"Scaled": "scaled"}, custom_sources=[paths[1]], input_shapes={"x": (5, 3)}
    )
    assert seen == [([(5, 3), (3,)], bytes([9, 200]))]
    x = np.arange(15, dtype=np.int8).reshape(5, 3)
    (y,) = artifact.run({"x": x}).values()
    assert y.tolist() == (x.astype(np.int16) * np.array([1, 2, 3], np.int16) + 9).tolist()


def test_the_example_computes_hyperbolic_sines(tmp_path: Path) -> None:
    data = Tensor((4,), "float32")
    model = tmp_path / "sinh.tflite"
    model.write_bytes(write_model([data, data], [Operator("CUSTOM Sinh", (0,), (1,))], [0], [1]))
    artifact = stillpool.compile(model, custom={"Sinh": "my_sinh"}, custom_sources=[SINH])
    assert artifact.code["src/custom/sinh.c"] == SINH.read_bytes(), "the user's files are left alone"
    x = np.array([0, 0.5, -1, 3], np.float32)
    (y,) = artifact.run({"t0": x}).values()
    np.testing.assert_allclose(y, np.sinh(x), rtol=1e-6)
    assert "include/stillpool_custom.h" in artifact.files
    assert b"../src/custom/sinh.c" in artifact.files["test/Makefile"]


def test_unknown_ones_are_refused(paths: tuple[Path, Path]) -> None:
    with pytest.raises(UnsupportedError, match="--custom Scaled=FUNCTION"):
        stillpool.compile(paths[0])
    with pytest.raises(UsageError, match="'my-function' is no name of a C function"):
        stillpool.compile(paths[0], custom={"Scaled": "my-function"})


def test_a_name_that_no_operator_has_is_refused(paths: tuple[Path, Path]) -> None:
    with pytest.raises(UsageError, match="no model has custom operator 'Scale': --custom Scale=other has no effect"):
        stillpool.compile(paths[0], custom={"Scaled": "scaled", "Scale": "other"})
