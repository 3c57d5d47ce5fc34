"""The pass `form-expressions`: single operations become the expressions that a programmer would write.

A value that is used once moves into its use, together with the values that are used once to compute it, as an
`emitc.expression`; literals and local variables are written wherever they are used. Nothing is computed twice, nothing
changes places with an operation that it might interfere with.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp, Signedness, StringAttr
from xdsl.dialects.emitc import EmitC_CallOpaqueOp, EmitC_OpaqueAttr, EmitC_PointerType
from xdsl.ir import Block, Operation, Region, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import emitc
from ...dialects.emitc.literal_width import literals, must_widen, wide_literal
from ...dialects.operations import all_of, operations
from .effects import OPERATORS, Effects, is_pure, is_removable
from .expression_width import Widths

_SUM = "simd_dual_multiply_add"
_MEMBERS = frozenset[type[Operation]]((*OPERATORS, emitc.LoadOp, emitc.CallOp, EmitC_CallOpaqueOp))


def form_expressions(function: emitc.FuncOp, read_only: Set[str] = frozenset(), pure: Set[str] = frozenset()) -> None:
    """Form the expressions of one function.

    `read_only` names the globals that nothing writes, `pure` the functions that `effects.is_pure`.
    """
    _remove_dead(function)
    _pass_sums_on_at_once(function)
    effects = Effects(function, read_only, pure)
    _load_where_used(function, effects)
    _remove_self_assignments(function, effects)
    _repeat_literals(function, effects)
    for block in [
        block
        for op in operations(function)
        if op.regions and not _is_expression(op)
        for region in op.regions
        for block in region.blocks
    ]:
        _BlockExpressions(block, effects).form()
    _widen_literals(function)


@dataclass(frozen=True)
class FormExpressionsPass(ModulePass):
    """Gather `emitc` operations into `emitc.expression`s."""

    name: ClassVar[str] = "form-expressions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        globals = all_of(op, emitc.GlobalOp)
        read_only = {child.sym_name.data for child in globals if child.const_specifier is not None}
        pure: set[str] = set()
        for function in all_of(op, emitc.FuncOp):
            if function.body.blocks:
                form_expressions(function, read_only, pure)
                if is_pure(function, pure, read_only):
                    pure.add(function.sym_name.data)


class _BlockExpressions:
    """Decides which operations of a block form trees, then builds an expression of each."""

    def __init__(self, block: Block, effects: Effects):
        self._effects = effects
        self._members = [op for op in block.ops if _is_member(op)]
        self._root: dict[Operation, Operation] = {}
        """The operation whose result is the value of the tree that an operation is in."""
        self._place: dict[Operation, Operation] = {}
        """The operation before which the expression of a root will stand."""
        self._end: dict[Operation, int] = {}
        """The position where the value of a root is computed at the latest."""
        self._users: dict[Operation, frozenset[int]] = {}
        """Positions before that end of operations that the value of a root is an argument of."""
        self._named: set[Operation] = set()
        """Roots that get a variable although they are used once."""

    def form(self) -> None:
        for op in reversed(self._members):
            self._join(op)
        self._split_long_lines()
        trees: dict[Operation, list[Operation]] = {}
        for op in self._members:
            trees.setdefault(self._root[op], []).append(op)
        for op in self._members:
            if self._root[op] is op:
                self._build(op, trees[op])

    def _join(self, op: Operation) -> None:
        """Put an operation into the tree of its only user, or make it a root."""
        user = None if _is_added_to(op) else _only_user(op)
        root = op if user is None else self._root.get(user, op)
        if user is not None and root is not op and self._may_wait(op, user, root):
            self._root[op] = root
            return
        self._root[op] = self._place[op] = op
        self._end[op] = self._effects.position(op)
        self._users[op] = frozenset()
        if user is None or root is not op:
            return
        if isinstance(user, emitc.SubscriptOp):
            # C computes an index where the element is read or written. Pointers get names, or have those of variables.
            is_name = isinstance(op, emitc.LoadOp) and self._effects.is_private(op.operand)
            if is_name or user.value is not op.results[0]:
                self._await_element(op, user)
        elif self._effects.may_move(op, self._effects.position(user)):
            self._place[op] = user
            self._end[op] = self._effects.position(user)

    def _may_wait(self, op: Operation, user: Operation, root: Operation) -> bool:
        """True if the operation may as well happen where the value of `root` is used."""
        end = self._end[root]
        if self._effects.may_move(op, end):
            return True
        return self._effects.may_move(op, end, self._positions_up_to(root, user) | self._users[root])

    def _positions_up_to(self, root: Operation, user: Operation) -> frozenset[int]:
        """Whatever a value is an argument of, from `user` to `root`, comes after it in any case."""
        positions = {self._effects.position(user)}
        while user is not root and (next_user := _only_user(user)) is not None:
            user = next_user
            positions.add(self._effects.position(user))
        return frozenset(positions)

    def _await_element(self, index: Operation, subscript: emitc.SubscriptOp) -> None:
        """Write the root `index` into a subscript, if it may happen as late as the use of the element."""
        reader = _only_user(subscript)
        if reader is None:
            return
        root = self._root.get(reader)
        end = self._effects.position(reader) if root is None else self._end[root]
        users = frozenset[int]() if root is None else self._positions_up_to(root, reader) | self._users[root]
        if self._effects.may_move(index, end, users):
            self._place[index] = subscript
            self._end[index] = end
            self._users[index] = users

    def _split_long_lines(self) -> None:
        """Give names to parts of trees that would make a line too long, the longest part first."""
        widths = Widths()
        for op in self._members:
            for part in widths.add(op, folded=self._root[op] is not op or self._is_written_in_use(op)):
                if self._root[part] is not part:
                    self._place[part] = self._place[self._root[part]]
                self._root[part] = part
                self._named.add(part)
        for op in reversed(self._members):
            if self._root[op] is not op:
                user = _only_user(op)
                assert user is not None, "an operation is in the tree of its only user"
                self._root[op] = self._root[user]

    def _is_written_in_use(self, op: Operation) -> bool:
        return self._place[op] is not op

    def _build(self, root: Operation, tree: list[Operation]) -> None:
        """Move the operations of a tree into an expression that stands at the root's place."""
        result = root.results[0]
        place = self._place[root]
        inline = place is not root and root not in self._named
        if len(tree) == 1 and place is root:
            return
        if isinstance(place, emitc.ForOp) and any(self._is_effectful(op) for op in tree):
            # C evaluates the bound of a loop in every round.
            inline = False
        inside = set(tree)
        operands = list(dict.fromkeys(value for op in tree for value in op.operands if value.owner not in inside))
        block = Block(arg_types=[value.type for value in operands])
        arguments = dict(zip(operands, block.args, strict=True))
        for operand, argument in arguments.items():
            argument.name_hint = operand.name_hint
        expression = emitc.ExpressionOp(operands, Region(block), result.type, do_not_inline=not inline)
        home = place.parent
        assert home is not None, "an expression stands in a block"
        home.insert_op_before(expression, place)
        result.replace_all_uses_with(expression.result)
        expression.result.name_hint = result.name_hint
        for op in tree:
            op.detach()
            if not arguments.keys().isdisjoint(op.operands):
                op.operands = [arguments.get(value, value) for value in op.operands]
            block.add_op(op)
        block.add_op(emitc.YieldOp(result))

    def _is_effectful(self, op: Operation) -> bool:
        return self._effects.is_call(op) or any(True for _ in self._effects.reads(op))


