"""`nn.scatter_nd`: zeros, then sums at loaded places.

Source: TensorFlow Lite `reference_ops::ScatterNd`.
"""

from __future__ import annotations

import math

from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import IndexType, IntegerType, Signedness, f32, i8, i16, i32, i64
from xdsl.ir import SSAValue

from ....dialects.nn import ScatterNdOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ...builder import Value
from ..kernel import Kernel
from ..registry import lowers
from ..scalar_types import widened
from ..storage import storage_type


@lowers(ScatterNdOp, (i8, IntegerType(8, Signedness.UNSIGNED), i16, i32, i64, f32))
def lower_scatter_nd(op: ScatterNdOp, k: Kernel) -> None:
    """A row whose indices are not all inside is left out."""
    shape, indices = shape_of(op.output), shape_of(op.indices)
    depth = indices[-1]
    rows, inner, count = math.prod(indices[:-1]), math.prod(shape[depth:]), math.prod(shape)
    places = k.input(op.indices, "indices", [rows, depth])
    updates = k.input(op.updates, "updates", [rows, inner])
    target = k.output(op.output, shape=[count])
    element = storage_type(element_type_of(op.output))
    zero = k.value(0, element) if isinstance(element, IntegerType) else k.floating(0.0)
    with k.loop("i", 0, count) as i:
        k.store(zero, target, [i])
    with k.loop("row", 0, rows) as row:
        inside: SSAValue | None = None
        offset: Value = 0
        for d, extent in enumerate(shape[:depth]):
            place = k.load(places, [row, d], "place")
            known = k.bit_and(k.compare("sge", place, 0), k.compare("slt", place, extent))
            inside = known if inside is None else k.bit_and(inside, known)
            stride = math.prod(shape[d + 1 :])
            offset = k.add(offset, k.mul(k.emit(IndexCastOp(place, IndexType())), stride))
        assert inside is not None, "verified: a row has at least one index"
        with k.when(inside), k.loop("c", 0, inner) as c:
            at = k.add(offset, c)
            old, more = widened(k, k.load(target, [at])), widened(k, k.load(updates, [row, c]))
            if isinstance(element, IntegerType):
                total = k.add(old, more, wraps=True)
                k.store(k.narrow(total, element), target, [at])
            else:
                k.store(k.addf(old, more), target, [at])
