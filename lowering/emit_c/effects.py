"""Effects of `emitc` operations: what they read and write, and so which of them may change places."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Set
from functools import cache

from xdsl.dialects.emitc import EmitC_AddOp, EmitC_ApplyOp, EmitC_CallOpaqueOp, EmitC_LValueType, EmitC_PointerType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import emitc
from ...dialects.operations import operations
from ...dialects.simd.instruction import functions_named
from ...targets.identifiers.library import reals_of

MEMORY = "memory"
"""Stands for everything that pointers may point to."""

Resource = SSAValue | str
"""A variable of which no pointer exists, or `MEMORY`."""

OPERATORS = (
    EmitC_AddOp,
    emitc.SubOp,
    emitc.MulOp,
    emitc.DivOp,
    emitc.RemOp,
    emitc.BitwiseAndOp,
    emitc.BitwiseOrOp,
    emitc.BitwiseXorOp,
    emitc.BitwiseNotOp,
    emitc.BitwiseLeftShiftOp,
    emitc.BitwiseRightShiftOp,
    emitc.CmpOp,
    emitc.CastOp,
    emitc.ConditionalOp,
    emitc.ConstantOp,
    emitc.LogicalAndOp,
    emitc.LogicalOrOp,
    emitc.LogicalNotOp,
    emitc.UnaryMinusOp,
    emitc.UnaryPlusOp,
)
"""Operations that compute a value from values."""

_PLACES = (emitc.SubscriptOp, emitc.GetGlobalOp, emitc.LiteralOp)
"""Operations that C writes where their result is used."""

_REMOVABLE = frozenset[type[Operation]]((*OPERATORS, *_PLACES, emitc.LoadOp))

_LOOPS = (emitc.ForOp, emitc.DoOp)
_OF_WORDS = frozenset(["signbit", *functions_named()])


@cache
def is_pure_function(name: str) -> bool:
    """Whether a function of C gives a number of numbers, and does nothing else that an operation sees.

    It is one of `<math.h>`, which may set `errno`, or of `simd` operations on words.
    """
    return name in _OF_WORDS or reals_of(name) is not None


def is_pure(function: emitc.FuncOp, pure: Set[str], read_only: Set[str]) -> bool:
    """True if the result depends on the arguments alone, and is all that calls of the function leave behind.

    `pure` names functions that are, `read_only` globals that nothing writes.
    """
    if any(isinstance(argument, EmitC_PointerType) for argument in function.function_type.inputs):
        return False
    for op in operations(function):
        match op:
            case emitc.CallOp():
                harmless = op.callee.string_value() in pure
            case EmitC_CallOpaqueOp():
                harmless = is_pure_function(op.callee.data)
            case emitc.GetGlobalOp():
                harmless = op.symbol_name in read_only
            case emitc.VerbatimOp():
                harmless = op.value.data.startswith("/*")
            case _:
                harmless = True
        if not harmless:
            return False
    return True


def is_removable(op: Operation) -> bool:
    """True if nothing but its result speaks for the operation."""
    return type(op) in _REMOVABLE or (isinstance(op, EmitC_CallOpaqueOp) and is_pure_function(op.callee.data))


class Effects:
    """Order of reads and writes in one function, as it was when this was made.

    Each operation has a position in its block; what happens in its regions happens there too.
    """

    def __init__(self, function: emitc.FuncOp, read_only: Set[str], pure: Set[str]):
        """`read_only` names the globals that nothing writes, `pure` the functions that `is_pure`."""
        self._read_only = read_only
        self._pure = pure
        self._positions: dict[Operation, int] = {}
        self._writes: dict[Block, dict[Resource, list[int]]] = {}
        self._touches: dict[Block, dict[Resource, list[int]]] = {}
        self._written_in: dict[Operation, Set[Resource]] = {}
        self._private: dict[SSAValue, bool] = {}
        for block in function.body.blocks:
            self._scan(block)

    def _scan(self, block: Block) -> tuple[set[Resource], set[Resource]]:
        writes: dict[Resource, list[int]] = defaultdict(list)
        touches: dict[Resource, list[int]] = defaultdict(list)
        for position, op in enumerate(block.ops):
            self._positions[op] = position
            written = set(self.writes(op))
            read = set(self.reads(op))
            if op.regions:
                for inner in (inner for region in op.regions for inner in region.blocks):
                    inner_written, inner_touched = self._scan(inner)
                    written |= inner_written
                    read |= inner_touched
                self._written_in[op] = written
            for resource in written:
                writes[resource].append(position)
            for resource in read | written:
                touches[resource].append(position)
        self._writes[block], self._touches[block] = writes, touches
        return set(writes), set(touches)

    def place(self, op: Operation, at: Operation) -> None:
        """Count the new operation `op` as standing where `at` stands."""
        self._positions[op] = self._positions[at]

    def position(self, op: Operation) -> int:
        """Position in its block."""
        return self._positions[op]

    def reads(self, op: Operation) -> Iterable[Resource]:
        """Return what an operation reads itself, its regions aside."""
        if isinstance(op, emitc.LoadOp):
            return self._resources(op.operands[0])
        if isinstance(op, emitc.ExpressionOp):
            lvalues = [value for value in op.operands if isinstance(value.type, EmitC_LValueType)]
            return [resource for value in lvalues for resource in self._resources(value)]
        return self.writes(op)

    def writes(self, op: Operation) -> Iterable[Resource]:
        """Return what an operation writes itself, its regions aside."""
        if type(op) in _REMOVABLE:
            return ()
        if isinstance(op, emitc.AssignOp):
            return self._resources(op.var)
        if self.is_call(op) or isinstance(op, emitc.VerbatimOp | EmitC_ApplyOp):
            return (MEMORY,)
        return ()

    def may_move(self, op: Operation, position: int, aside: Set[int] = frozenset()) -> bool:
        """True if the operation may as well happen at a later position of its block.

        What happens at the positions `aside` moves along, and stays behind it.
        """
        start, block = self._positions[op], op.parent
        assert block is not None, "an operation in a function stands in a block"
        return not (
            any(_between(self._writes[block], read, start, position, aside) for read in self.reads(op))
            or any(_between(self._touches[block], write, start, position, aside) for write in self.writes(op))
        )

    def is_call(self, op: Operation) -> bool:
        """True for calls that may do anything to memory."""
        if isinstance(op, EmitC_CallOpaqueOp):
            return not is_pure_function(op.callee.data)
        return isinstance(op, emitc.CallOp) and op.callee.string_value() not in self._pure

    def still_holds(self, load: emitc.LoadOp, user: Operation) -> bool:
        """True if loading at `user`, later and maybe in an inner block, gives the same value."""
        home = load.parent
        resources = list(self.reads(load))
        while (block := user.parent) is not home:
            assert block is not None, "a value is used in the block that defines it, or in an inner one"
            parent = block.parent_op()
            assert parent is not None, "an inner block belongs to an operation"
            for resource in resources:
                if _between(self._writes[block], resource, -1, self._positions[user]):
                    return False
                if isinstance(parent, _LOOPS) and resource in self._written_in[parent]:
                    return False
            user = parent
        return self.may_move(load, self._positions[user])

    def is_private(self, variable: SSAValue) -> bool:
        """True for a local variable or array to which there are no pointers."""
        private = self._private.get(variable)
        if private is None:
            private = isinstance(variable.owner, emitc.VariableOp) and all(
                isinstance(use.operation, emitc.LoadOp | emitc.ExpressionOp)
                or (isinstance(use.operation, emitc.AssignOp | emitc.SubscriptOp) and use.index == 0)
                for use in variable.uses
            )
            self._private[variable] = private
        return private

    def _resources(self, place: SSAValue) -> tuple[Resource, ...]:
        """Return the memory behind an lvalue; nothing for constants."""
        owner = place.owner
        base = owner.operands[0] if isinstance(owner, emitc.SubscriptOp) else place
        if isinstance(base.owner, emitc.GetGlobalOp) and base.owner.symbol_name in self._read_only:
            return ()
        return (base,) if self.is_private(base) else (MEMORY,)


def _between(
    table: dict[Resource, list[int]], resource: Resource, start: int, end: int, aside: Set[int] = frozenset()
) -> bool:
    positions = table.get(resource)
    if positions is None:
        return False
    index = bisect_right(positions, start)
    while index < len(positions) and positions[index] < end:
        if positions[index] not in aside:
            return True
        index += 1
    return False
