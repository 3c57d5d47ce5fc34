"""Elements at places that are computed, slices with steps, blocks of the batch, choices."""

from __future__ import annotations

import math
from collections.abc import Callable

from hypothesis import strategies as st
from single import NO_OPTIONS, Operand, Single, integers, oracle_of
from window_specs import SCALES, SEEDS, ZERO_POINTS

Draw = st.DrawFn


def shape(draw: Draw, low: int = 1, high: int = 4, most: int = 5) -> tuple[int, ...]:
    """A shape of `low` to `high` dimensions."""
    return tuple(draw(st.lists(st.integers(1, most), min_size=low, max_size=high)))


def indices(draw: Draw, extents: tuple[int, ...], most: int, dtype: str = "int32") -> Operand:
    """Indices up to `most`, as an input or as a constant."""
    if draw(st.booleans()):
        return Operand(extents, dtype, limits=(0, most))
    count = math.prod(extents)
    values = draw(st.lists(st.integers(0, most), min_size=count, max_size=count))
    return Operand(extents, dtype, values=tuple(values))


def gather(draw: Draw, dtype: str, oracle: str) -> Single:
    """Any axis, any batch dimensions."""
    given = shape(draw)
    axis = draw(st.integers(0, len(given) - 1))
    batch = draw(st.integers(0, axis))
    places = (*given[:batch], *draw(st.lists(st.integers(1, 4), min_size=1 if not batch else 0, max_size=2)))
    result = (*given[:axis], *places[batch:], *given[axis + 1 :])
    fields = (("axis", axis - len(given) if draw(st.booleans()) else axis), ("batchDims", batch))
    operands = (Operand(given, dtype), indices(draw, places, given[axis] - 1))
    return Single("GATHER", operands, (Operand(result, dtype),), fields=fields, oracle=oracle, seed=draw(SEEDS))


def gather_nd(draw: Draw, dtype: str, oracle: str) -> Single:
    """One to all dimensions by index."""
    given = shape(draw)
    depth = draw(st.integers(1, len(given)))
    rows = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=2)))
    result = (*rows, *given[depth:])
    operands = (Operand(given, dtype), indices(draw, (*rows, depth), min(given[:depth]) - 1))
    return Single("GATHER_ND", operands, (Operand(result, dtype),), oracle=oracle, seed=draw(SEEDS))


def scatter(draw: Draw, dtype: str, oracle: str) -> Single:
    """Rows may name one place several times."""
    result = shape(draw)
    depth = draw(st.integers(1, len(result)))
    rows = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=2)))
    updates = Operand((*rows, *result[depth:]), dtype)
    operands = (indices(draw, (*rows, depth), min(result[:depth]) - 1), updates, integers(result))
    return Single("SCATTER_ND", operands, (Operand(result, dtype),), oracle=oracle, seed=draw(SEEDS))


def lookup(draw: Draw, dtype: str, oracle: str) -> Single:
    """Rows of a constant table, or of a computed one."""
    given = shape(draw, 2, 4)
    count = draw(st.integers(1, 5))
    scale = draw(SCALES)
    real = dtype == "hybrid"
    table = Operand(given, "int8" if real else dtype, scale, 0)
    result = Operand((count, *given[1:]), "float32" if real else dtype, scale, 0)
    operands = (indices(draw, (count,), given[0] - 1), table)
    return Single("EMBEDDING_LOOKUP", operands, (result,), NO_OPTIONS, oracle=oracle, seed=draw(SEEDS))


def strided(draw: Draw, dtype: str, oracle: str) -> Single:
    """Bounds from the back, beyond the ends and masked; negative steps; dimensions that go."""
    given = shape(draw, 1, 4, 6)
    masks = {"beginMask": 0, "endMask": 0, "shrinkAxisMask": 0}
    begins, ends, steps, result = list[int](), list[int](), list[int](), list[int]()
    for d, extent in enumerate(given):
        step = draw(st.sampled_from((1, 1, 2, 3, -1, -2)))
        begin, end = draw(st.integers(-extent - 1, extent)), draw(st.integers(-extent - 1, extent + 1))
        hidden = draw(st.booleans()), draw(st.booleans())
        picked = range(extent)[None if hidden[0] else begin : None if hidden[1] else end : step]
        if draw(st.integers(0, 3)) == 0:
            begin, step, hidden = draw(st.integers(-extent, extent - 1)), 1, (False, False)
            end = begin + 1
            masks["shrinkAxisMask"] |= 1 << d
        elif not picked:
            hidden = True, True
            result.append(len(range(extent)[::step]))
        else:
            result.append(len(picked))
        masks["beginMask"] |= hidden[0] << d
        masks["endMask"] |= hidden[1] << d
        begins.append(begin)
        ends.append(end)
        steps.append(step)
    operands = (Operand(given, dtype), integers(begins), integers(ends), integers(steps))
    results = (Operand(tuple(result), dtype),)
    fields = tuple(masks.items())
    return Single("STRIDED_SLICE", operands, results, fields=fields, oracle=oracle, seed=draw(SEEDS))


