"""What windows over four channels mean, and bytes of their sums."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ...dialects.simd.windows import ScaleBytesOp, SumTapsOp
from ...dialects.simd.words import BYTES, DualMultiplyAddOp, PackOp
from ..builder import Loops, Value
from .meaning import Array, Elements, Operand, means
from .tiles import rescaled, rescaling_of


def _operands(op: SumTapsOp) -> dict[str, Operand]:
    """All that windows of one kind differ in, so that all of them have one meaning."""
    bytes = {f"bytes{f'_{number}' if number else ''}": one for number, one in enumerate((op.memref, *op.beside))}
    owners = {} if op.owners is None else {"owners": op.owners.get_values()}
    numbers = {"count": len(op.places), "zero_point": op.zero_point}
    return {**bytes, "places": op.places.get_values(), **owners, **numbers, "words": op.words, "sums": op.sums}


@means(SumTapsOp, _operands)
def sum_taps(
    k: Loops,
    op: SumTapsOp,
    places: Elements,
    count: Value,
    zero_point: Value,
    words: Array,
    sums: Array,
    owners: Elements | None = None,
    **memrefs: Array,
) -> None:
    """Channel by channel, and tap by tap: each is in one of the lanes, and nothing in the other."""

    def byte(tap: Value, c: Value) -> SSAValue:
        place = places.load(tap, "place")

        def read() -> list[SSAValue]:
            array, *others = memrefs.values()
            for number, other in enumerate(others, 1):
                assert owners is not None, "several memrefs have owners"
                is_own = k.compare("eq", owners.load(tap, "owner"), number)
                array = replace(array, memref=k.emit(arith.SelectOp(is_own, other.memref, array.memref), "bytes"))
            return [array.wide(k.add(k.i32_to_index(place), c), signed=op.unsigned is None)]

        (value,) = k.either(k.compare("sge", place, 0), read, [k.value(k.index_to_i32(zero_point), i32)])
        value.name_hint = "byte"
        return value

    zero = k.value(0, i32)
    with k.loop("c", 0, BYTES) as c:

        def add(n: Value, total: SSAValue) -> SSAValue:
            own = byte(n, c)
            pair = k.div(n, 2)
            is_second = k.compare("eq", k.sub(n, k.mul(pair, 2)), 1)
            # The weight of a last tap alone is in the high lane for the last two channels.
            is_last = k.emit(arith.AndIOp(k.compare("eq", n, k.sub(count, 1)), k.compare("sge", c, BYTES // 2)))
            is_high = k.emit(arith.OrIOp(is_second, is_last), "is_high")
            lanes = k.select(is_high, k.emit(PackOp(zero, own)), k.emit(PackOp(own, zero)), "lanes")
            weight = words.load(k.add(k.mul(k.add(pair, 1), BYTES), c), "weight")
            return k.emit(DualMultiplyAddOp(lanes, weight, total), "sum")

        sums.store(k.reduce("n", 0, count, words.load(c, "sum"), add, "sum"), c)


@means(ScaleBytesOp, lambda op: {"sums": op.sums, "words": op.words, "bytes": op.memref})
def scale_bytes(k: Loops, op: ScaleBytesOp, sums: Array, words: Array, bytes: Array) -> None:
    """Channel by channel."""
    records = words.behind(op.skipped.value.data)
    with k.loop("c", 0, BYTES) as c:
        total = sums.load(c, "sum")
        record = records.behind(k.mul(c, op.rescaling.apart), "record")
        bytes.store(rescaled(k, op, record, total, total, **rescaling_of(op)), c)
