"""`nn.gather` and `nn.gather_nd`: copies of slices whose places are loaded.

Source: TensorFlow Lite `reference_ops::Gather`, `GatherNd`; indices outside a dimension are clamped to it.
"""

from __future__ import annotations

import math

import numpy as np
from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import IndexType, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import ConstantOp, GatherNdOp, GatherOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ...builder import Loops, Value
from ..kernel import Kernel
from ..registry import lowers
from .movement import ELEMENTS


@lowers(GatherOp, ELEMENTS)
def lower_gather(op: GatherOp, k: Kernel) -> None:
    """Five loops: batch, what lies before the axis, indices, what lies behind it."""
    shape, axis, batch = shape_of(op.input), op.axis.value.data, op.batch_dims.value.data
    batches, outer = math.prod(shape[:batch]), math.prod(shape[batch:axis])
    extent, inner = shape[axis], math.prod(shape[axis + 1 :])
    count = math.prod(shape_of(op.indices)[batch:])
    source = k.input(op.input, "input", [batches, outer, extent, inner])
    places = k.input(op.indices, "indices", [batches, count])
    target = k.output(op.output, shape=[batches, outer, count, inner])
    with k.loop("b", 0, batches) as b, k.loop("o", 0, outer) as o, k.loop("i", 0, count) as i:
        place = _clamped(k, k.load(places, [b, i], "place"), op.indices, extent)
        with k.loop("c", 0, inner) as c:
            _move(k, source, [b, o, place, c], target, [b, o, i, c])


@lowers(GatherNdOp, ELEMENTS)
def lower_gather_nd(op: GatherNdOp, k: Kernel) -> None:
    """For every row of indices one slice."""
    shape, indices = shape_of(op.input), shape_of(op.indices)
    depth = indices[-1]
    rows, inner = math.prod(indices[:-1]), math.prod(shape[depth:])
    source = k.input(op.input, "input", [*shape[:depth], inner])
    places = k.input(op.indices, "indices", [rows, depth])
    target = k.output(op.output, shape=[rows, inner])
    with k.loop("i", 0, rows) as i:
        at = [
            _clamped(k, k.load(places, [i, d], "place"), op.indices, extent) for d, extent in enumerate(shape[:depth])
        ]
        with k.loop("c", 0, inner) as c:
            _move(k, source, [*at, c], target, [i, c])


def _move(k: Kernel, source: SSAValue, at: list[Value], target: SSAValue, to: list[Value]) -> None:
    """Elements keep their bytes, so what they mean does not matter."""
    Loops.store(k, Loops.load(k, source, at, "value"), target, to)


def _clamped(k: Kernel, place: SSAValue, indices: SSAValue, extent: int) -> Value:
    """A loaded index, inside [0, extent); constants that are known to be are left alone."""
    type = element_type_of(indices)
    assert type in (i32, i64), "verified: indices are i32 or i64"
    owner = indices.owner
    known = owner.array.astype(np.int64) if isinstance(owner, ConstantOp) else None
    if known is None or known.min(initial=0) < 0 or known.max(initial=0) >= extent:
        place = k.min(k.max(place, 0), extent - 1)
    return k.emit(IndexCastOp(place, IndexType()))
