"""The table of what operations mean, and operands as their meanings take them.

A meaning emits operations of `arith`, `memref` and `scf`, and others of `simd` that are less than itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    i8,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation

from ...dialects.accesses import Access
from ...dialects.simd.instruction import numbers_of
from ...dialects.simd.lanes import LANES, SIXTEEN, LanesType, SixteenType
from ...dialects.simd.moves import LoadBytesOp
from ..builder import Loops, Value

Operand: TypeAlias = SSAValue | Access | IntegerAttr | int | tuple[int, ...]
"""A number, known or not, numbers, or a memref, with the place of what is accessed of it where that is at several."""
Made: TypeAlias = SSAValue | Sequence[SSAValue] | Callable[[Value], SSAValue] | None
"""A result, if there is one: a number, or the elements of a vector, one after the other or by their places."""
_Meaning: TypeAlias = Callable[..., Made]
_Op = TypeVar("_Op", bound=Operation)
_Given = TypeVar("_Given")
_Function = TypeVar("_Function", bound=_Meaning)

VECTORS: Mapping[type[Attribute], VectorType] = {
    LanesType: VectorType(i32, [LANES]),
    SixteenType: VectorType(i8, [SIXTEEN]),
}
"""The types of MLIR for those of `simd`."""

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


@dataclass(frozen=True)
class Elements:
    """The elements of a vector of MLIR."""

    k: Loops
    vector: SSAValue

    def load(self, at: Value, hint: str | None = None) -> SSAValue:
        """The element at a place."""
        assert isinstance(self.vector.type, VectorType), "a vector"
        return self.k.emit(vector.ExtractOp(self.vector, [at], self.vector.type.element_type), hint)


def table(k: Loops, numbers: Sequence[int]) -> Elements:
    """Numbers that are known, as i32."""
    type = VectorType(i32, [len(numbers)])
    return Elements(k, k.emit(arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(type, list(numbers)), type)))


Part: TypeAlias = Array | Elements | Value
"""An operand as meanings take it; vectors, and numbers that are known, may lie in memory, too."""


def means(
    kind: type[_Op], operands: Callable[[_Op], Mapping[str, Operand]] | None = None
) -> Callable[[_Function], _Function]:
    """Register what an operation means.

    Args:
        kind: its class.
        operands: by name what its meaning takes beside a builder and the operation: a memref as an `Array` from what is
            accessed on, vectors and numbers as `Elements` or an `Array`, a number as one known or not. Without it the
            operation is a function of values, and its meaning takes a builder, its operands, and the numbers in it by
            name.
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
    """What the meaning of an operation takes beside numbers in it, by name."""
    if type(op) in _OPERANDS:
        return _OPERANDS[type(op)](op)
    assert isinstance(op, IRDLOperation), "operations of the dialect are defined by IRDL"
    names = (name for name, _ in op.get_irdl_definition().operands)
    return dict(zip(names, op.operands, strict=True))


def accessed(accesses: Iterable[Access], operands: Iterable[_Given]) -> list[_Given | Access]:
    """Operands of an operation, memrefs as what it accesses of them.

    One that is named several times is accessed at one place after the other, as far as there are several.
    """
    places: dict[SSAValue, dict[object, Access]] = {}
    for access in accesses:
        places.setdefault(access.memref, {})[access.indices] = access
    found: list[_Given | Access] = []
    for operand in operands:
        if isinstance(operand, SSAValue) and (left := places.get(operand)):
            first = next(iter(left))
            found.append(left.pop(first) if len(left) > 1 else left[first])
        else:
            found.append(operand)
    return found


def emit(k: Loops, op: Operation, parts: Mapping[str, Part]) -> Made:
    """Emit what an operation means, which is given parts as `operands_of` names them."""
    meaning = _MEANINGS[type(op)]
    return meaning(k, op, **parts) if type(op) in _OPERANDS else meaning(k, *parts.values(), **numbers_of(op))


class _OfPlaces(Loops):
    """Indices are places in memory, which no operation leaves."""

    INDICES_FIT = True


def loops_of(op: Operation, name: str) -> func.FuncOp:
    """A function that computes what an operation means: of numbers, and of memrefs from what is accessed on.

    Vectors lie in memory, too; a result that is one is the last argument, `result`.
    """
    given = {name: _type_of(each) for name, each in operands_of(op).items()}
    vectors = [_type_of(result) for result in op.results if type(result.type) in VECTORS]
    block = Block(arg_types=[*given.values(), *vectors])
    for argument, hint in zip(block.args, [*given, *("result" for _ in vectors)], strict=True):
        argument.name_hint = hint
    k = _OfPlaces(block)
    parts: list[Part] = [Array(k, each) if isinstance(each.type, MemRefType) else each for each in block.args]
    made = emit(k, op, dict(zip(given, parts, strict=False)))
    results: list[SSAValue] = []
    if isinstance(made, SSAValue):
        results.append(made)
    elif made is not None:
        (result,) = op.results
        _store(k, made, VECTORS[type(result.type)].get_shape()[0], parts[-1])
    k.builder.insert(func.ReturnOp(*results))
    types = block.arg_types, [result.type for result in results]
    return func.FuncOp(name, types, Region(block), "private")


def _store(k: Loops, made: Sequence[SSAValue] | Callable[[Value], SSAValue], count: int, result: Part) -> None:
    """Store the elements of a vector."""
    assert isinstance(result, Array), "vectors lie in memory"
    if callable(made):
        with k.loop("i", 0, count) as i:
            result.store(made(i), i)
    else:
        for number, element in enumerate(made):
            result.store(element, number)


def _type_of(operand: Operand) -> Attribute:
    if isinstance(operand, tuple):
        return MemRefType(i32, [DYNAMIC_INDEX])
    memref = operand.memref if isinstance(operand, Access) else operand
    if not isinstance(memref, SSAValue):
        return IndexType()
    elements = VECTORS.get(type(memref.type), memref.type)
    if not isinstance(elements, MemRefType | VectorType):
        return elements
    return MemRefType(elements.element_type, [DYNAMIC_INDEX])
