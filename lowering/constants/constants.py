"""Constants behind an operand of a nest: their numbers, and others in their place."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys, task_keys
from ...dialects.pool import keys
from ...dialects.task import NestOp

Numbers = npt.NDArray[np.int32]
PACKED, SCALED = "packed", "scaled"
"""Words for constants in the place of others. What is scaled is packed later, and loses the word."""
_SCALED = re.compile(rf"_{SCALED}(_\d+)?$")
Elements: TypeAlias = npt.NDArray[np.int32 | np.int16 | np.int8]


@dataclass(frozen=True)
class Use:
    """One place where a constant becomes what a nest reads."""

    get: memref.GetGlobalOp
    user: Operation
    """The call that passes it, or the operation itself if the nest's function reads it directly."""
    view: memref.ReinterpretCastOp | None = None
    """View that gives the constant another shape before it is passed."""


class Constants:
    """The constants of one module, in which nobody else adds calls, or reads of constants, meanwhile."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._made: dict[tuple[str, bytes, tuple[int, ...]], memref.GlobalOp] = {}

    @cached_property
    def _calls_of(self) -> Mapping[str, Sequence[func.CallOp]]:
        """The calls of every function, by its name: to look for them once is most of what constants cost."""
        found = defaultdict[str, list[func.CallOp]](list)
        for op in _outside_tasks(self._module):
            if isinstance(op, func.CallOp):
                found[op.callee.string_value()].append(op)
        return found

    @cached_property
    def _gets_of(self) -> Mapping[str, set[memref.GetGlobalOp]]:
        """The reads of every constant, by its name."""
        found = defaultdict[str, set[memref.GetGlobalOp]](set)
        for op in _outside_tasks(self._module):
            if isinstance(op, memref.GetGlobalOp):
                found[op.name_.string_value()].add(op)
        return found

    @cached_property
    def _globals(self) -> dict[str, memref.GlobalOp]:
        """The constants, by their names."""
        return {op.sym_name.data: op for op in self._module.ops if isinstance(op, memref.GlobalOp)}

    @cached_property
    def _functions(self) -> frozenset[str]:
        return frozenset(op.sym_name.data for op in self._module.ops if isinstance(op, func.FuncOp))

    def uses(self, operand: SSAValue) -> list[Use] | None:
        """Return the origins of an operand of a nest; None if not always from a constant of integers whose place is
        free.

        Elements that `pool.parts` of a call speaks of stay where they are.
        """
        found: list[Use] = []
        if isinstance(operand.owner, memref.GetGlobalOp):
            found.append(Use(operand.owner, operand.owner))
        elif isinstance(operand, BlockArgument):
            calls = self._calls(operand)
            if not calls:
                return None
            for call in calls:
                if any(part.part.data == operand.index for part in keys.PARTS.get(call.attributes) or ()):
                    return None
                passed, view = call.arguments[operand.index].owner, None
                if isinstance(passed, memref.ReinterpretCastOp):
                    passed, view = passed.source.owner, passed
                if not isinstance(passed, memref.GetGlobalOp) or (view is not None and not _is_reshape(view)):
                    return None
                found.append(Use(passed, call, view))
        return found if found and all(self._global(use.get) is not None for use in found) else None

    def uses_of_nest(self, nest: NestOp, operands: Sequence[SSAValue]) -> tuple[Sequence[Use], ...] | None:
        """Return the origins of several operands; None unless all are constants of as many places, for a nest alone."""
        found = [self.uses(operand) for operand in operands]
        uses = tuple(each for each in found if each is not None)
        is_own = all(use.operation is nest for operand in operands for use in operand.uses)
        return uses if is_own and len(uses) == len(found) and len({*map(len, uses)}) == 1 else None

    def values(self, use: Use) -> npt.NDArray[np.int64]:
        """The numbers of a constant, in its shape; integers as they lie in memory, with their sign."""
        op = self._global(use.get)
        assert op is not None, "uses are of constants"
        assert isinstance(op.initial_value, DenseIntOrFPElementsAttr), "constants of integers are dense"
        element = op.initial_value.get_element_type()
        assert isinstance(element, IntegerType), "uses are of constants of integers"
        stored = np.frombuffer(op.initial_value.data.data, f"<i{max(1, element.width.data // 8)}")
        shape = op.initial_value.get_shape()
        if use.view is not None:
            assert isinstance(use.view.result.type, MemRefType), "views are memrefs"
            stored, shape = np.broadcast_to(stored, math.prod(shape)), use.view.result.type.get_shape()
        return (np.broadcast_to(stored, shape) if stored.size == 1 else stored.reshape(shape)).astype(np.int64)

    def replace(
        self,
        operand: SSAValue,
        uses: Sequence[Use],
        numbers: Sequence[Elements],
        suffix: str = PACKED,
        layout: str | None = None,
    ) -> SSAValue:
        """Put constants in the place of those behind an operand, whose type becomes theirs; returns the new operand.

        `suffix` ends their names, and `layout` says the order of their numbers where that is not the old one.
        Numbers of eight bits are elements of type i8, with or without sign, those of 16 are i16, and others i32.
        """
        replaced = operand
        for use, made in zip(uses, numbers, strict=True):
            new = self._get(use, made, suffix, layout).memref
            if use.user is use.get:
                use.get.memref.replace_all_uses_with(replaced := new)
            else:
                assert isinstance(operand, BlockArgument), "constants are passed to arguments"
                use.user.operands[operand.index] = new
        if isinstance(operand, BlockArgument):
            passed = uses[0].user.operands[operand.index]
            replaced = Rewriter.replace_value_with_new_type(operand, passed.type)
            _update_type(operand.block)
        for use in uses:
            self._drop(use)
        return replaced

    def put(
        self,
        operand: SSAValue,
        uses: Sequence[Use],
        numbers: Sequence[Elements],
        suffix: str,
        layout: str | None = None,
    ) -> SSAValue:
        """Like `replace` where one operation alone reads what is behind an operand, else like `add`."""
        if operand.has_one_use():
            return self.replace(operand, uses, numbers, layout=layout)
        return self.add(operand, uses, numbers, suffix)

    def add(self, operand: SSAValue, uses: Sequence[Use], numbers: Sequence[Elements], suffix: str) -> SSAValue:
        """Pass further constants beside those behind an operand; returns the value to read them from."""
        gets = [self._get(use, made, suffix, None, is_further=True) for use, made in zip(uses, numbers, strict=True)]
        if not isinstance(operand, BlockArgument):
            return gets[0].memref
        block = operand.block
        argument = block.insert_arg(gets[0].memref.type, len(block.args))
        argument.name_hint = suffix
        for use, get in zip(uses, gets, strict=True):
            use.user.operands = [*use.user.operands, get.memref]
        _update_type(block)
        return argument

    def remove(self, operand: SSAValue, uses: Sequence[Use]) -> None:
        """Pass the constants behind an operand that nothing reads any more no longer."""
        if isinstance(operand, BlockArgument):
            block, number = operand.block, operand.index
            for use in uses:
                use.user.operands = [*use.user.operands[:number], *use.user.operands[number + 1 :]]
            block.erase_arg(operand)
            _update_type(block)
        for use in uses:
            self._drop(use)

    def _calls(self, argument: BlockArgument) -> Sequence[func.CallOp]:
        function = argument.block.parent_op()
        if not isinstance(function, func.FuncOp) or function.sym_visibility != StringAttr("private"):
            return ()
        return self._calls_of.get(function.sym_name.data, ())

    def _global(self, get: memref.GetGlobalOp) -> memref.GlobalOp | None:
        found = self._globals.get(get.name_.string_value())
        if found is None or found.constant is None:
            return None
        value = found.initial_value
        integers = isinstance(value, DenseIntOrFPElementsAttr) and isinstance(value.get_element_type(), IntegerType)
        return found if integers else None

    def _get(
        self, use: Use, numbers: Elements, suffix: str, layout: str | None, *, is_further: bool = False
    ) -> memref.GetGlobalOp:
        old = self._global(use.get)
        assert old is not None, "uses are of constants"
        key = (old.sym_name.data, numbers.tobytes(), (numbers.itemsize, *numbers.shape))
        # What was made may have been packed again, and be gone.
        if key not in self._made or self._made[key].parent is None:
            self._made[key] = self._made_global(old, numbers, suffix, is_further=is_further)
            if layout is not None:
                task_keys.LAYOUT.put(self._made[key].attributes, layout)
        op = self._made[key]
        get = memref.GetGlobalOp(op.sym_name.data, op.type)
        get.memref.name_hint = use.get.memref.name_hint
        assert use.get.parent is not None, "it is inside a function"
        use.get.parent.insert_ops_after([get], use.get)
        self._gets_of[op.sym_name.data].add(get)
        return get

    def _made_global(
        self, old: memref.GlobalOp, numbers: Elements, suffix: str, *, is_further: bool
    ) -> memref.GlobalOp:
        element = IntegerType(8 * numbers.itemsize)
        type = TensorType(element, numbers.shape)
        little = numbers.astype(numbers.dtype.newbyteorder("<"))
        data = DenseIntOrFPElementsAttr(type, BytesAttr(little.tobytes()))
        given_name = _SCALED.sub("", old.sym_name.data)
        if suffix != PACKED and not is_further:
            given_name = given_name.removesuffix(f"_{PACKED}")
        name = self._fresh(f"{given_name}_{suffix}")
        made = memref.GlobalOp.get(
            StringAttr(name),
            MemRefType(element, numbers.shape),
            data,
            StringAttr("private"),
            old.constant,
        )
        made.attributes.update(old.attributes)
        task_keys.LAYOUT.remove(made.attributes)
        if is_further and (given := nn_keys.NAME.get(old.attributes)) is not None:
            nn_keys.NAME.put(made.attributes, f"{given}_{suffix}")
        Rewriter.insert_op(made, InsertPoint.after(old))
        self._globals[name] = made
        return made

    def _fresh(self, name: str) -> str:
        number, fresh = 0, name
        while fresh in self._globals or fresh in self._functions:
            number += 1
            fresh = f"{name}_{number}"
        return fresh

    def _drop(self, use: Use) -> None:
        """Erase what nothing uses any more."""
        get, view = use.get, use.view
        if view is not None and view.parent is not None and view.result.first_use is None:
            Rewriter.erase_op(view)
        if get.parent is None or get.memref.first_use is not None:
            return
        op, gets = self._global(get), self._gets_of[get.name_.string_value()]
        gets.discard(get)
        get.detach()
        get.erase()
        if op is not None and not gets:
            del self._globals[op.sym_name.data]
            op.detach()
            op.erase()


def _outside_tasks(op: Operation) -> Iterator[Operation]:
    """All operations inside of one, but for those in tasks, whose regions compute numbers alone."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                yield inner
                if inner.regions and not isinstance(inner, NestOp):
                    yield from _outside_tasks(inner)


def _is_reshape(view: memref.ReinterpretCastOp) -> bool:
    """Whether all elements are seen in their order, under another shape."""
    whole, seen = view.source.type, view.result.type
    assert isinstance(whole, MemRefType), "views are of memrefs"
    assert isinstance(seen, MemRefType), "views are memrefs"
    dense = isinstance(whole.layout, NoneAttr) and isinstance(seen.layout, NoneAttr)
    return dense and whole.has_static_shape() and whole.element_count() == seen.element_count()


def _update_type(block: Block) -> None:
    function = block.parent_op()
    assert isinstance(function, func.FuncOp), "arguments of functions are constants"
    function.update_function_type()