def _is_member(op: Operation) -> bool:
    # A call whose result nobody wants is a statement.
    return type(op) in _MEMBERS and len(op.results) == 1 and op.results[0].first_use is not None


def _is_added_to(op: Operation) -> bool:
    """Whether further products of lanes are added to one: it stands where it is, else its factors live on till then."""
    user = _only_user(op)
    return user is not None and _is_sum(op) and _is_sum(user) and user.operands[-1] is op.results[0]


def _is_sum(op: Operation | Block) -> bool:
    return isinstance(op, EmitC_CallOpaqueOp) and op.callee.data == _SUM


def _pass_sums_on_at_once(function: emitc.FuncOp) -> None:
    """Assign sums of products of lanes where they are made: at the end of a round compilers make them together there.

    Then the factors of all of them live on till then. What is written to memory stays where it is: its place may be
    computed later than the sum, and others may read there before.
    """
    assignments = [op for op in all_of(function, emitc.AssignOp) if _is_sum(op.value.owner)]
    for op in [op for op in assignments if isinstance(op.var.owner, emitc.VariableOp)]:
        made, between = op.value.owner, op.prev_op
        while between is not None and between is not made and not _mentions(between, op.var):
            between = between.prev_op
        if isinstance(made, Operation) and between is made:
            op.detach()
            Rewriter.insert_op(op, InsertPoint.after(made))


def _mentions(op: Operation, variable: SSAValue) -> bool:
    return any(operand is variable for inner in operations(op) for operand in inner.operands)


def _is_expression(op: Operation) -> bool:
    return isinstance(op, emitc.ExpressionOp) or isinstance(op.parent_op(), emitc.ExpressionOp)


def _only_user(op: Operation) -> Operation | None:
    """The operation that uses the result, if it is used once and in the same block."""
    use = op.results[0].get_unique_use()
    return None if use is None or use.operation.parent is not op.parent else use.operation


