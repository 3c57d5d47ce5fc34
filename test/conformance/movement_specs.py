"""Operators that move elements: transpositions, slices, margins, joins, repetitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from case import Case, activation, samples_of
from hypothesis import strategies as st
from numpy.typing import NDArray
from tflite_build import Tensor, constant, one_operator, options
from window_specs import SEEDS

SCALE, ZERO_POINT = 0.5, 3

Array = NDArray[Any]


@dataclass(frozen=True)
class Move:
    """One moving operator: operands as (shape, constant values or None), options, and the results' shapes."""

    opcode: str
    dtype: str
    data: tuple[tuple[int, ...], ...]
    """Shapes of the data operands."""
    before: tuple[tuple[int, ...], ...] = ()
    """Constant int32 operands in front of the data."""
    after: tuple[tuple[Any, ...], ...] = ()
    """Constant int32 operands behind the data."""
    results: tuple[tuple[int, ...], ...] = ()
    table: str = ""
    fields: tuple[tuple[str, Any], ...] = ()
    scalars: bool = False
    """Whether constant operands of one element have rank 0."""
    margin: int | None = None
    """A last operand of one element of the data's type."""
    oracle: str = "tflm"
    seed: int = 0

    def case(self) -> Case:
        """Build it."""
        rng = np.random.default_rng(self.seed)
        zero_point = ZERO_POINT if self.dtype in ("int8", "uint8") else 0
        operands = [activation(self.dtype, shape, SCALE, zero_point) for shape in self.data]
        results = [activation(self.dtype, shape, SCALE, zero_point) for shape in self.results]
        last: list[Tensor] = []
        if self.margin is not None:
            made = np.array(self.margin, np.dtype(self.dtype)).reshape(1)
            quantised = bool(operands[0].scales)
            last = [constant(made, (SCALE,) if quantised else (), zero_point=zero_point)]
        fields = {name: list(value) if isinstance(value, tuple) else value for name, value in self.fields}
        given = tuple(samples_of(self.dtype, rng, shape) for shape in self.data)
        model = one_operator(
            self.opcode,
            options(self.table or self.opcode.title().replace("_", ""), **fields),
            [*map(self._numbers, self.before), *operands, *map(self._numbers, self.after), *last],
            results,
        )
        return Case(model, given, oracle=self.oracle, outputs=len(results))

    def _numbers(self, values: tuple[int, ...]) -> Tensor:
        array = np.array(values, np.int32)
        return constant(array.reshape(()) if self.scalars and array.size == 1 else array)


Draw = st.DrawFn
Make = Callable[[Draw, str], dict[str, Any]]


def shapes(draw: Draw, low: int = 1, high: int = 4, most: int = 5) -> tuple[int, ...]:
    """A shape of `low` to `high` dimensions."""
    return tuple(draw(st.lists(st.integers(1, most), min_size=low, max_size=high)))


def transpose(draw: Draw, dtype: str) -> dict[str, Any]:
    """Any permutation."""
    shape = shapes(draw, 1, 5)
    order = tuple(draw(st.permutations(range(len(shape)))))
    return {"data": (shape,), "after": (order,), "results": (tuple(shape[d] for d in order),)}


def blocks(deep: bool) -> Make:
    """SPACE_TO_DEPTH and DEPTH_TO_SPACE."""

    def make(draw: Draw, dtype: str) -> dict[str, Any]:
        n, h, w, c = (draw(st.integers(1, 3)) for _ in range(4))
        block = draw(st.integers(1, 3))
        wide, narrow = (n, h * block, w * block, c), (n, h, w, c * block * block)
        pair = (wide, narrow) if deep else (narrow, wide)
        return {"data": pair[:1], "results": pair[1:], "fields": (("blockSize", block),)}

    return make


def reverse(draw: Draw, dtype: str) -> dict[str, Any]:
    """Some axes backwards."""
    shape = shapes(draw)
    axes = draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, max_size=len(shape), unique=True))
    return {"data": (shape,), "after": (tuple(axes),), "results": (shape,), "table": "ReverseV2"}