def batch_blocks(opcode: str, table: str, *, to_batch: bool) -> Callable[[Draw, str, str], Single]:
    """One or two dimensions in blocks, with margins or crops."""

    def make(draw: Draw, dtype: str, oracle: str) -> Single:
        rank = draw(st.integers(1, 2))
        block = [draw(st.integers(1, 3)) for _ in range(rank)]
        blocks = [draw(st.integers(1, 3)) for _ in range(rank)]
        margins, inner = list[int](), list[int]()
        for size, count in zip(block, blocks, strict=True):
            total = draw(st.integers(0, size * count - 1))
            before = draw(st.integers(0, total))
            margins += [before, total - before]
            inner.append(size * count - total)
        batch, channels = draw(st.integers(1, 2)), draw(st.integers(1, 3))
        zero_point = 0 if dtype == "int16" else draw(ZERO_POINTS) + (128 if dtype == "uint8" else 0)
        small = Operand((batch, *inner, channels), dtype, zero_point=zero_point)
        large = Operand((batch * math.prod(block), *blocks, channels), dtype, zero_point=zero_point)
        source, target = (small, large) if to_batch else (large, small)
        operands = (source, integers(block), Operand((rank, 2), "int32", values=tuple(margins)))
        return Single(opcode, operands, (target,), table, oracle=oracle, seed=draw(SEEDS))

    return make


def chosen(draw: Draw, dtype: str, oracle: str) -> Single:
    """All three operands may broadcast."""
    result = shape(draw)

    def part() -> tuple[int, ...]:
        if draw(st.booleans()):
            return result
        thinned = tuple(extent if draw(st.booleans()) else 1 for extent in result)
        return thinned[draw(st.integers(0, len(result) - 1)) :]

    condition, then, otherwise = part(), part(), part()
    full = max((condition, then, otherwise), key=len)
    aligned = [(1,) * (len(full) - len(s)) + s for s in (condition, then, otherwise)]
    made = tuple(max(extents) for extents in zip(*aligned, strict=True))
    operands = (Operand(condition, "bool"), Operand(then, dtype), Operand(otherwise, dtype))
    return Single("SELECT_V2", operands, (Operand(made, dtype),), oracle=oracle, seed=draw(SEEDS))


def chosen_slices(draw: Draw, dtype: str, oracle: str) -> Single:
    """SELECT: one shape, or a condition for each slice."""
    result = shape(draw)
    condition = result if draw(st.booleans()) else result[:1]
    operands = (Operand(condition, "bool"), Operand(result, dtype), Operand(result, dtype))
    return Single("SELECT", operands, (Operand(result, dtype),), oracle=oracle, seed=draw(SEEDS))


def filled(draw: Draw, dtype: str, oracle: str) -> Single:
    """One value everywhere."""
    result = shape(draw)
    value = Operand((), dtype)
    return Single("FILL", (integers(result), value), (Operand(result, dtype),), oracle=oracle, seed=draw(SEEDS))


def zeros(draw: Draw, dtype: str, oracle: str) -> Single:
    """Zeros in the shape of the input."""
    given = Operand(shape(draw), dtype)
    return Single("ZEROS_LIKE", (given,), (given,), oracle=oracle, seed=draw(SEEDS))


def extents(draw: Draw, dtype: str, oracle: str) -> Single:
    """The shape of a tensor."""
    given = Operand(shape(draw), dtype)
    fields = (("outType", 2),)
    result = Operand((len(given.shape),), "int32")
    return Single("SHAPE", (given,), (result,), fields=fields, oracle=oracle, seed=draw(SEEDS))


LEGACY_TOO = "float32 int8 int32* int64* uint8*"

MAKERS: dict[str, tuple[Callable[[Draw, str, str], Single], str]] = {
    "GATHER": (gather, "float32 int8 int16* int32* int64* bool* uint8*"),
    "GATHER_ND": (gather_nd, "float32 int8 int16* int32* int64* bool* uint8*"),
    "SCATTER_ND": (scatter, "float32* int8* uint8* int32* int64*"),
    "EMBEDDING_LOOKUP": (lookup, "float32 int8 hybrid"),
    "STRIDED_SLICE": (strided, "float32 int8 int16 int32 bool int64* uint8*"),
    "SPACE_TO_BATCH_ND": (
        batch_blocks("SPACE_TO_BATCH_ND", "SpaceToBatchND", to_batch=True),
        "float32 int8 int32* int64* uint8* int16* bool*",
    ),
    "BATCH_TO_SPACE_ND": (
        batch_blocks("BATCH_TO_SPACE_ND", "BatchToSpaceND", to_batch=False),
        "float32 int8 int32* int64* uint8* int16* bool*",
    ),
    "SELECT_V2": (chosen, "float32 int8 int16 int32* int64* bool* uint8*"),
    "SELECT": (chosen_slices, "float32* int8* int16* int32* int64* bool* uint8*"),
    "FILL": (filled, "float32 int8 int16* int32 int64* bool* uint8*"),
    "ZEROS_LIKE": (zeros, "float32 int8 int32 int64"),
    "SHAPE": (extents, "float32 int8 int16 int32 uint8 int64 bool"),
}


@st.composite
def cases(draw: Draw, opcode: str, dtype: str) -> Single:
    """Cases of one operator and type; a star behind the type: TFLite Micro has not that one."""
    return MAKERS[opcode][0](draw, *oracle_of(dtype))


KINDS = {
    f"{opcode} {dtype.rstrip('*')}": cases(opcode, dtype)
    for opcode, (_, types) in MAKERS.items()
    for dtype in types.split()
}
