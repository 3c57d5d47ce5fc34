"""Places of extreme elements and running sums."""

from __future__ import annotations

from hypothesis import strategies as st
from single import Operand, Single, integers, oracle_of, scalar
from window_specs import SCALES, SEEDS, ZERO_POINTS

SHAPES = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple)
NARROW = {"int8": (-3, 3), "uint8": (0, 5), "int16": (-3, 3), "int32": (-3, 3), "int64": (-3, 3), "bool": (0, 1)}
"""Few values, so that many are equal."""


def data(draw: st.DrawFn, dtype: str, shape: tuple[int, ...]) -> Operand:
    """An operand whose elements often repeat."""
    return Operand(shape, dtype, limits=NARROW.get(dtype, (-2, 2)) if draw(st.booleans()) else None)


@st.composite
def arg(draw: st.DrawFn, opcode: str, dtype: str, index: str) -> Single:
    """ARG_MAX and ARG_MIN."""
    name, oracle = oracle_of(dtype)
    shape = draw(SHAPES)
    axis = draw(st.integers(0, len(shape) - 1))
    result = Operand((*shape[:axis], *shape[axis + 1 :]), index)
    given = axis - len(shape) if draw(st.booleans()) else axis
    fields = (("outputType", 2 if index == "int32" else 4),)
    operands = (data(draw, name, shape), scalar(given))
    return Single(opcode, operands, (result,), fields=fields, oracle=oracle, seed=draw(SEEDS))


@st.composite
def top_k(draw: st.DrawFn, dtype: str) -> Single:
    """TOPK_V2."""
    shape = draw(SHAPES)
    count = draw(st.integers(1, shape[-1]))
    result = (*shape[:-1], count)
    results = Operand(result, dtype), Operand(result, "int32")
    operands = (data(draw, dtype, shape), scalar(count))
    return Single("TOPK_V2", operands, results, "TopKV2", oracle="litert", seed=draw(SEEDS))


@st.composite
def running(draw: st.DrawFn, dtype: str) -> Single:
    """CUMSUM in all directions."""
    name, oracle = oracle_of(dtype)
    shape = draw(SHAPES)
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    scale = draw(SCALES)
    source = Operand(shape, name, scale, draw(ZERO_POINTS))
    target = Operand(shape, name, scale * draw(st.sampled_from((0.5, 1.0, 4.0))), draw(ZERO_POINTS))
    fields = (("exclusive", draw(st.booleans())), ("reverse", draw(st.booleans())))
    return Single("CUMSUM", (source, integers((axis,))), (target,), "Cumsum", fields, oracle=oracle, seed=draw(SEEDS))


KINDS = {
    **{
        f"{opcode} {dtype.rstrip('*')}{' int64' if index == 'int64' else ''}": arg(opcode, dtype, index)
        for opcode in ("ARG_MAX", "ARG_MIN")
        for dtype, index in (
            ("float32", "int32"),
            ("int8", "int32"),
            ("uint8*", "int32"),
            ("int32*", "int32"),
            ("bool*", "int32"),
            ("int8*", "int64"),
        )
    },
    **{f"TOPK_V2 {dtype}": top_k(dtype) for dtype in ("float32", "int8", "uint8", "int16", "int32", "int64")},
    **{f"CUMSUM {dtype.rstrip('*')}": running(dtype) for dtype in ("float32", "int8", "int32*", "int64*")},
}
