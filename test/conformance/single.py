"""One operator in general: operands and results as written down, options as pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from case import SAMPLES, Case, activation, samples_of
from numpy.typing import NDArray
from tflite_build import Tensor, one_operator, options

QUANTISED = ("int8", "uint8", "int16")


NO_OPTIONS = "-"
"""The table of an operator that has none."""


@dataclass(frozen=True)
class Operand:
    """A tensor; with `values` it is a constant, with `limits` samples keep between them (both included)."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    scale: float = 0.5
    zero_point: int = 0
    values: tuple[Any, ...] | None = None
    limits: tuple[int, int] | None = None

    def tensor(self) -> Tensor:
        """What to write."""
        made = activation(self.dtype, self.shape, self.scale, self.zero_point)
        if self.values is None:
            return made
        data = np.array(self.values, np.dtype(self.dtype)).reshape(self.shape)
        return Tensor(made.shape, made.dtype, made.scales, made.zero_points, data=data)

    def samples(self, rng: np.random.Generator) -> NDArray[Any]:
        """Random inputs."""
        if self.limits is None:
            return samples_of(self.dtype, rng, self.shape)
        return rng.integers(*self.limits, (SAMPLES, *self.shape), endpoint=True).astype(self.dtype)


def integers(values: Sequence[int], dtype: str = "int32") -> Operand:
    """A constant vector."""
    return Operand((len(values),), dtype, values=tuple(values))


def scalar(value: float, dtype: str = "int32") -> Operand:
    """A constant of rank 0."""
    return Operand((), dtype, values=(value,))


@dataclass(frozen=True)
class Single:
    """One operator between its operands and results."""

    opcode: str
    operands: tuple[Operand, ...]
    results: tuple[Operand, ...]
    table: str = ""
    fields: tuple[tuple[str, Any], ...] = ()
    oracle: str = "tflm"
    tolerance: float = 0.0
    seed: int = 0

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        table = self.table or self.opcode.title().replace("_", "")
        made = None if table == NO_OPTIONS else options(table, **dict(self.fields))
        model = one_operator(
            self.opcode,
            made,
            [operand.tensor() for operand in self.operands],
            [result.tensor() for result in self.results],
        )
        given = tuple(operand.samples(rng) for operand in self.operands if operand.values is None)
        return Case(model, given, self.tolerance, self.oracle, len(self.results))


def oracle_of(dtype: str) -> tuple[str, str]:
    """Type and oracle; a star behind the type: TFLite Micro has not that one."""
    return dtype.rstrip("*"), "litert" if dtype.endswith("*") else "tflm"
