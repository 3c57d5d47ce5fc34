"""Arguments and results of every emulator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...targets.interfaces.description import Description, Tensor
from ..samples import Array
from .attribution import Attribution, Block


@dataclass(frozen=True)
class Session:
    """Samples as an emulator ran them."""

    outputs: dict[str, Array]
    """Stacked on the first axis."""
    statuses: tuple[int, ...]
    """Return values of `<m>_run`, by sample."""
    instructions: int
    """Instructions of the last sample."""
    stack_bytes: int
    """Largest of all samples."""
    attribution: Attribution | None = None
    """With `blocks`: where the instructions of the last sample went. None where the emulator does not say."""
    blocks: tuple[Block, ...] = ()


def sample_count(stacked: Mapping[str, Array]) -> int:
    """Number of samples; models without inputs run once."""
    return len(next(iter(stacked.values()))) if stacked else 1


def raw_inputs(model: Description, stacked: Mapping[str, Array], sample: int) -> list[bytes]:
    """The bytes of one sample's inputs, in the model's order."""
    return [np.ascontiguousarray(stacked[t.name][sample], t.dtype).tobytes() for t in model.inputs]


def loaded(data: bytes, tensor: Tensor) -> Array:
    """One output from its bytes."""
    return np.frombuffer(data, tensor.dtype).reshape(tensor.shape)


def stack_outputs(model: Description, samples: list[list[bytes]]) -> dict[str, Array]:
    """Outputs by name from the bytes of every sample's outputs."""
    return {
        tensor.name: np.stack([loaded(sample[index], tensor) for sample in samples])
        for index, tensor in enumerate(model.outputs)
    }
