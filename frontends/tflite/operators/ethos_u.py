"""The custom operator `ethos-u`: what Arm's compiler Vela has made of operators for an Ethos-U.

Its inputs are the command stream, the weights, the arena, fast scratch, and the tensors that it reads. The command
stream reaches tensors at fixed places in the arena, which the metadata `OfflineMemoryAllocation` names. Fast scratch is
the arena once more, or in memory mode `Dedicated_Sram` a buffer of its own, which holds nothing from one operator to
the next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType, i8
from xdsl.ir import SSAValue

from ....dialects.external import OperatorOp
from ....dialects.external.handed import Wishes
from ..node import Node, tensor_type
from ..schema import Tensor
from .registry import operator

ELEMENTS = ("INT8", "UINT8", "INT16", "INT32")
ALIGNMENT = 16
"""Alignment that the driver asks of the addresses of command streams, weights and arenas."""
DEVICE = "ethos_u"
"""The device whose handle is the driver's."""
FAST = "scratch_fast"
"""The parameter that is memory beside the arena; results of that name hold nothing that anybody reads."""
_FIXED = ("command stream", "weights", "arena", "fast scratch")


@operator("CUSTOM ethos-u", inputs=(len(_FIXED) + 1, 1 << 8), outputs=None, types=ELEMENTS)
def ethos_u(node: Node) -> Sequence[SSAValue]:
    """A call of the driver, with the arena as its scratch, and fast scratch as a result."""
    stream, weights, arena, fast = (node.input(position) for position in range(len(_FIXED)))
    for what, tensor in zip(_FIXED[:2], (stream, weights), strict=True):
        if tensor.data is None:
            raise node.malformed(f"its {what} is no constant")
    fast_bytes = 0 if fast.index == arena.index else math.prod(fast.shape)
    inputs = [node.input(position) for position in range(len(_FIXED), len(node.operator.inputs))]
    size = math.prod(arena.shape)
    offsets = [_offset(node, tensor, size) for tensor in (*inputs, *node.outputs)]
    given = [(f"input_{number}", node.value(tensor)) for number, tensor in enumerate(inputs)]
    made = [(f"output_{number}", tensor_type(tensor)) for number, tensor in enumerate(node.outputs)]
    sizes = [_bytes(tensor) for tensor in (*inputs, *node.outputs)]
    types = ["_".join(tensor.element_type.name.lower() for tensor in side) for side in (inputs, node.outputs)]
    if fast_bytes:
        made.append((FAST, TensorType(i8, [fast_bytes])))
    handed = node.emit(
        OperatorOp(
            f"{DEVICE}_{types[0]}_to_{types[1]}{'_dedicated' if fast_bytes else ''}",
            DEVICE,
            [("command_stream", node.value(stream)), ("weights", node.value(weights)), *given],
            made,
            {
                "command_stream_bytes": _bytes(stream),
                "weights_bytes": _bytes(weights),
                "scratch_fast_bytes": fast_bytes,
                "tensor_bytes": sizes,
                "tensor_offsets": offsets,
            },
            Wishes(size, ALIGNMENT, device=DEVICE, offsets=(-1, -1, *offsets, *([-1] if fast_bytes else []))),
        )
    )
    return handed.results[: len(node.outputs)]


def _offset(node: Node, tensor: Tensor, size: int) -> int:
    """Where a tensor lies in the arena."""
    known = node.graph.model.arena_offsets
    offset = known[tensor.index] if tensor.index < len(known) else -1
    if offset < 0:
        raise node.malformed(f"the metadata OfflineMemoryAllocation has no place for tensor '{tensor.name}'")
    if offset % ALIGNMENT or offset + _bytes(tensor) > size:
        raise node.malformed(f"tensor '{tensor.name}' cannot lie at byte {offset} of an arena of {size} bytes")
    return offset


def _bytes(tensor: Tensor) -> int:
    return math.prod(tensor.shape) * (tensor.element_type.bits or 0) // 8
