"""The reference of models whose inputs and outputs are integers where their file has reals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ...driver.models.model_file import WithQuantisedIo
from ...targets.interfaces.description import Description, Tensor
from ..samples import Array
from .oracle import SECONDS, Oracle, Reference


@dataclass(frozen=True)
class QuantisedIoOracle(Oracle):
    """The file's own reference between a change to reals and one back.

    Nothing is rounded on the way: float32 holds every step of 16 bits.
    """

    oracle: Oracle = field(repr=False)
    """Oracle of the file."""
    file: WithQuantisedIo

    def answer(
        self,
        description: Description,
        inputs: Sequence[Array],
        *,
        further: Sequence[str] = (),
        timeout: float = SECONDS,
    ) -> Reference:
        """Answer as `Oracle.answer` does, on integers."""
        in_file = replace(
            description,
            inputs=_reals(description.inputs, self.file.inputs),
            outputs=_reals(description.outputs, self.file.outputs),
        )
        given = [
            _real(array, tensor) if number in self.file.inputs else array
            for number, (array, tensor) in enumerate(zip(inputs, description.inputs, strict=True))
        ]
        answer = self.oracle.answer(in_file, given, further=further, timeout=timeout)
        outputs = tuple(
            _integer(array, tensor) if number in self.file.outputs else array
            for number, (array, tensor) in enumerate(zip(answer.outputs, description.outputs, strict=True))
        )
        return replace(answer, outputs=outputs)


def _reals(tensors: Sequence[Tensor], chosen: frozenset[int]) -> tuple[Tensor, ...]:
    return tuple(
        replace(tensor, dtype="float32", scale=(), zero_point=()) if number in chosen else tensor
        for number, tensor in enumerate(tensors)
    )


def _real(array: Array, tensor: Tensor) -> Array:
    steps = np.asarray(array).astype(np.int64) - tensor.zero_point[0]
    return steps.astype(np.float32) * np.float32(tensor.scale[0])


def _integer(array: Array, tensor: Tensor) -> Array:
    dtype = np.dtype(tensor.dtype)
    steps = np.rint(np.asarray(array).astype(np.float64) / tensor.scale[0]) + tensor.zero_point[0]
    return np.clip(steps, np.iinfo(dtype).min, np.iinfo(dtype).max).astype(dtype)
