"""Graphs that clean-ups change: the emitted C still agrees with TFLite Micro, with every step and without any."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from case import Case, agree, int8_samples, weights
from host_batch import run_batch
from numpy.typing import NDArray
from tflite_build import RELU6, VALID, Operator, Tensor, constant, options, write_model
from tflm_oracle import run_oracle

from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.model import Model
from stillpool.frontends.tflite import import_tflite

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

Graph = tuple[list[Tensor], list[Operator], tuple[int, ...]]
RNG = np.random.default_rng(7)


def image(height: int, width: int, channels: int, zero_point: int = 5, scale: float = 0.25) -> Tensor:
    return Tensor((1, height, width, channels), "int8", (scale,), (zero_point,))


def convolution(stride: int, padding: int) -> tuple[list[Tensor], Any]:
    filters = constant(weights(RNG, (3, 3, 2, 2)), (0.01, 0.02, 0.005))
    bias = Tensor((3,), "int32", (0.0025, 0.005, 0.00125), (0, 0, 0), data=RNG.integers(-99, 99, 3, np.int32))
    made = options("Conv2D", strideW=stride, strideH=stride, dilationWFactor=1, dilationHFactor=1, padding=padding)
    return [filters, bias], made


def padded_convolution() -> Graph:
    """Uneven margins before a convolution with a stride, then RELU6 as an operator of its own."""
    constants, made = convolution(2, VALID)
    margins = constant(np.array([[0, 0], [0, 2], [1, 0], [0, 0]], np.int32))
    tensors = [image(5, 5, 2), margins, image(7, 6, 2), *constants, image(3, 3, 3, -9), image(3, 3, 3, -9)]
    operators = [
        Operator("PAD", [0, 1], [2], options("Pad")),
        Operator("CONV_2D", [2, 3, 4], [5], made),
        Operator("RELU6", [5], [6]),
    ]
    return tensors, operators, (6,)


def turned_back() -> Graph:
    """Two permutations, a reshape, a slice of everything."""
    first, second = constant(np.array([0, 3, 1, 2], np.int32)), constant(np.array([0, 2, 3, 1], np.int32))
    shape, begin = constant(np.array([4, 15], np.int32)), constant(np.array([0, 0], np.int32))
    tensors = [
        image(4, 5, 3),
        first,
        image(3, 4, 5),
        second,
        image(4, 5, 3),
        shape,
        Tensor((4, 15), "int8", (0.25,), (5,)),
        begin,
        Tensor((4, 15), "int8", (0.25,), (5,)),
    ]
    operators = [
        Operator("TRANSPOSE", [0, 1], [2], options("Transpose")),
        Operator("TRANSPOSE", [2, 3], [4], options("Transpose")),
        Operator("RESHAPE", [4, 5], [6]),
        Operator("SLICE", [6, 7, 5], [8], options("Slice")),
    ]
    return tensors, operators, (8,)


def there_and_back() -> Graph:
    """Elements to reals and back, once by the same scale and once by another; equal sums are computed once."""
    real = Tensor((1, 4, 5, 3), "float32")
    tensors = [image(4, 5, 3), real, image(4, 5, 3), image(4, 5, 3, -3, 0.4), *[image(4, 5, 3, 1, 0.6)] * 3]
    operators = [
        Operator("DEQUANTIZE", [0], [1], options("Dequantize")),
        Operator("QUANTIZE", [1], [2], options("Quantize")),
        Operator("QUANTIZE", [1], [3], options("Quantize")),
        Operator("ADD", [2, 3], [4], options("Add")),
        Operator("ADD", [2, 3], [5], options("Add")),
        Operator("SUB", [4, 5], [6], options("Sub")),
    ]
    return tensors, operators, (6, 4)


def fused() -> Graph:
    """RELU by the same scale after a sum that has an activation already."""
    tensors = [image(4, 5, 3), image(4, 5, 3), image(4, 5, 3, 0, 0.02), image(4, 5, 3, 0, 0.02)]
    operators = [
        Operator("ADD", [0, 1], [2], options("Add", fusedActivationFunction=RELU6)),
        Operator("RELU", [2], [3]),
    ]
    tensors = [*tensors[:2], *[image(4, 5, 3, 0, 0.5)] * 2]
    return tensors, operators, (3,)


@pytest.mark.parametrize("graph", [padded_convolution, turned_back, there_and_back, fused])
def test_the_results_stay_the_same(graph: Callable[[], Graph]) -> None:
    tensors, operators, outputs = graph()
    inputs = [0, 1] if graph is fused else [0]
    data = write_model(tensors, operators, inputs, outputs)
    samples: Sequence[NDArray[Any]] = [int8_samples(np.random.default_rng(3), tensors[i].shape) for i in inputs]
    case = Case(data, tuple(samples), outputs=len(outputs))
    theirs = run_oracle([case])[0]
    assert agree(case, run_batch([case])[0], theirs) is None
    cleaned, plain = (
        prepare(Model("m", "m.tflite", import_tflite(data, "m"), data), no_clean_up=off) for off in ((), ("all",))
    )
    assert cleaned.text("nn") != plain.text("nn")
