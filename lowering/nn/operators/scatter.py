"""`nn.scatter_nd`: the input or zeros, then updates at loaded places.

Source: TensorFlow Lite `reference_ops::ScatterNd`.
"""

from __future__ import annotations

import math

from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import SSAValue

from ....dialects.nn import ScatterNdOp
from ....dialects.nn.interfaces import element_type_of, shape_of
from ....dialects.nn.scatter import Combination
from ...builder import Value
from ..kernel import Kernel
from ..registry import lowers
from ..scalar_types import extremum, widened
from ..storage import storage_type
from .movement import ELEMENTS


@lowers(ScatterNdOp, ELEMENTS)
def lower_scatter_nd(op: ScatterNdOp, k: Kernel) -> None:
    """A row whose indices are not all inside is left out."""
    shape, indices = shape_of(op.output), shape_of(op.indices)
    depth = indices[-1]
    rows, inner, count = math.prod(indices[:-1]), math.prod(shape[depth:]), math.prod(shape)
    places = k.input(op.indices, "indices", [rows, depth])
    updates = k.input(op.updates, "updates", [rows, inner])
    source = None if op.input is None else k.input(op.input, "input", [count])
    target = k.output(op.output, shape=[count])
    element = storage_type(element_type_of(op.output))
    with k.loop("i", 0, count) as i:
        if source is not None:
            k.store_bytes(k.load_bytes(source, [i]), target, [i])
        else:
            k.store(k.value(0, element) if isinstance(element, IntegerType) else k.floating(0.0), target, [i])
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
            if op.combination.data is Combination.REPLACE:
                k.store_bytes(k.load_bytes(updates, [row, c]), target, [at])
            else:
                old, more = widened(k, k.load(target, [at])), widened(k, k.load(updates, [row, c]))
                made = _combined(k, op.combination.data, old, more)
                k.store(k.narrow(made, element) if isinstance(element, IntegerType) else made, target, [at])


def _combined(k: Kernel, combination: Combination, old: SSAValue, more: SSAValue) -> SSAValue:
    integers = isinstance(old.type, IntegerType)
    match combination:
        case Combination.LARGER | Combination.SMALLER:
            return extremum(k, old, more, largest=combination is Combination.LARGER)
        case Combination.MULTIPLY:
            return k.mul(old, more, wraps=True) if integers else k.mulf(old, more)
        case _:
            return k.add(old, more, wraps=True) if integers else k.addf(old, more)
