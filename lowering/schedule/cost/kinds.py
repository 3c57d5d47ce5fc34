"""Kinds of operations that are counted, and how many of its kind each is."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, IndexType, MemRefType
from xdsl.ir import Operation, SSAValue

from ....dialects.simd.dots import SumProductsOp
from ....dialects.simd.lanes import SIXTEEN
from ....dialects.simd.moves import LoadBytesOp
from ....dialects.simd.tiles import DualProductsOp, SwarProductsOp, TileBytesOp, UnpackPointsOp, Unrolled
from ....dialects.simd.windows import ScaleBytesOp, SumTapsOp, WindowsOp, passes_of
from ....dialects.simd.words import MultiplyHighAddOp, MultiplyHighFloorAddOp, OfBytes
from ...kernels.armv7em.operations import kernel_of
from ...kernels.thumb.counts import counted

_FREE = frozenset(
    {
        *("arith.constant", "func.return", "scf.yield", "memref.alloc", "memref.get_global", "arith.index_cast"),
        *("memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast"),
    }
)
"""Operations that cost nothing where they stand."""
_KINDS: dict[type[Operation], str] = {
    **dict.fromkeys((arith.ExtSIOp, arith.ExtUIOp), "conversion"),
    **dict.fromkeys((arith.DivSIOp, arith.DivUIOp, arith.RemSIOp), "division"),
    **dict.fromkeys((arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp), "shift"),
    **dict.fromkeys((arith.MaxSIOp, arith.MinSIOp, arith.SelectOp, arith.MaxUIOp, arith.MinUIOp), "selection"),
    arith.CmpiOp: "comparison",
    arith.MuliOp: "multiplication",
}
"""Of integers of at most 32 bits; all others are `arithmetic`."""
_OF_BYTES = 2.0
"""Instructions that choose among the bytes of two words."""


def is_free(op: Operation) -> bool:
    """Whether it costs nothing where it stands: places are part of loads and stores."""
    if op.name in _FREE or isinstance(op, arith.TruncIOp):
        return True
    if isinstance(op, arith.ExtSIOp | arith.ExtUIOp):
        return isinstance(op.input.owner, memref.LoadOp | LoadBytesOp)
    return isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp) and isinstance(op.result.type, IndexType)


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
    if isinstance(op, arith.MuliOp) and isinstance(op.result.get_user_of_unique_use(), arith.AddiOp):
        return "multiplication and addition"
    if isinstance(op, arith.AddiOp) and any(isinstance(v.owner, arith.MuliOp) and v.has_one_use() for v in op.operands):
        return "addition of a product"
    return kind or "arithmetic"


def numbers_of(op: Operation) -> Iterator[tuple[str, float, float]]:
    """Yield kinds of which an operation that is not free counts, with the numbers that run and that the text has.

    It is one of its kind, but for kernels; beside it the parts of operations on many numbers run. A loop over windows
    is a call of one function, and beside it the instructions of its passes.
    """
    kind = kind_of(op)
    match op:
        case WindowsOp():
            counts = counted(kernel_of(op))
            of_pass = counts.run((1,)) - counts.run((0,))
            yield "loop of windows", 1.0, 1.0
            yield kind, len(passes_of(op)) * of_pass, of_pass
        case OfBytes():
            yield kind, _OF_BYTES, _OF_BYTES
        case DualProductsOp() | ScaleBytesOp() | SumTapsOp() | TileBytesOp() | UnpackPointsOp():
            counts, passes = counted(kernel_of(op)), (op.passes,) if isinstance(op, Unrolled) else ()
            blocks = (op.blocks.value.data,) if isinstance(op, TileBytesOp) else ()
            yield kind, counts.run((*blocks, *passes)), counts.standing
        case SwarProductsOp():
            yield kind, 1.0, 1.0
            yield f"{kind} of one", op.count.value.data, 0.0
        case SumProductsOp():
            yield kind, 1.0, 1.0
            yield f"{kind} of sixteen", -(-op.count.value.data // SIXTEEN), 0.0
        case memref.CopyOp(source=SSAValue(type=MemRefType() as type)):
            yield kind, 1.0, 1.0
            yield f"{kind} of one", type.element_count(), 0.0
        case _:
            yield kind, 1.0, 1.0
