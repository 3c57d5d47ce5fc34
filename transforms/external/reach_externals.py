"""The pass `reach-externals`: buffers of external functions lie where their devices reach them, aligned as they ask.

It stands before the planner learns which pools there are to choose from: what a function asks for becomes candidates
and alignments of the buffers that it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import PassFailedException

from ...dialects import nn_keys
from ...dialects.accesses import storage
from ...dialects.external import BufferOp
from ...dialects.operations import all_of
from ...dialects.pool import keys
from ...dialects.pool.attributes import Kind
from ...dialects.pool.declare import DeclareOp
from ..usmp.analysis.structure import buffer_name, functions, is_entry, pools
from ..usmp.placing.align import align

Root = memref.AllocOp | memref.GlobalOp | BlockArgument
"""Kind of a buffer: planned, a constant, or the caller's."""


@dataclass(frozen=True)
class ReachExternalsPass(ModulePass):
    """Pin and align the buffers of external functions."""

    name: ClassVar[str] = "reach-externals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        declared = pools(op)
        found = _Roots(op)
        for external in all_of(op, BufferOp):
            wishes = external.wishes
            for name in wishes.pools:
                if name not in declared:
                    listed = ", ".join(f"@{other}" for other in declared) or "none"
                    raise PassFailedException(
                        f"external function {external.function.data}: there is no pool @{name}; declared are {listed}"
                    )
            if wishes.offsets:
                _join(external, found)
            for root in dict.fromkeys(root for value in external.buffers for root in found.of(value)):
                if isinstance(root, BlockArgument):
                    if wishes.pools or wishes.alignment > 1:
                        _refuse(external, root)
                    continue
                align(root, wishes.alignment)
                _pin(external, root, wishes.pools, declared)


ARENA = "arena"
"""The name of the buffer that scratch with tensors in it is."""


def _join(external: BufferOp, found: _Roots) -> None:
    """Give tensors their places in the scratch; all such scratch is one buffer."""
    assert external.scratch is not None, "verified: tensors lie in it"
    placed = [(external.scratch, 0), *zip([*external.inputs, *external.outputs], external.wishes.offsets, strict=True)]
    for value, offset in placed:
        for root in found.of(value) if offset >= 0 else ():
            if isinstance(root, BlockArgument):
                _refuse(external, root)
            elif isinstance(root, memref.AllocOp):
                known = keys.AT.get(root.attributes)
                if known not in (None, offset):
                    raise PassFailedException(
                        f"buffer '{buffer_name(root)}' of {external.function.data} is to lie at bytes {known} and "
                        f"{offset} of its arena"
                    )
                keys.SHARED.put(root.attributes, ARENA)
                keys.AT.put(root.attributes, offset)


def _refuse(external: BufferOp, argument: BlockArgument) -> None:
    function = argument.block.parent_op()
    assert isinstance(function, func.FuncOp), "arguments of entry functions belong to the caller"
    attributes = list(function.arg_attrs or ())
    given = nn_keys.NAME.get(attributes[argument.index].data) if attributes else None
    name = given or argument.name_hint or f"argument {argument.index}"
    raise PassFailedException(
        f"external function {external.function.data}: its buffer '{name}' belongs to the caller, so that no pool or "
        "alignment can be promised: put it into the workspace (--workspace-io), or leave out pool and align"
    )


def _pin(
    external: BufferOp,
    root: memref.AllocOp | memref.GlobalOp,
    reached: Iterable[str],
    declared: Mapping[str, DeclareOp],
) -> None:
    """Leave a buffer only pools that are reached."""
    kind = Kind.CONSTANT if isinstance(root, memref.GlobalOp) else Kind.WORKSPACE
    allowed = [name for name in reached if declared[name].kind.data is kind]
    if not allowed:
        return
    before = keys.CANDIDATES.get(root.attributes)
    both = allowed if before is None else [name for name in before if name in allowed]
    if not both:
        wanted = ", ".join(f"@{name}" for name in before or ())
        raise PassFailedException(
            f"buffer '{buffer_name(root)}' is to lie in {wanted}, which external function {external.function.data} "
            f"does not reach: it reaches {', '.join(f'@{name}' for name in allowed)}"
        )
    keys.CANDIDATES.put(root.attributes, both)


class _Roots:
    """Kinds of buffers, through views and calls."""

    def __init__(self, module: ModuleOp):
        self._functions = functions(module)
        self._globals = {op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp)}
        self._passed: dict[BlockArgument, list[SSAValue]] = {}
        for call in all_of(module, func.CallOp):
            function = self._functions.get(call.callee.string_value())
            if function is not None and not function.is_declaration:
                for argument, value in zip(function.body.block.args, call.arguments, strict=True):
                    self._passed.setdefault(argument, []).append(value)

    def of(self, value: SSAValue) -> Iterator[Root]:
        """Everything that a memref may be."""
        assert isinstance(value.type, MemRefType), "buffers are memrefs"
        root = storage(value)
        if isinstance(root, BlockArgument):
            passed = self._passed.get(root, [])
            function = root.block.parent_op()
            if isinstance(function, func.FuncOp) and is_entry(function):
                yield root
            for one in passed:
                yield from self.of(one)
        elif isinstance(root.owner, memref.AllocOp):
            yield root.owner
        elif isinstance(root.owner, memref.GetGlobalOp):
            yield self._globals[root.owner.name_.string_value()]