def _remove_dead(function: emitc.FuncOp) -> None:
    """Remove variables that are never read, and values that are never used."""
    removed = True
    while removed:
        removed = False
        for op in reversed(operations(function)):
            if isinstance(op, emitc.VariableOp):
                writes = _writes(op.result)
                if writes is not None:
                    for write in writes:
                        Rewriter.erase_op(write)
                        removed = True
                    Rewriter.erase_op(op)
            elif is_removable(op) and op.parent is not None and not any(result.first_use for result in op.results):
                Rewriter.erase_op(op)


def _writes(place: SSAValue) -> list[Operation] | None:
    """The operations that a variable or array is written by, places in it last; None if anything else uses it."""
    assignments: list[Operation] = []
    places: list[Operation] = []
    for use in place.uses:
        if isinstance(use.operation, emitc.AssignOp) and use.index == 0:
            assignments.append(use.operation)
        elif isinstance(use.operation, emitc.SubscriptOp) and use.index == 0:
            inner = _writes(use.operation.result)
            if inner is None:
                return None
            assignments += inner
            places.append(use.operation)
        else:
            return None
    return assignments + places


def _remove_self_assignments(function: emitc.FuncOp, effects: Effects) -> None:
    """Remove `x = x;`, which is left where a value comes back to the variable that held it all along."""
    for op in operations(function):
        load = op.value.owner if isinstance(op, emitc.AssignOp) else None
        if not isinstance(op, emitc.AssignOp) or not isinstance(load, emitc.LoadOp) or load.operand is not op.var:
            continue
        if effects.is_private(op.var) and effects.still_holds(load, op):
            Rewriter.erase_op(op)
    _remove_dead(function)


def _load_where_used(function: emitc.FuncOp, effects: Effects) -> None:
    """Read local variables at each use instead of copying them."""
    for op in operations(function):
        if not isinstance(op, emitc.LoadOp) or not effects.is_private(op.operands[0]) or _only_user(op) is not None:
            continue
        if isinstance(op.result.type, EmitC_PointerType):
            # C indexes a pointer by its name.
            continue
        for use in list(op.result.uses):
            if effects.still_holds(op, use.operation):
                _insert(op.clone(), op, use, effects)
        if not op.result.uses:
            Rewriter.erase_op(op)


def _repeat_literals(function: emitc.FuncOp, effects: Effects) -> None:
    """Write literals wherever they are used: as constants in expressions, as bare text in statements."""
    for op in operations(function):
        if isinstance(op, emitc.ConstantOp) and not _is_expression(op):
            for use in list(op.result.uses):
                literal = None if _is_member(use.operation) else _literal(op)
                _insert(op.clone() if literal is None else literal, op, use, effects)
            Rewriter.erase_op(op)


def _widen_literals(function: emitc.FuncOp) -> None:
    """Spell constants with their width where C would compute in a narrower type than the IR."""

    def is_named(value: SSAValue) -> bool:
        return isinstance(value.owner, emitc.ExpressionOp) and value.owner.do_not_inline is not None

    for op in operations(function):
        if not must_widen(op, is_named):
            continue
        for constant in literals(op.operands[0]):
            value, type = constant.value, constant.result.type
            assert isinstance(value, IntegerAttr), "a literal that C gives a type is an integer"
            assert isinstance(type, IntegerType), "a literal that C gives a type is an integer"
            text = StringAttr(wide_literal(value.value.data, type))
            constant.properties["value"] = EmitC_OpaqueAttr(text)


def _literal(op: emitc.ConstantOp) -> emitc.LiteralOp | None:
    """The constant as text, if it is an integer that C writes like everybody."""
    value, type = op.value, op.result.type
    if not isinstance(value, IntegerAttr) or not isinstance(type, IntegerType):
        return None
    number, width = value.value.data, type.width.data
    if width == 1:
        return emitc.LiteralOp("true" if number else "false", type)
    # Wider and unsigned ones have suffixes; the smallest of 32 bits has a minus in front of a number out of range.
    plain = width <= 32 and type.signedness.data is not Signedness.UNSIGNED and number > -(2**31)
    return emitc.LiteralOp(str(number), type) if plain else None


def _insert(copy: Operation, op: Operation, use: Use, effects: Effects) -> None:
    """Put a copy of an operation in front of one use of it, which is one of the copy then."""
    user = use.operation
    copy.results[0].name_hint = op.results[0].name_hint
    block = user.parent
    assert block is not None, "a user of a value stands in a block"
    block.insert_op_before(copy, user)
    effects.place(copy, user)
    user.operands[use.index] = copy.results[0]