def tile(draw: Draw, dtype: str) -> dict[str, Any]:
    """Up to three times along each dimension."""
    shape = shapes(draw, most=4)
    multiples = tuple(draw(st.integers(1, 3)) for _ in shape)
    result = tuple(a * b for a, b in zip(shape, multiples, strict=True))
    return {"data": (shape,), "after": (multiples,), "results": (result,)}


def broadcast(draw: Draw, dtype: str) -> dict[str, Any]:
    """Extents of 1 and missing ones."""
    result = shapes(draw)
    shape = tuple(extent if draw(st.booleans()) else 1 for extent in result)[draw(st.integers(0, len(result) - 1)) :]
    return {"data": (shape,), "after": (result,), "results": (result,)}


def margins(value: bool) -> Make:
    """PAD, and PADV2 with a value."""

    def make(draw: Draw, dtype: str) -> dict[str, Any]:
        shape = shapes(draw)
        pairs = [(draw(st.integers(0, 3)), draw(st.integers(0, 3))) for _ in shape]
        result = tuple(a + extent + b for extent, (a, b) in zip(shape, pairs, strict=True))
        margin = {"margin": draw(st.integers(0, 100))} if value else {}
        table = "PadV2" if value else "Pad"
        return {"data": (shape,), "after": (tuple(pairs),), "results": (result,), "table": table, **margin}

    return make


def mirror(draw: Draw, dtype: str) -> dict[str, Any]:
    """Both modes, margins as wide as they may be."""
    symmetric = draw(st.booleans())
    shape = tuple(draw(st.lists(st.integers(2, 5), min_size=1, max_size=4)))
    most = [extent if symmetric else extent - 1 for extent in shape]
    pairs = [(draw(st.integers(0, m)), draw(st.integers(0, m))) for m in most]
    result = tuple(a + extent + b for extent, (a, b) in zip(shape, pairs, strict=True))
    return {"data": (shape,), "after": (tuple(pairs),), "results": (result,), "fields": (("mode", int(symmetric)),)}


def slices(draw: Draw, dtype: str) -> dict[str, Any]:
    """Blocks, some to the end."""
    shape = shapes(draw)
    begin = tuple(draw(st.integers(0, extent - 1)) for extent in shape)
    extents = tuple(draw(st.integers(1, extent - first)) for extent, first in zip(shape, begin, strict=True))
    asked = tuple(
        -1 if first + size == extent and draw(st.booleans()) else size
        for extent, first, size in zip(shape, begin, extents, strict=True)
    )
    return {"data": (shape,), "after": (begin, asked), "results": (extents,)}


def joined(draw: Draw, dtype: str) -> dict[str, Any]:
    """CONCATENATION of up to four tensors."""
    shape = shapes(draw)
    axis = draw(st.integers(0, len(shape) - 1))
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    data = tuple((*shape[:axis], size, *shape[axis + 1 :]) for size in sizes)
    result = (*shape[:axis], sum(sizes), *shape[axis + 1 :])
    sign = axis - len(shape) if draw(st.booleans()) else axis
    return {"data": data, "results": (result,), "fields": (("axis", sign),)}


def pack(draw: Draw, dtype: str) -> dict[str, Any]:
    """PACK of up to four tensors."""
    shape = shapes(draw, 1, 3)
    axis, count = draw(st.integers(0, len(shape))), draw(st.integers(1, 4))
    result = (*shape[:axis], count, *shape[axis:])
    fields = (("axis", axis), ("valuesCount", count))
    return {"data": (shape,) * count, "results": (result,), "fields": fields}


def unpack(draw: Draw, dtype: str) -> dict[str, Any]:
    """UNPACK along any axis."""
    shape = shapes(draw, 2, 4, 4)
    axis = draw(st.integers(0, len(shape) - 1))
    part = (*shape[:axis], *shape[axis + 1 :])
    fields = (("axis", axis), ("num", shape[axis]))
    return {"data": (shape,), "results": (part,) * shape[axis], "fields": fields}


