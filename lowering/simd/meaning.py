"""The table of what operations mean, and operands as their meanings take them.

A meaning emits operations of `arith`, `memref` and `scf`, and others of `simd` that are less than itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from xdsl.dialects import arith, func, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects.accesses import Access
from ...dialects.simd.instruction import numbers_of
from ...dialects.simd.moves import LoadBytesOp
from ..builder import Loops, Value

Operand: TypeAlias = SSAValue | Access | IntegerAttr | int | tuple[int, ...]
"""A number, known or not, numbers, or a memref, with the place of what is accessed of it where that is at several."""
_Meaning: TypeAlias = Callable[..., SSAValue | None]
_Op = TypeVar("_Op", bound=Operation)
_Function = TypeVar("_Function", bound=_Meaning)

_MEANINGS: dict[type[Operation], _Meaning] = {}
_OPERANDS: dict[type[Operation], Callable[[Any], Mapping[str, Operand]]] = {}


@dataclass(frozen=True)
class Array:
    """Elements of a memref of one dimension, from one of them on."""

    k: Loops
    memref: SSAValue
    first: Value = 0

    @property
    def element(self) -> Attribute:
        """The type of elements."""
        assert isinstance(self.memref.type, MemRefType), "an array is a memref"
        return self.memref.type.element_type

    def load(self, at: Value, hint: str | None = None) -> SSAValue:
        """The element at a place."""
        return self.k.load(self.memref, [self._place(at)], hint)

    def wide(self, at: Value, hint: str | None = None, *, signed: bool = True) -> SSAValue:
        """The element at a place as an i32, with its sign or without."""
        value = self.load(at, hint)
        return self.k.extend(value) if signed or value.type == i32 else self.k.extend_unsigned(value)

    def store(self, value: SSAValue, at: Value) -> None:
        """Set the element at a place."""
        self.k.store(value, self.memref, [self._place(at)])

    def word(self, at: Value, hint: str | None = None) -> SSAValue:
        """Four bytes from a place on."""
        return self.k.emit(LoadBytesOp(self.memref, [self.k.index(self._place(at))]), hint)

    def behind(self, by: Value, hint: str | None = None) -> Array:
        """The elements from a place on."""
        return Array(self.k, self.memref, self._place(by, hint))

    def _place(self, at: Value, hint: str | None = None) -> Value:
        return self.k.add(self.first, at, hint)


class Table:
    """Numbers that are known."""

    def __init__(self, k: Loops, numbers: Sequence[int]):
        self._k = k
        type = VectorType(i32, [len(numbers)])
        self._all = k.emit(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, list(numbers)), type))

    def load(self, at: Value, hint: str | None = None) -> SSAValue:
        """The number at a place, as an i32."""
        return self._k.emit(vector.ExtractOp(self._all, [at], i32), hint)


Part: TypeAlias = Array | Table | Value
"""An operand as meanings take it; numbers that are known may lie in memory, too."""


def means(
    kind: type[_Op], operands: Callable[[_Op], Mapping[str, Operand]] | None = None
) -> Callable[[_Function], _Function]:
    """Register what an operation means.

    Args:
        kind: its class.
        operands: by name what its meaning takes beside a builder and the operation: a memref as an `Array` from what is
            accessed on, numbers as a `Table` or an `Array`, a number as one known or not. Without it the operation is a
            function of numbers, and its meaning takes a builder, its operands, and the numbers in it by name.
    """

    def register(meaning: _Function) -> _Function:
        _MEANINGS[kind] = meaning
        if operands is not None:
            _OPERANDS[kind] = operands
        return meaning

    return register


def has_meaning(op: Operation) -> bool:
    """Whether it is known what an operation means."""
    return type(op) in _MEANINGS


def operands_of(op: Operation) -> Mapping[str, Operand]:
    """What the meaning of an operation takes beside it, by name; nothing of functions of numbers."""
    return _OPERANDS[type(op)](op) if type(op) in _OPERANDS else {}


def emit(k: Loops, op: Operation, operands: Sequence[SSAValue], parts: Mapping[str, Part]) -> SSAValue | None:
    """Emit what an operation means, and return its result if there is one.

    Args:
        k: emits.
        op: the operation.
        operands: numbers that a function of numbers is given.
        parts: what an operation on memory is given, as `operands_of` names it.
    """
    meaning = _MEANINGS[type(op)]
    return meaning(k, op, **parts) if type(op) in _OPERANDS else meaning(k, *operands, **numbers_of(op))


class _OfPlaces(Loops):
    """Indices are places in memory, which no operation leaves."""

    INDICES_FIT = True


def loops_of(op: Operation, name: str) -> func.FuncOp:
    """A function that computes what an operation means: of numbers, and of memrefs from what is accessed on."""
    given = _given(op)
    block = Block(arg_types=given.values())
    for argument, hint in zip(block.args, given, strict=True):
        argument.name_hint = hint
    k = _OfPlaces(block)
    parts = {
        hint: Array(k, each) if isinstance(each.type, MemRefType) else each
        for each, hint in zip(block.args, given, strict=True)
    }
    result = emit(k, op, block.args, parts)
    k.builder.insert(func.ReturnOp(*([] if result is None else [result])))
    results = [] if result is None else [result.type]
    return func.FuncOp(name, (block.arg_types, results), Region(block), "private")


def _given(op: Operation) -> Mapping[str, Attribute]:
    """Names of the arguments of a function that computes an operation, and their types."""
    if type(op) in _OPERANDS:
        return {name: _type_of(each) for name, each in operands_of(op).items()}
    assert isinstance(op, IRDLOperation), "operations of the dialect are defined by IRDL"
    return {name: op.operands[number].type for number, (name, _) in enumerate(op.get_irdl_definition().operands)}


def _type_of(operand: Operand) -> Attribute:
    if isinstance(operand, tuple):
        return MemRefType(i32, [DYNAMIC_INDEX])
    memref = operand.memref if isinstance(operand, Access) else operand
    if not isinstance(memref, SSAValue):
        return IndexType()
    if not isinstance(memref.type, MemRefType):
        return memref.type
    return MemRefType(memref.type.element_type, [DYNAMIC_INDEX])
