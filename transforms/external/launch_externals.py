"""The pass `launch-externals`: asynchronous external functions are launched, and waited for as late as possible.

It stands before memory planning: the wait has the operands of the launch, so that all of them are live until there, and
the operators between the two run while the device does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue, Use
from xdsl.passes import ModulePass

from ...dialects.accesses import accesses, storage
from ...dialects.external import CallOp, LaunchOp, WaitOp
from ...dialects.operations import all_of
from ..usmp.analysis.structure import functions
from ..usmp.analysis.uses import Writers


@dataclass(frozen=True)
class LaunchExternalsPass(ModulePass):
    """Launch what may run meanwhile; wait for it before anybody needs its results, or its buffers."""

    name: ClassVar[str] = "launch-externals"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        table = functions(op)
        asynchronous = {name: made for name, function in table.items() if (made := _called(function)) is not None}
        calls = [o for o in all_of(op, func.CallOp) if o.callee.string_value() in asynchronous]
        launches = [_launch(call, table[call.callee.string_value()]) for call in calls]
        for name in asynchronous:
            table[name].detach()
            table[name].erase()
        writers = Writers(op)
        for launch in launches:
            _wait(launch, writers)


def _called(function: func.FuncOp) -> CallOp | None:
    """The asynchronous call that a private function is, if it is one."""
    visibility = function.sym_visibility
    if visibility is None or visibility.data != "private":
        return None
    found = [op for op in all_of(function, CallOp) if op.asynchronous is not None]
    return found[0] if len(found) == 1 else None


def _launch(call: func.CallOp, function: func.FuncOp) -> LaunchOp:
    """Put the function's body where it is called, with a launch; its scratch outlives the launch."""
    block = call.parent
    assert block is not None, "calls stand in functions"
    known: dict[SSAValue, SSAValue] = dict(zip(function.body.block.args, call.arguments, strict=True))
    launch: LaunchOp | None = None
    for op in function.body.block.ops:
        if isinstance(op, CallOp):
            scratch = None if op.scratch is None else known[op.scratch]
            launch = LaunchOp(op, [known[v] for v in op.inputs], [known[v] for v in op.outputs], scratch)
            launch.attributes.update(call.attributes)
            block.insert_op_before(launch, call)
        elif not isinstance(op, func.ReturnOp):
            copy = op.clone(known)
            block.insert_op_before(copy, call)
    assert launch is not None, "the function was chosen for its call"
    call.detach()
    call.erase()
    return launch


def _wait(launch: LaunchOp, writers: Writers) -> None:
    """Wait before the first operation that would disturb the device or needs what it makes, or at the end."""
    block = launch.parent
    assert block is not None, "launches stand in functions"
    ours = {storage(value) for value in [*launch.outputs, *([] if launch.scratch is None else [launch.scratch])]}
    read = {storage(value) for value in launch.inputs}
    after = launch.next_op
    while after is not None and after is not block.last_op:
        if any(root in ours or (root in read and is_write) for root, is_write in _touched(after, writers)):
            break
        after = after.next_op
    assert after is not None, "blocks end in a terminator"
    block.insert_op_before(WaitOp(launch), after)


def _touched(op: Operation, writers: Writers) -> Iterator[tuple[SSAValue, bool]]:
    """Memory that an operation with all that is inside it touches, and whether it may write there."""
    for inner in op.walk():
        if isinstance(inner, func.CallOp):
            for index, value in enumerate(inner.arguments):
                if isinstance(value.type, MemRefType):
                    yield storage(value), writers.is_write(Use(inner, index))
        elif not isinstance(inner, memref.AllocOp | memref.DeallocOp):
            for access in accesses(inner):
                yield storage(access.memref), access.is_write
