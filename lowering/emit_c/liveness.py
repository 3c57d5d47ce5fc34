"""Is a value still needed? Asked of structured control flow, one value and one operation at a time."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, SSAValue

_LOOPS = (scf.ForOp, scf.WhileOp)


class Liveness:
    """Answers for one module that does not change meanwhile."""

    def __init__(self) -> None:
        self._positions: dict[Block, dict[Operation, int]] = {}

    def is_live(self, value: SSAValue, op: Operation, *, inside: bool) -> bool:
        """True if a use of `value` may run after `op` has read its operands; `inside`, in its regions too."""
        home = value.owner if isinstance(value.owner, Block) else value.owner.parent
        if home is None or not home.is_ancestor(op):
            return False
        own_uses = sum(use.operation is op for use in value.uses)
        if own_uses > 1 and inside:
            return True
        return any(use.operation is not op and self._may_follow(home, op, use.operation, inside) for use in value.uses)

    def _may_follow(self, home: Block, op: Operation, user: Operation, inside: bool) -> bool:
        ancestors: dict[Block, Operation] = {}
        ancestor: Operation | None = op
        while ancestor is not None and (block := ancestor.parent) is not None:
            ancestors[block] = ancestor
            ancestor = block.parent_op()
        operand_of, block = user, user.parent
        while block is not None and block not in ancestors:
            parent = block.parent_op()
            assert parent is not None, "an operation and its operand's users share a block"
            user, block = parent, parent.parent
        assert block is not None, "an operation and its operand's users share a block"
        enclosing = ancestors[block]
        if enclosing is user:
            # Its operands are read already. Its regions may follow: those of `op` itself, or another one of a loop.
            if operand_of is not user and (inside if user is op else isinstance(user, _LOOPS)):
                return True
        elif self._position(user) > self._position(enclosing):
            return True
        return self._in_loop(block, home)

    @staticmethod
    def _in_loop(block: Block | None, outermost: Block | None) -> bool:
        """True if `block` is repeated while `outermost` runs once: then what stands above runs again below."""
        while block is not None and block is not outermost:
            parent = block.parent_op()
            if isinstance(parent, _LOOPS):
                return True
            block = None if parent is None else parent.parent
        return False

    def _position(self, op: Operation) -> int:
        block = op.parent
        assert block is not None, "an operation in a function stands in a block"
        positions = self._positions.get(block)
        if positions is None:
            positions = self._positions[block] = {other: index for index, other in enumerate(block.ops)}
        return positions[op]
