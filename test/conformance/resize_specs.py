"""Images of another size."""

from __future__ import annotations

from hypothesis import strategies as st
from single import Operand, Single, integers, oracle_of
from window_specs import SEEDS

EXTENTS = st.integers(1, 9)


@st.composite
def resized(draw: st.DrawFn, opcode: str, dtype: str) -> Single:
    """To any size with any flags; often by a whole factor."""
    name, oracle = oracle_of(dtype)
    batch, channels, height, width = draw(st.integers(1, 2)), draw(st.integers(1, 4)), draw(EXTENTS), draw(EXTENTS)
    if draw(st.booleans()):
        size = height * draw(st.integers(1, 3)), width * draw(st.integers(1, 3))
    else:
        size = draw(EXTENTS) * draw(st.integers(1, 3)), draw(EXTENTS)
    align = draw(st.booleans())
    half = draw(st.booleans()) and (opcode == "RESIZE_NEAREST_NEIGHBOR" or not align)
    return Single(
        opcode,
        (Operand((batch, height, width, channels), name), integers(size)),
        (Operand((batch, *size, channels), name),),
        fields=(("alignCorners", align), ("halfPixelCenters", half)),
        oracle=oracle,
        seed=draw(SEEDS),
    )


TYPES = {
    "RESIZE_NEAREST_NEIGHBOR": "float32 int8 int16 uint8* int32* bool*",
    "RESIZE_BILINEAR": "float32 int8 int16* uint8*",
}

KINDS = {
    f"{opcode} {dtype.rstrip('*')}": resized(opcode, dtype) for opcode, all in TYPES.items() for dtype in all.split()
}
