"""The pass `usmp-check`: a proof that the plan on the allocs is sound, independent of how it was made.

The program is run in the abstract, and every byte of every pool remembers which buffer wrote it last. A write claims
the buffer's bytes, a read must find them unclaimed by others; loop bodies run twice, so that what one iteration
destroys of the next one's is seen. Where a call reads and writes buffers that share bytes, its loops are run in full,
element by element. Nothing of the planner or of its liveness analysis is used here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FixedBitwidthType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects.pool.declare import DeclareOp

EXACT_STEPS = 20_000_000
"""Operations that element-by-element runs may take in one module before they give up."""


@dataclass(frozen=True)
class UsmpCheckPass(ModulePass):
    """Prove that no buffer is destroyed before its last use and that pools, limits and alignments are kept."""

    name: ClassVar[str] = "usmp-check"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        declared = {o.sym_name.data: o for o in op.ops if isinstance(o, DeclareOp)}
        placed = {o: _place(o, declared) for o in op.walk() if isinstance(o, memref.AllocOp)}
        for name, pool in declared.items():
            if pool.limit is not None and pool.size is not None and pool.size.value.data > pool.limit.value.data:
                raise PassFailedException(f"pool @{name} has {pool.size.value.data} bytes, more than its limit")
        for entry in op.ops:
            if isinstance(entry, func.FuncOp) and entry.body.blocks and not _is_private(entry):
                _Run(op, placed, declared).entry(entry)


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


@dataclass(frozen=True)
class _Place:
    """Bytes [first, end) of a pool."""

    name: str
    pool: str
    first: int
    end: int
    element: int


def _place(alloc: memref.AllocOp, declared: dict[str, DeclareOp]) -> _Place:
    """Where a buffer lies, after checking that it may lie there."""
    named = alloc.attributes.get("pool.name")
    name = named.data if isinstance(named, StringAttr) else alloc.memref.name_hint or "buffer"
    pool, offset = alloc.attributes.get("pool.assigned"), alloc.attributes.get("pool.offset")
    if not isinstance(pool, SymbolRefAttr) or not isinstance(offset, IntegerAttr):
        raise PassFailedException(f"buffer '{name}' has no pool.assigned and pool.offset; run usmp-plan first")
    target = declared.get(pool.string_value())
    if target is None or target.size is None:
        raise PassFailedException(f"buffer '{name}': pool @{pool.string_value()} is not declared or has no size")
    candidates = alloc.attributes.get("pool.candidates")
    if isinstance(candidates, ArrayAttr) and pool not in candidates.data:
        raise PassFailedException(f"buffer '{name}' lies in @{pool.string_value()}, which is not among its candidates")
    type = alloc.memref.type
    assert isinstance(type, MemRefType), "allocs give memrefs"
    assert isinstance(type.element_type, FixedBitwidthType), "the plan gave it a size"
    if DYNAMIC_INDEX in type.get_shape():
        raise PassFailedException(f"buffer '{name}' has a dynamic shape")
    element = type.element_type.size
    first = offset.value.data
    end = first + int(np.prod(type.get_shape(), dtype=np.int64)) * element
    if first < 0 or end > target.size.value.data:
        raise PassFailedException(
            f"buffer '{name}' takes bytes {first} to {end} of pool @{pool.string_value()}, "
            f"which has {target.size.value.data}"
        )
    alignment = max(element, alloc.alignment.value.data if alloc.alignment is not None else 1)
    if first % alignment:
        raise PassFailedException(f"buffer '{name}' at offset {first} is not aligned to {alignment} bytes")
    if target.alignment % alignment:
        raise PassFailedException(
            f"buffer '{name}' needs {alignment} bytes of alignment, its pool has {target.alignment}"
        )
    return _Place(name, pool.string_value(), first, end, element)


@dataclass
class _Run:
    """One abstract run of an entry function."""

    module: ModuleOp
    placed: dict[memref.AllocOp, _Place]
    declared: dict[str, DeclareOp]
    steps: int = 0
    where: str = ""
    scalars: dict[SSAValue, int] = field(default_factory=lambda: {})

    def __post_init__(self) -> None:
        self.table = {o.sym_name.data: o for o in self.module.ops if isinstance(o, func.FuncOp)}
        self.owner = {
            name: np.zeros(pool.size.value.data, np.int32)
            for name, pool in self.declared.items()
            if pool.size is not None
        }
        self.identity = {alloc: n for n, alloc in enumerate(self.placed, 1)}
        self.names = {n: self.placed[alloc].name for alloc, n in self.identity.items()}
        self.places: dict[int, _Place] = {n: self.placed[alloc] for alloc, n in self.identity.items()}

    def entry(self, entry: func.FuncOp) -> None:
        """Run the function as the application does: inputs written before, outputs read after."""
        for alloc, number in self.identity.items():
            if self._kind(alloc) in ("input", "state"):
                self._claim(number, None)
        self._block(entry.body.block, {}, exact=False)
        self.where = "the end of the run"
        for alloc, number in self.identity.items():
            if self._kind(alloc) in ("output", "state") and self._is_inside(alloc, entry):
                self._read(number, None)

    @staticmethod
    def _kind(alloc: memref.AllocOp) -> str:
        kind = alloc.attributes.get("pool.kind")
        return kind.data if isinstance(kind, StringAttr) else ""

    @staticmethod
    def _is_inside(alloc: memref.AllocOp, entry: func.FuncOp) -> bool:
        return entry.is_ancestor(alloc)

    def _span(self, number: int, element: int | None) -> tuple[np.ndarray, int, int]:
        place = self.places[number]
        if element is None:
            return self.owner[place.pool], place.first, place.end
        first = place.first + element * place.element
        if not place.first <= first < place.end:
            raise PassFailedException(f"{self.where} leaves buffer '{place.name}'")
        return self.owner[place.pool], first, first + place.element

    def _claim(self, number: int, element: int | None) -> None:
        owner, first, end = self._span(number, element)
        owner[first:end] = number

    def _read(self, number: int, element: int | None) -> None:
        owner, first, end = self._span(number, element)
        bytes_ = owner[first:end]
        wrong = (bytes_ != number) & (bytes_ != 0)
        if wrong.any():
            at = int(np.argmax(wrong))
            other = self.names[int(bytes_[at])]
            raise PassFailedException(
                f"{self.where} reads buffer '{self.places[number].name}' after '{other}' was written over it, "
                f"at byte {first + at} of pool @{self.places[number].pool}"
            )

    # Running

    def _block(self, block: Block, known: dict[SSAValue, int | None], *, exact: bool) -> None:
        for op in block.ops:
            self._operation(op, known, exact=exact)

    def _operation(self, op: Operation, known: dict[SSAValue, int | None], *, exact: bool) -> None:
        self.steps += exact
        if self.steps > EXACT_STEPS:
            raise PassFailedException(f"{self.where}: too long to prove that buffers may share bytes")
        match op:
            case memref.AllocOp():
                known[op.memref] = self.identity[op]
            case memref.LoadOp():
                self._access(op.memref, list(op.indices), known, exact=exact, write=False)
            case memref.StoreOp():
                self._access(op.memref, list(op.indices), known, exact=exact, write=True)
            case func.CallOp():
                self._call(op, known)
            case scf.ForOp():
                self._loop(op, known, exact=exact)
            case _ if op.regions:
                # Branches and loops on data: each region may run, any number of times.
                for region in (r for _ in range(2) for r in op.regions):
                    for inner in region.blocks:
                        self._block(inner, known, exact=exact)
            case memref.CopyOp():
                self._access(op.source, None, known, exact=False, write=False)
                self._access(op.destination, None, known, exact=False, write=True)
            case _:
                self._other(op, known)

    def _other(self, op: Operation, known: dict[SSAValue, int | None]) -> None:
        is_view = op.name.startswith("memref.") and op.results and isinstance(op.results[0].type, MemRefType)
        if is_view and op.operands and isinstance(op.operands[0].type, MemRefType):
            known[op.results[0]] = known.get(op.operands[0])
            return
        for operand in op.operands:
            if isinstance(operand.type, MemRefType) and (number := known.get(operand)) is not None:
                # An operation nobody knows may read and write.
                self._read(number, None)
                self._claim(number, None)

    def _access(
        self,
        base: SSAValue,
        indices: list[SSAValue] | None,
        known: dict[SSAValue, int | None],
        *,
        exact: bool,
        write: bool,
    ) -> None:
        number = known.get(base)
        if number is None:
            return
        element = self._element(base, indices) if exact and indices is not None else None
        if write:
            self._claim(number, element)
        else:
            self._read(number, element)

    def _element(self, base: SSAValue, indices: list[SSAValue]) -> int:
        """Number of the accessed element within the buffer; views keep the row-major order from the first element."""
        type = base.type
        assert isinstance(type, MemRefType), "accesses go to memrefs"
        element = 0
        for index, extent in zip(indices, type.get_shape(), strict=True):
            element = element * extent + self._value(index)
        return element

    def _value(self, value: SSAValue) -> int:
        known = self.scalars.get(value)
        if known is not None:
            return known
        owner = value.owner
        match owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return number.value.data
            case arith.AddiOp():
                return self._value(owner.lhs) + self._value(owner.rhs)
            case arith.SubiOp():
                return self._value(owner.lhs) - self._value(owner.rhs)
            case arith.MuliOp():
                return self._value(owner.lhs) * self._value(owner.rhs)
            case arith.MinSIOp():
                return min(self._value(owner.lhs), self._value(owner.rhs))
            case arith.MaxSIOp():
                return max(self._value(owner.lhs), self._value(owner.rhs))
            case _:
                raise PassFailedException(
                    f"{self.where}: cannot prove that buffers may share bytes: an index is computed"
                )

    def _loop(self, op: scf.ForOp, known: dict[SSAValue, int | None], *, exact: bool) -> None:
        variable = op.body.block.args[0]
        if not exact:
            for _ in range(2):
                self._block(op.body.block, known, exact=False)
            return
        for number in range(self._value(op.lb), self._value(op.ub), self._value(op.step)):
            self.scalars[variable] = number
            self._block(op.body.block, known, exact=True)
        self.scalars.pop(variable, None)

    def _call(self, op: func.CallOp, known: dict[SSAValue, int | None]) -> None:
        name = op.callee.string_value()
        outer, self.where = self.where, f"@{name}"
        bound = [known.get(operand) for operand in op.operands]
        function = self.table.get(name)
        if function is None or not function.body.blocks:
            for number in (n for n in bound if n is not None):
                self._read(number, None)
                self._claim(number, None)
        else:
            arguments = function.body.block.args
            inner: dict[SSAValue, int | None] = dict(zip(arguments, bound, strict=True))
            self._block(function.body.block, inner, exact=self._shares_bytes(op, bound))
        self.where = outer

    def _shares_bytes(self, op: func.CallOp, bound: list[int | None]) -> bool:
        """Whether two different buffers among the arguments overlap."""
        places = [self.places[n] for n in sorted({n for n in bound if n is not None})]
        clash = any(
            a.pool == b.pool and a.first < b.end and b.first < a.end for i, a in enumerate(places) for b in places[:i]
        )
        views = any(isinstance(o.owner, memref.SubviewOp | memref.ViewOp) for o in op.operands)
        if clash and views:
            raise PassFailedException(
                f"@{op.callee.string_value()}: buffers share bytes and are passed as partial views"
            )
        return clash
