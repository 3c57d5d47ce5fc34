"""How one call that only moves elements becomes views: parts lie in their whole, and nothing is left to do.

Parts that lie dense in the whole become `memref.view`s of its bytes, and functions do not notice. Others become strided
memrefs.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    MemRefType,
    ModuleOp,
    i8,
)
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....dialects.accesses import VIEWS, storage
from ....dialects.pool import keys
from ....dialects.pool.attributes import PartAttr
from ....dialects.pool.kinds import BufferKind
from ...byte_views import flat_bytes, made_of_bytes, view_at
from ..analysis.structure import element_size, size_of
from ..analysis.uses import Writers, dense_offset, is_whole, top_level, uses_through_views
from .copies import Copies
from .strided import Strided, in_shape, is_dense, strided_view


class Views:
    """Rewrites calls of the entry functions of one module."""

    def __init__(self, module: ModuleOp):
        self._writers = Writers(module)
        self._strided = Strided(module)
        self._copies = Copies(module)

    def replace(self, call: func.CallOp, *, copies: bool = False) -> bool:
        """Make views of the parts of a call, copy those that can be none, and remove the call.

        Says whether that was done: if any part could be a view, or all lie dense and `copies` asks for no more.
        """
        parts = keys.PARTS.get(call.attributes) or ()
        whole = _Whole.of(call, parts, self._writers)
        if whole is None:
            return False
        left = [part for part in parts if not self._place(call, whole, part)]
        if len(left) == len(parts) and not (copies and all(map(is_dense, parts))):
            return False
        for part in left:
            self._copy(call, whole, part)
        erase_with_views(call)
        return True

    def _place(self, call: func.CallOp, whole: _Whole, part: PartAttr) -> bool:
        """Let a part lie in the whole, if nothing is against it."""
        operand = call.operands[part.part.data]
        alloc = storage(operand).owner
        if not isinstance(alloc, memref.AllocOp) or alloc.parent is not call.parent or not is_whole(operand):
            return False
        is_free = keys.KIND.get(alloc.attributes) is BufferKind.ACTIVATION and not keys.SHARED.within(alloc.attributes)
        if not is_free or not whole.may_hold(alloc):
            return False
        if not self._is_settled(call, alloc, written_by_call=whole.is_read):
            return False
        if is_dense(part):
            whole.take_in(alloc, part)
            return True
        return self._take_in_strided(call, alloc, whole, part)

    def _take_in_strided(self, call: func.CallOp, alloc: memref.AllocOp, whole: _Whole, part: PartAttr) -> bool:
        """Let a part lie in the whole with gaps, if all that use it can have that."""
        made = [
            owner
            for owner in {o.owner: None for o in call.operands if storage(o) is alloc.memref}
            if isinstance(owner, VIEWS) and all(use.operation is call for use in owner.results[0].uses)
        ]
        others = [use for use in alloc.memref.uses if use.operation is not call and use.operation not in made]
        is_twice = sum(storage(operand) is alloc.memref for operand in call.operands) > 1
        if is_twice or not self._strided.is_possible(others, alloc.memref.type, part):
            return False
        view = strided_view(whole.vector(whole.before(alloc)), part, InsertPoint.before(alloc))
        view.name_hint = alloc.memref.name_hint
        self._strided.replace(others, view)
        call.operands[part.part.data] = view
        for cast in made:
            cast.detach()
            cast.erase()
        alloc.detach()
        alloc.erase()
        return True

    def _copy(self, call: func.CallOp, whole: _Whole, part: PartAttr) -> None:
        """Move a part that lies elsewhere."""
        point, operand = InsertPoint.before(call), call.operands[part.part.data]
        assert isinstance(operand.type, MemRefType), "parts are memrefs"
        if is_dense(part):
            inside = whole.region(part, operand.type, point)
        else:
            inside, operand = strided_view(whole.vector(point), part, point), in_shape(operand, part, point)
        source, target = (inside, operand) if whole.is_read else (operand, inside)
        Builder(point).insert(self._copies.of(call, source, target))

    def _is_settled(self, call: func.CallOp, alloc: memref.AllocOp, *, written_by_call: bool) -> bool:
        """Whether the part is written by the call alone, or never from the call on."""
        entry = call.parent_op()
        assert isinstance(entry, func.FuncOp), "calls of entry functions are looked at"
        writers = [use.operation for use in uses_through_views(alloc.memref) if self._writers.is_write(use)]
        if written_by_call:
            return all(writer is call for writer in writers)
        return all(top_level(writer, entry).is_before_in_block(call) for writer in writers)


class _Whole:
    """The buffer that parts lie in."""

    def __init__(self, call: func.CallOp, value: SSAValue, root: SSAValue, *, is_read: bool):
        self._call = call
        self._value = value
        self._root = root
        self.is_read = is_read
        """Whether the call takes parts out of it, instead of putting them together."""

    @staticmethod
    def of(call: func.CallOp, parts: Sequence[PartAttr], writers: Writers) -> _Whole | None:
        """The whole of a call's parts; None if parts cannot lie in it."""
        number = parts[0].whole.data if parts else 0
        value = call.operands[number]
        root, entry = storage(value), call.parent_op()
        if not parts or dense_offset(value) is None or not isinstance(entry, func.FuncOp):
            return None
        if isinstance(root.owner, memref.AllocOp):
            if keys.KIND.get(root.owner.attributes) is BufferKind.STATE or root.owner.parent is not call.parent:
                return None
        elif not isinstance(root, BlockArgument):
            return None
        written = [use.operation for use in uses_through_views(root) if writers.is_write(use)]
        is_read = call not in written
        if is_read and not all(top_level(writer, entry).is_before_in_block(call) for writer in written):
            return None
        if not is_read and (any(writer is not call for writer in written) or not is_whole(value)):
            return None
        return _Whole(call, value, root, is_read=is_read)

    def may_hold(self, alloc: memref.AllocOp) -> bool:
        """Whether a buffer may lie in this one: the same pools are open to both."""
        owner = self._root.owner
        if not isinstance(owner, memref.AllocOp):
            return True
        if owner is alloc or (self.is_read and not owner.is_before_in_block(alloc)):
            return False
        return keys.CANDIDATES.get(owner.attributes) == keys.CANDIDATES.get(alloc.attributes)

    def before(self, alloc: memref.AllocOp) -> InsertPoint:
        """Where the whole and its views are to be so that they are there before a part."""
        owner = self._root.owner
        if isinstance(owner, memref.AllocOp) and not owner.is_before_in_block(alloc):
            owner.detach()
            Rewriter.insert_op(owner, InsertPoint.before(alloc))
        return InsertPoint.before(alloc)

    def take_in(self, alloc: memref.AllocOp, part: PartAttr) -> None:
        """Make a part's buffer a view of the whole's bytes."""
        point = self.before(alloc)
        type = alloc.memref.type
        assert isinstance(type, MemRefType), "buffers are memrefs"
        view = view_at(Builder(point), self._bytes(point), self._start(part), type, alloc.memref.name_hint)
        Rewriter.replace_op(alloc, [], [view])

    def vector(self, point: InsertPoint) -> SSAValue:
        """The elements of the whole in one dimension."""
        type = self._value.type
        assert isinstance(type, MemRefType), "buffers are memrefs"
        count = size_of(type) // element_size(type)
        start = dense_offset(self._value) or 0
        bytes_ = self._bytes(point)
        return view_at(Builder(point), bytes_, start, MemRefType(type.element_type, [count]), self._root.name_hint)

    def region(self, part: PartAttr, type: MemRefType, point: InsertPoint) -> SSAValue:
        """The bytes of a part that lies elsewhere, seen as `type`."""
        return view_at(Builder(point), self._bytes(point), self._start(part), type)

    def _start(self, part: PartAttr) -> int:
        """Where a part begins in the whole buffer, in bytes; buffers may be of bytes by now, but not operands."""
        type = self._value.type
        assert isinstance(type, MemRefType), "buffers are memrefs"
        return (dense_offset(self._value) or 0) + part.offset.data * element_size(type)

    def _bytes(self, point: InsertPoint) -> SSAValue:
        """The whole buffer as a vector of bytes; of a buffer of other elements the alloc is replaced."""
        type = self._root.type
        assert isinstance(type, MemRefType), "buffers are memrefs"
        alloc = self._root.owner
        if type.element_type == i8 or not isinstance(alloc, memref.AllocOp):
            return flat_bytes(Builder(point), self._root)
        self._root = made_of_bytes(alloc)
        alloc.detach()
        alloc.erase()
        return self._root


def erase_with_views(op: Operation) -> None:
    """Remove a call or copy, and views that were made for it alone."""
    views = list(op.operands)
    op.detach()
    op.erase()
    for view in dict.fromkeys(views):
        while isinstance(owner := view.owner, VIEWS) and not view.uses:
            view = owner.operands[0]
            owner.detach()
            owner.erase()
