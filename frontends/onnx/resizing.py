"""Extents of what is resized, and where each element of the result lies in the operand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..reasons import Unsupported
from .node import Node
from .tensors import Tensor

Places = npt.NDArray[np.float32]


def extents(node: Node, data: Tensor) -> tuple[list[int], list[float]]:
    """Extents of the result, and the factor of each dimension."""
    rank, position = len(data.shape), 1 if node.op.op_type == "Upsample" or node.graph.opset < 11 else 2
    axes = [int(axis) % rank for axis in node.attributes.get("axes", range(rank))]
    shape, scales = list(data.shape), [1.0] * rank
    given = node.optional(position)
    if given is not None and given.array is None:
        node.constant(position)
    if given is not None and given.array is not None and given.size:
        for axis, scale in zip(axes, given.array.reshape(-1), strict=True):
            shape[axis], scales[axis] = int(np.floor(data.shape[axis] * np.float32(scale))), float(scale)
    elif "scales" in node.attributes:
        scales = [float(scale) for scale in node.attributes["scales"]]
        shape = [int(np.floor(a * b)) for a, b in zip(data.shape, scales, strict=True)]
    else:
        sizes = [int(size) for size in node.constant(3).reshape(-1)]
        policy = node.attributes.get("keep_aspect_ratio_policy", "stretch")
        ratios = [np.float32(size) / np.float32(data.shape[axis]) for axis, size in zip(axes, sizes, strict=True)]
        if policy != "stretch":
            kept = min(ratios) if policy == "not_larger" else max(ratios)
            sizes = [int(np.floor(kept * np.float32(data.shape[axis]) + np.float32(0.5))) for axis in axes]
            ratios = [kept] * len(sizes)
        for axis, size, ratio in zip(axes, sizes, ratios, strict=True):
            shape[axis], scales[axis] = size, size / data.shape[axis] if policy == "stretch" else float(ratio)
    if min(shape) < 1:
        raise node.malformed(f"the result {shape} has no elements")
    return shape, scales


def places(node: Node, centres: str, size: int, result: int, scale: float) -> Places:
    """Where each element of the result lies in the operand, in float32 as onnxruntime computes it."""
    index, factor, half = np.arange(result, dtype=np.float32), np.float32(scale), np.float32(0.5)
    if centres == "pytorch_half_pixel" and result == 1:
        return index
    match centres:
        case _ if factor == 1:
            return index
        case "half_pixel" | "pytorch_half_pixel":
            return (index + half) / factor - half
        case "tf_half_pixel_for_nn":
            return (index + half) / factor
        case "half_pixel_symmetric":
            adjust = np.float32(result) / (factor * np.float32(size))
            return np.float32(size) / np.float32(2) * (1 - adjust) + (index + half) / factor - half
        case "align_corners" if abs(size * scale - result) > 1e-3:
            raise Unsupported("align_corners with scales that leave a part of an element cannot be compiled")
        case "align_corners":
            return index * np.float32(size - 1) / np.float32(result - 1) if result > 1 else index
        case "asymmetric":
            return index / factor
        case _:
            raise Unsupported(f"resizing by {centres} cannot be compiled")
