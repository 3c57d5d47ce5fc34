"""Parts of operations, blocks and values are read without detours.

xDSL 0.74 reads `op.lhs` by five calls of Python and each step along a block by three: a tenth of a compilation. Here
the same is read by one, or by none where a property only gives an attribute.
"""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable, Generator
from operator import attrgetter
from typing import Any

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue, SSAValues, Use
from xdsl.ir.core import BlockOps, IRWithName, OpOperands, RegionBlocks
from xdsl.irdl.operations import BaseAccessor, BaseAttrAccessor, BeforeVariadicSingleAccessor, VarIRConstruct

_SIZES = "_sizes"
"""Where an attribute remembers the sizes of segments that it stands for."""
_element = tuple.__getitem__
_OPERAND, _RESULT, _REGION = VarIRConstruct.OPERAND, VarIRConstruct.RESULT, VarIRConstruct.REGION

_PROPERTIES: tuple[tuple[type, str, str], ...] = (
    (Block, "args", "_args"),
    (Block, "first_op", "_first_op"),
    (Block, "last_op", "_last_op"),
    (Block, "next_block", "_next_block"),
    (Block, "parent_node", "parent"),
    (BlockArgument, "owner", "block"),
    (OpResult, "owner", "op"),
    (IRWithName, "name_hint", "_name"),
    (Operation, "next_op", "_next_op"),
    (Operation, "parent_node", "parent"),
    (Operation, "prev_op", "_prev_op"),
    (Region, "first_block", "_first_block"),
    (Region, "last_block", "_last_block"),
    (Region, "parent_node", "parent"),
    (SSAValue, "type", "_type"),
    (Use, "index", "_index"),
    (Use, "operation", "_operation"),
)
"""Properties that give an attribute, by their class."""


def _held(op: Operation, construct: VarIRConstruct) -> Any:
    """What an operation has of one kind of parts."""
    if construct is _OPERAND:
        return op._operands
    if construct is _RESULT:
        return op.results
    return op.regions if construct is _REGION else op._successors


def _part(self: BaseAccessor, obj: Operation, objtype: type | None = None) -> Any:
    return self.index(_held(obj, self.construct))


def _one_part(self: BeforeVariadicSingleAccessor, obj: Operation, objtype: type | None = None) -> Any:
    construct = self.construct
    if construct is _OPERAND:
        return _element(obj._operands, self.idx)
    return _element(obj.results if construct is _RESULT else _held(obj, construct), self.idx)


def _segment(self: BaseAttrAccessor, obj: Operation, objtype: type | None = None) -> Any:
    sizes: Any = self.option.container(obj)[self.option.attribute_name]
    values = getattr(sizes, _SIZES, None)
    if values is None:
        values = sizes.get_values()
        # An attribute never changes, and it is equal to others by its parameters alone.
        object.__setattr__(sizes, _SIZES, values)
    return self.index(values, _held(obj, self.construct))


def _value(self: SSAValues, idx: int | slice) -> Any:
    found = _element(self, idx)
    return SSAValues(found) if found.__class__ is tuple else found


def _operand(self: OpOperands, idx: int | slice) -> Any:
    found = _element(self._op._operands, idx)
    return SSAValues(found) if found.__class__ is tuple else found


def _operations(op: Operation | None) -> Generator[Operation]:
    """An operation and those after it; the next one is read before the operation is given."""
    while op is not None:
        following = op._next_op
        yield op
        op = following


def _blocks(block: Block | None) -> Generator[Block]:
    while block is not None:
        following = block._next_block
        yield block
        block = following


def _operations_of(self: BlockOps) -> Any:
    return _operations(self.block._first_op)


def _blocks_of(self: RegionBlocks) -> Any:
    return _blocks(self._region._first_block)


def _parent_op(self: Operation) -> Operation | None:
    block = self.parent
    region = None if block is None else block.parent
    return None if region is None else region.parent


def _reads(kind: type, name: str, read: Callable[[Any], Any]) -> None:
    """Let a property of a class be read by a function; what sets it stays."""
    before = getattr(kind, name)
    made = property(read, before.fset, doc=before.__doc__)
    setattr(kind, name, made)
    # Only a property that was told its name has it in errors.
    made.__set_name__(kind, name)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


for _kind, _name, _attribute in _PROPERTIES:
    _reads(_kind, _name, attrgetter(_attribute))
_reads(Operation, "operands", OpOperands)
BaseAccessor.__get__ = _part
BeforeVariadicSingleAccessor.__get__ = _one_part
BaseAttrAccessor.__get__ = _segment
SSAValues.__getitem__ = _value
OpOperands.__getitem__ = _operand
BlockOps.__iter__ = _operations_of
RegionBlocks.__iter__ = _blocks_of
Operation.parent_op = _parent_op
