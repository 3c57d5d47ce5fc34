"""Kinds of operations that are counted."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, IndexType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.accesses import Access
from ....dialects.simd import LoadBytesOp, MultiplyHighAddOp, MultiplyHighFloorAddOp, SumProductsOp, SwarProductsOp
from ....dialects.simd.byte_words import OfBytes
from .kernels import KERNELS, run_of, standing_of

_FREE = frozenset(
    {"arith.constant", "func.return", "scf.yield", "memref.alloc", "memref.get_global", "arith.index_cast"}
)
"""Operations that cost nothing where they stand."""
_VIEWS = frozenset(
    {"memref.subview", "memref.cast", "memref.collapse_shape", "memref.expand_shape", "memref.reinterpret_cast"}
)
_CONVERSIONS = (arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp)
_SELECTIONS = (arith.MaxSIOp, arith.MinSIOp, arith.SelectOp, arith.MaxUIOp, arith.MinUIOp)
_LINEAR = (arith.AddiOp, arith.SubiOp, arith.MuliOp)
_SHIFTS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)
WINDOWS = "simd.windows"
"""Instructions of windows over all channels."""
_SIXTEEN = 16
_OF_BYTES = 2.0
"""Instructions that choose among the bytes of two words."""


def is_free(op: Operation) -> bool:
    """Whether it costs nothing where it stands: places are part of loads and stores."""
    if op.name in _FREE or op.name in _VIEWS:
        return True
    if isinstance(op, arith.ExtSIOp | arith.ExtUIOp):
        return _is_loaded(op.input)
    if isinstance(op, arith.TruncIOp):
        return True
    return isinstance(op, _LINEAR) and isinstance(op.result.type, IndexType)


def _is_loaded(value: SSAValue) -> bool:
    return isinstance(value.owner, memref.LoadOp | LoadBytesOp)


def kind_of(op: Operation) -> str:
    """The kind of an operation that is not free."""
    if isinstance(op, MultiplyHighFloorAddOp):
        return MultiplyHighAddOp.name
    if not op.name.startswith("arith.") or not op.results:
        return op.name + _right_only(op)
    type = op.operands[0].type if isinstance(op, arith.CmpiOp) else op.results[0].type
    return _kind_of_arithmetic(op, type)


def many(op: Operation) -> Sequence[tuple[str, float]]:
    """Return the counts of an operation that runs: one of its kind, and the parts of operations on many numbers."""
    if isinstance(op, SwarProductsOp):
        return (op.name, 1.0), (f"{op.name} of one", op.count.value.data)
    if isinstance(op, SumProductsOp):
        return (op.name, 1.0), (f"{op.name} of sixteen", -(-op.count.value.data // _SIXTEEN))
    if isinstance(op, KERNELS):
        return ((op.name, run_of(op)),)
    if isinstance(op, OfBytes):
        return ((op.name, _OF_BYTES),)
    if isinstance(op, memref.CopyOp) and isinstance(op.source.type, MemRefType):
        return (op.name, 1.0), (f"{op.name} of one", op.source.type.element_count())
    return ((kind_of(op), 1.0),)


def standing(op: Operation) -> float:
    """Return how many of its kind an operation is where it stands."""
    if isinstance(op, KERNELS):
        return standing_of(op)
    if isinstance(op, OfBytes):
        return _OF_BYTES
    return 1.0


def _right_only(op: Operation) -> str:
    return " right" if "right_only" in op.properties else ""


def _kind_of_arithmetic(op: Operation, type: Attribute) -> str:
    if isinstance(type, IndexType):
        if isinstance(op, arith.CmpiOp):
            return "index comparison"
        return "index division" if isinstance(op, arith.DivSIOp | arith.RemSIOp | arith.DivUIOp) else "index selection"
    if isinstance(type, AnyFloat):
        return op.name
    if isinstance(type, FixedBitwidthType) and type.bitwidth > 32:
        if isinstance(op, arith.MuliOp):
            return "64 bits multiplication"
        return "64 bits shift" if isinstance(op, _SHIFTS) else "64 bits"
    if isinstance(op, _CONVERSIONS):
        return "conversion"
    if isinstance(op, arith.MuliOp):
        return "multiplication" if not _is_added(op) else "multiplication and addition"
    if isinstance(op, arith.DivSIOp | arith.DivUIOp | arith.RemSIOp):
        return "division"
    if isinstance(op, _SHIFTS):
        return "shift"
    if isinstance(op, arith.CmpiOp):
        return "comparison"
    if isinstance(op, _SELECTIONS):
        return "selection"
    if isinstance(op, arith.AddiOp) and any(_is_product(operand) for operand in op.operands):
        return "addition of a product"
    return "arithmetic"


def _is_added(op: arith.MuliOp) -> bool:
    uses = list(op.result.uses)
    return len(uses) == 1 and isinstance(uses[0].operation, arith.AddiOp)


def _is_product(value: SSAValue) -> bool:
    return isinstance(value.owner, arith.MuliOp) and _is_added(value.owner)


def element_of(one: Access) -> str:
    """The type of what is loaded or stored."""
    return str(one.type.element_type)
