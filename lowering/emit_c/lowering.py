"""State of the lowering of one function: which C value stands for which SSA value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import MemRefType, i32
from xdsl.ir import Block, Operation, SSAValue, TypeAttribute
from xdsl.utils.exceptions import PassFailedException

from ...plugins import Plugins
from .buffers import Buffer, address, argument_strides
from .builder import Builder
from .hints import hide_from_compilers
from .index_bounds import Bounds
from .iteration import Variables
from .module import Symbols
from .types import c_type, is_const_pointer, memref_type, pointer

Pattern = Callable[[Any, "Lowering"], None]
"""Lowers one operation: appends to `at.build`, then says by `at.define` what the results have become."""

Patterns = Mapping[type[Operation], Pattern]

ADDED: Plugins[Pattern] = Plugins("stillpool.c_patterns", "a function that lowers an operation", callable)
"""Patterns of other packages, by the operation's name (`dialect.operation`)."""


@dataclass(frozen=True)
class Walk:
    """A pointer of one loop."""

    variable: SSAValue
    step: int
    """Elements of one pass."""
    first: Operation
    """The first operation that uses it."""
    last: Operation
    """The last one."""

    def enter(self, op: Operation, at: Lowering) -> SSAValue:
        """The pointer where an operation uses it, in front of which nothing else stands."""
        if self.step < 0 and op is self.first:
            self._move(at)
        value = at.build.load(self.variable)
        value.name_hint = self.variable.name_hint
        return value

    def leave(self, op: Operation, at: Lowering) -> None:
        """Behind what uses it."""
        if self.step > 0 and op is self.last:
            self._move(at)

    def end(self, at: Lowering) -> None:
        """At the end of a pass; compilers must not see where the pointer is from."""
        self._move(at)
        hide_from_compilers(at.build.load(self.variable), at.build)

    def _move(self, at: Lowering) -> None:
        value, distance = at.build.load(self.variable), at.build.constant(abs(self.step), i32)
        symbol = "+" if self.step > 0 else "-"
        at.build.assign(self.variable, at.build.binary(symbol, value, distance, value.type))


class Lowering:
    """Lowers the blocks of one function.

    Scalars are C values. Memrefs are `Buffer`s; those that are no view of anything known become one when first asked
    for.
    """

    def __init__(self, build: Builder, symbols: Symbols, patterns: Patterns):
        self.build = build
        self.symbols = symbols
        self.variables = Variables(build)
        """The variables of loops and branches."""
        self.bounds = Bounds()
        """Ranges of integers, as far as they are known."""
        self.walks: dict[tuple[Operation, tuple[SSAValue, tuple[SSAValue, ...]]], Walk] = {}
        """Pointers that walk along loops, by the operation that uses them and the place that they are at."""
        self._patterns = patterns
        self._values: dict[SSAValue, SSAValue] = {}
        self._buffers: dict[SSAValue, Buffer] = {}

    def lower_block(self, block: Block) -> Operation:
        """Lower all operations of a block but its terminator, which is returned."""
        terminator = block.last_op
        assert terminator is not None, "a block that is lowered has a terminator"
        for op in block.ops:
            if op is terminator:
                break
            self.lower(op)
        return terminator

    def lower(self, op: Operation) -> None:
        """Lower one operation.

        Raises:
            PassFailedException: it has no pattern.
            UsageError: that of a package cannot be loaded.
        """
        pattern = self._patterns.get(type(op)) or ADDED.load(op.name)
        if pattern is None:
            raise PassFailedException(f"'{op.name}' op cannot be lowered to C")
        pattern(op, self)

    def inside(self, block: Block) -> _Inside:
        """Context in which operations are appended to `block`."""
        return _Inside(self, block)

    def value(self, value: SSAValue) -> SSAValue:
        """C value of a scalar, or pointer of a memref."""
        if isinstance(value.type, MemRefType):
            pointee = self.type(value)
            return address(self.build, self._buffers[value], value.type, const=is_const_pointer(pointee))
        return self._values[value]

    def define(self, value: SSAValue, result: SSAValue) -> None:
        """`result` stands for the scalar `value`, or points to the memref `value`, and takes its name."""
        if isinstance(value.type, MemRefType):
            self._buffers[value] = Buffer(result, argument_strides(value.type))
        else:
            self._values[value] = result
        if result.name_hint is None:
            result.name_hint = value.name_hint

    def buffer(self, value: SSAValue) -> tuple[Buffer, MemRefType]:
        """Return the place of a memref's elements, and its type."""
        return self._buffers[value], memref_type(value.type)

    def type(self, value: SSAValue) -> TypeAttribute:
        """Type in C of a scalar or of the pointer to a memref."""
        type = value.type
        if isinstance(type, MemRefType):
            return pointer(c_type(type.element_type), const=not self.symbols.writes.is_written(value))
        return c_type(type)

    def holder(self, value: SSAValue) -> SSAValue | None:
        """The variable from which a value that is already lowered was loaded."""
        result = self._values.get(value)
        return None if result is None else self.variables.holder(result)

    def define_buffer(self, value: SSAValue, buffer: Buffer) -> None:
        """`buffer` holds the elements of the memref `value`."""
        self._buffers[value] = buffer


class _Inside:
    def __init__(self, lowering: Lowering, block: Block):
        self.build = lowering.build
        self.block = block
        self.outer = lowering.build.block

    def __enter__(self) -> None:
        self.build.block = self.block

    def __exit__(self, *_: object) -> None:
        self.build.block = self.outer
