"""Facts of inputs and outputs as ST's interfaces state them."""

from __future__ import annotations

from ..description import ELEMENT_BYTES, Tensor

_FORMATS = {"bool": "BOOL", "int8": "S8", "uint8": "U8", "int16": "S16", "int32": "S32", "float32": "FLOAT"}


def format_name(tensor: Tensor, prefix: str) -> str:
    """The macro of an element type: `AI_BUFFER_FORMAT_S8` or `STAI_FORMAT_S8`; that of none where ST has no name."""
    name = _FORMATS.get(tensor.dtype, "NONE")
    return f"{prefix}_{'FLOAT32' if name == 'FLOAT' and prefix == 'STAI_FORMAT' else name}"


def alignment(tensor: Tensor) -> int:
    """Alignment of the tensor's elements, in bytes."""
    return ELEMENT_BYTES[tensor.dtype]


def bcwh(tensor: Tensor) -> tuple[int, ...]:
    """Batch, channel, width, height, then what else there is; a shape of one dimension is channels."""
    batch, *inner = tensor.shape if len(tensor.shape) > 1 else (1, *tensor.shape)
    *spatial, channel = inner or [1]
    height, width, *rest = (*spatial, 1, 1)[: max(2, len(spatial))]
    return (batch, channel, width, height, *rest)
