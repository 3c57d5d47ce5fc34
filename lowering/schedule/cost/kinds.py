"""Kinds of operations that are counted, and how many of its kind each is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, IndexType, MemRefType
from xdsl.ir import Operation, SSAValue

from ....dialects.simd import (
    DualProductsOp,
    LoadBytesOp,
    MultiplyHighAddOp,
    MultiplyHighFloorAddOp,
    ScaleBytesOp,
    SumProductsOp,
    SumTapsOp,
    SwarProductsOp,
    TileBytesOp,
    UnpackPointsOp,
)
from ....dialects.simd.byte_words import OfBytes
from ....dialects.simd.window_loop import WindowLoop
from ...kernels.armv7em import Counts
from ...kernels.armv7em.control import KernelOp
from ...kernels.armv7em.dual_products import Walk, dual_bytes, dual_bytes_held, dual_products
from ...kernels.armv7em.unpack_points import Unpacking, unpack_points
from ...kernels.armv7em.windows import scale_bytes, sum_taps, window_of, windows

_FREE = frozenset(
    {
        *("arith.constant", "func.return", "scf.yield", "memref.alloc", "memref.get_global", "arith.index_cast"),
        *("memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast"),
    }
)
"""Operations that cost nothing where they stand."""
_LINEAR = (arith.AddiOp, arith.SubiOp, arith.MuliOp)
_KINDS: dict[type[Operation], str] = {
    **dict.fromkeys((arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp), "conversion"),
    **dict.fromkeys((arith.DivSIOp, arith.DivUIOp, arith.RemSIOp), "division"),
    **dict.fromkeys((arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp), "shift"),
    **dict.fromkeys((arith.MaxSIOp, arith.MinSIOp, arith.SelectOp, arith.MaxUIOp, arith.MinUIOp), "selection"),
    arith.CmpiOp: "comparison",
    arith.MuliOp: "multiplication",
}
"""Of integers of at most 32 bits; all others are `arithmetic`."""
WINDOWS = "simd.windows"
"""Instructions of windows over all channels."""
_SIXTEEN = 16
_OF_BYTES = 2.0
"""Instructions that choose among the bytes of two words."""


_KERNELS = frozenset({DualProductsOp, ScaleBytesOp, SumTapsOp, TileBytesOp, UnpackPointsOp})
"""Operations that are whole kernels, whose instructions are counted."""


def is_free(op: Operation) -> bool:
    """Whether it costs nothing where it stands: places are part of loads and stores."""
    if op.name in _FREE or isinstance(op, arith.TruncIOp):
        return True
    if isinstance(op, arith.ExtSIOp | arith.ExtUIOp):
        return isinstance(op.input.owner, memref.LoadOp | LoadBytesOp)
    return isinstance(op, _LINEAR) and isinstance(op.result.type, IndexType)


def kind_of(op: Operation) -> str:
    """The kind of an operation that is not free."""
    if isinstance(op, MultiplyHighFloorAddOp):
        return MultiplyHighAddOp.name
    if not op.name.startswith("arith.") or not op.results:
        return op.name + (" right" if "right_only" in op.properties else "")
    type, kind = op.operands[0].type if isinstance(op, arith.CmpiOp) else op.results[0].type, _KINDS.get(op.__class__)
    if isinstance(type, IndexType):
        return f"index {kind}" if kind in ("comparison", "division") else "index selection"
    if isinstance(type, AnyFloat):
        return op.name
    if isinstance(type, FixedBitwidthType) and type.bitwidth > 32:
        return f"64 bits {kind}" if kind in ("multiplication", "shift") else "64 bits"
    if isinstance(op, arith.MuliOp) and _is_added(op):
        return "multiplication and addition"
    if isinstance(op, arith.AddiOp) and any(_is_product(operand) for operand in op.operands):
        return "addition of a product"
    return kind or "arithmetic"


def numbers_of(op: Operation) -> tuple[dict[str, float], dict[str, float]]:
    """Return the numbers of operations by kind for one that is not free: as they run, and as they stand in the text.

    It is one of its kind, but for kernels; beside it the parts of operations on many numbers run.
    """
    kind = kind_of(op)
    if op.__class__ in _KERNELS:
        counts, passes = _kernel(op)
        return {kind: counts.run(passes)}, {kind: counts.standing}
    match op:
        case OfBytes():
            return {kind: _OF_BYTES}, {kind: _OF_BYTES}
        case SwarProductsOp():
            parts = {f"{kind} of one": op.count.value.data}
        case SumProductsOp():
            parts = {f"{kind} of sixteen": -(-op.count.value.data // _SIXTEEN)}
        case memref.CopyOp(source=SSAValue(type=MemRefType() as type)):
            parts = {f"{kind} of one": type.element_count()}
        case _:
            parts = {}
    return {kind: 1.0, **parts}, {kind: 1.0}


def _is_added(op: arith.MuliOp) -> bool:
    return isinstance(op.result.get_user_of_unique_use(), arith.AddiOp)


def _is_product(value: SSAValue) -> bool:
    return isinstance(value.owner, arith.MuliOp) and _is_added(value.owner)


def of_pass(loop: WindowLoop) -> int:
    """Return how many instructions a pass of windows over all channels has."""
    window, rescaling = window_of(loop.sums), loop.scale.rescaling
    counts = _counts(windows, window, rescaling, loop.words, backward=loop.backward)
    return counts.run((1,)) - counts.run((0,))


def _kernel(op: Operation) -> tuple[Counts, tuple[int, ...]]:
    """The instructions of a kernel, and the passes of its loops."""
    match op:
        case DualProductsOp():
            count, unroll = op.count.value.data, op.unroll.value.data
            walk = Walk.of(count, unroll)
            return _counts(dual_products, walk, op.points, shares=op.bytes is not None), (count // unroll,)
        case TileBytesOp():
            count, unroll = op.count.value.data, op.unroll.value.data
            # How far results lie apart changes none of the instructions.
            apart, walk, shares = None if op.points == 1 else 1, Walk.of(count, unroll), op.bytes is not None
            if op.held is not None:
                counts = _counts(dual_bytes_held, count, apart, op.rescaling)
            else:
                counts = _counts(dual_bytes, walk, apart, op.rescaling, shares=shares)
            return counts, (op.blocks.value.data, count // unroll)
        case SumTapsOp():
            return _counts(sum_taps, window_of(op)), ()
        case ScaleBytesOp():
            return _counts(scale_bytes, op.skipped.value.data, op.rescaling), ()
        case UnpackPointsOp():
            passes = op.count.value.data // op.passed if op.passed else 0
            unpacking = Unpacking((0,) * op.after, op.single_places, op.passed, op.apart, unsigned=False)
            return _counts(unpack_points, unpacking), (passes,)
        case _:
            raise ValueError(f"{op.name} is no kernel")


@cache
def _counts(kernel: Callable[..., KernelOp], *of: Any, **how: bool) -> Counts:
    """Count the instructions of a kernel, which are built once."""
    return Counts(kernel(*of, **how))
