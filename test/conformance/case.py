"""One conformance case: a model, samples for it, and how closely the results must agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from tflite_build import Tensor

SAMPLES = 3


@dataclass(frozen=True)
class Case:
    """A model and stacked inputs (first axis: the sample)."""

    model: bytes
    inputs: tuple[NDArray[Any], ...]
    tolerance: float = 0.0
    """Largest difference, relative to the largest output; 0 means bit for bit."""
    oracle: str = "tflm"
    """Who knows the right answer: TFLite Micro, or `litert` (reference kernels) for what that one lacks."""
    outputs: int = 1


class Spec(Protocol):
    """The parameters of a case; prints as what to type to make it again."""

    def case(self) -> Case:
        """Build it; deterministic."""
        ...


def int8_tensor(shape: tuple[int, ...], scale: float, zero_point: int) -> Tensor:
    """An activation."""
    return Tensor(shape, "int8", (scale,), (zero_point,))


def int8_samples(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[Any]:
    """Random samples over the whole range; the second keeps to its two ends."""
    samples = rng.integers(-128, 128, (SAMPLES, *shape), np.int8)
    samples[1] = np.where(samples[1] < 0, -128, 127)
    return samples


def activation(dtype: str, shape: tuple[int, ...], scale: float = 0.5, zero_point: int = 0) -> Tensor:
    """An activation of any type; integers of quantised types get the scale and zero point."""
    if dtype in ("int8", "uint8", "int16"):
        return Tensor(shape, dtype, (scale,), (zero_point,))
    return Tensor(shape, dtype)


def samples_of(dtype: str, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[Any]:
    """Random samples of any type, integers over their whole range."""
    if dtype == "float32":
        return float_samples(rng, shape)
    if dtype == "bool":
        return rng.integers(0, 2, (SAMPLES, *shape)).astype(np.bool_)
    limits = np.iinfo(dtype)
    samples = rng.integers(limits.min, limits.max, (SAMPLES, *shape), np.dtype(dtype), endpoint=True)
    samples[1] = np.where(rng.integers(0, 2, shape) == 0, limits.min, limits.max)
    return samples


def float_samples(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[Any]:
    """Random samples around 0."""
    return rng.normal(0, 2, (SAMPLES, *shape)).astype(np.float32)


def weights(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[Any]:
    """Symmetric int8 weights: -128 does not occur, as TFLite's specification demands."""
    return rng.integers(-127, 128, shape, np.int8)


@dataclass(frozen=True)
class Weighted:
    """Element types of an operator with weights and a bias."""

    data: str
    weights: str
    bias: str
    oracle: str = "tflm"

    @property
    def is_hybrid(self) -> bool:
        """Whether float data meets integer weights."""
        return self.data == "float32" != self.weights

    def zero_point(self, zero_point: int) -> int:
        """An int8 zero point as one of the activations' type."""
        return {"int8": zero_point, "uint8": zero_point + 128}.get(self.data, 0)

    def filter(
        self,
        rng: np.random.Generator,
        shape: tuple[int, ...],
        scales: tuple[float, ...],
        axis: int,
        zero_point: int = 0,
    ) -> Tensor:
        """Random weights; symmetric ones never have the lowest value."""
        if self.weights == "float32":
            return Tensor(shape, "float32", data=rng.normal(0, 1, shape).astype(np.float32))
        lowest, highest = {"int4": (-7, 8), "uint8": (0, 256)}.get(self.weights, (-127, 128))
        data = rng.integers(lowest, highest, shape).astype(np.uint8 if self.weights == "uint8" else np.int8)
        return Tensor(shape, self.weights, scales, (zero_point,) * len(scales), axis, data)

    def bias_of(self, rng: np.random.Generator, count: int, scales: Sequence[float]) -> Tensor:
        """A random bias with the given scales."""
        if self.bias == "float32":
            return Tensor((count,), "float32", data=rng.normal(0, 1, count).astype(np.float32))
        data = rng.integers(-(2**13), 2**13, count).astype(self.bias)
        return Tensor((count,), self.bias, tuple(map(float32, scales)), (0,) * len(scales), 0, data)

    def output_scale(self, input_scale: float, filter_scale: float, products: int, gain: float) -> float:
        """A scale at which `gain` times a typical sum of products fills the output's range."""
        typical = 5.0 if self.weights == "int4" else 100.0
        return float32(input_scale * filter_scale * typical * float(np.sqrt(products)) * gain)


WEIGHTED = {
    "int8": Weighted("int8", "int8", "int32"),
    "int8 int4 weights": Weighted("int8", "int4", "int32"),
    "int16": Weighted("int16", "int8", "int64"),
    "int16 int32 bias": Weighted("int16", "int8", "int32"),
    "uint8": Weighted("uint8", "uint8", "int32", "litert"),
    "float32": Weighted("float32", "float32", "float32"),
    "hybrid": Weighted("float32", "int8", "float32", "litert"),
    "hybrid int4 weights": Weighted("float32", "int4", "float32", "litert"),
}
"""Element types by the names that the kinds have."""


def channel_scales(rng: np.random.Generator, scale: float, channels: int) -> tuple[float, ...]:
    """Scales around `scale`, a factor of 16 apart at most."""
    return tuple(float(np.float32(scale * 2.0 ** rng.uniform(-2, 2))) for _ in range(channels))


def float32(value: float) -> float:
    """The nearest float32 as a double."""
    return float(np.float32(value))


def agree(case: Case, ours: Sequence[NDArray[Any]], theirs: Sequence[NDArray[Any]]) -> str | None:
    """What differs, in words; None if the results agree."""
    for index, (mine, yours) in enumerate(zip(ours, theirs, strict=True)):
        if mine.shape != yours.shape or mine.dtype != yours.dtype:
            return f"output {index}: {mine.dtype}{mine.shape} against {yours.dtype}{yours.shape}"
        difference = np.abs(mine.astype(np.float64) - yours.astype(np.float64))
        bound = case.tolerance * float(np.abs(yours.astype(np.float64)).max(initial=0))
        if not (difference <= bound).all():
            place = np.unravel_index(int(difference.argmax()), difference.shape)
            wrong = int((difference > bound).sum())
            return (
                f"output {index}: {wrong} of {mine.size} elements differ, at {tuple(map(int, place))} "
                f"{mine[place]} against {yours[place]}"
            )
    return None