def split(draw: Draw, dtype: str) -> dict[str, Any]:
    """SPLIT into equal parts."""
    part = shapes(draw)
    axis, count = draw(st.integers(0, len(part) - 1)), draw(st.integers(1, 4))
    whole = (*part[:axis], part[axis] * count, *part[axis + 1 :])
    fields = (("numSplits", count),)
    return {"data": (whole,), "before": ((axis,),), "results": (part,) * count, "fields": fields, "scalars": True}


def split_v(draw: Draw, dtype: str) -> dict[str, Any]:
    """SPLIT_V into unequal parts, one perhaps -1."""
    shape = shapes(draw)
    axis = draw(st.integers(0, len(shape) - 1))
    sizes = tuple(draw(st.lists(st.integers(1, 4), min_size=2, max_size=4)))
    parts = tuple((*shape[:axis], size, *shape[axis + 1 :]) for size in sizes)
    whole = (*shape[:axis], sum(sizes), *shape[axis + 1 :])
    asked = (*sizes[:-1], -1) if draw(st.booleans()) else sizes
    return {
        "data": (whole,),
        "after": (asked, (axis,)),
        "results": parts,
        "fields": (("numSplits", len(sizes)),),
        "scalars": True,
    }


def squeeze(draw: Draw, dtype: str) -> dict[str, Any]:
    """SQUEEZE of all or some extents of 1."""
    shape = (1, *shapes(draw, 1, 3), 1)
    some = draw(st.booleans())
    result = shape[1:] if some else tuple(extent for extent in shape if extent != 1)
    return {"data": (shape,), "results": (result,), "fields": (("squeezeDims", (0,) if some else ()),)}


def expand(draw: Draw, dtype: str) -> dict[str, Any]:
    """EXPAND_DIMS at any place."""
    shape = shapes(draw, 1, 3)
    axis = draw(st.integers(0, len(shape)))
    return {"data": (shape,), "after": ((axis,),), "results": ((*shape[:axis], 1, *shape[axis:]),)}


MAKERS: dict[str, tuple[Make, str]] = {
    "TRANSPOSE": (transpose, "float32 int8 int16 uint8* int32* int64* bool*"),
    "SPACE_TO_DEPTH": (blocks(True), "float32 int8 uint8* int32* int64*"),
    "DEPTH_TO_SPACE": (blocks(False), "float32 int8 uint8* int32* int64*"),
    "REVERSE_V2": (reverse, "float32* int8* int16* int32* int64* bool* uint8*"),
    "TILE": (tile, "float32* int8* int16* int32* int64* bool* uint8*"),
    "BROADCAST_TO": (broadcast, "float32 int8 int16 int32 int64 bool uint8"),
    "PAD": (margins(False), "float32 int8 int16 int32 uint8* int64* bool*"),
    "PADV2": (margins(True), "float32 int8 int16 int32 uint8* int64* bool*"),
    "MIRROR_PAD": (mirror, "float32 int8 uint8* int16* int32* int64* bool*"),
    "SLICE": (slices, "float32 int8 int16 int32 int64* bool uint8*"),
    "CONCATENATION": (joined, "float32 int8 int16 int32 int64 bool uint8*"),
    "PACK": (pack, "float32 int8 int32 int64 uint8* int16"),
    "UNPACK": (unpack, "float32 int8 int32 uint8* int16 bool*"),
    "SPLIT": (split, "float32 int8 int16 int32 uint8* int64*"),
    "SPLIT_V": (split_v, "float32 int8 int16 int32 uint8* int64*"),
    "SQUEEZE": (squeeze, "float32 int8 int16 int32 uint8 int64 bool"),
    "EXPAND_DIMS": (expand, "float32 int8 int16 uint8* int32* int64* bool*"),
}


@st.composite
def moves(draw: Draw, opcode: str, dtype: str) -> Move:
    """Cases of one operator and type; a star behind the type: TFLite Micro has not that one."""
    name, oracle = dtype.rstrip("*"), "litert" if dtype.endswith("*") else "tflm"
    return Move(opcode, name, oracle=oracle, seed=draw(SEEDS), **MAKERS[opcode][0](draw, name))


KINDS = {
    f"{opcode} {dtype.rstrip('*')}": moves(opcode, dtype)
    for opcode, (_, types) in MAKERS.items()
    for dtype in types.split()
}
