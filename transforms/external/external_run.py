"""The pass `external-run`: functions that call external functions take what the functions of one run share.

It stands between the memory plan and C: handles of devices come from the caller of the network, and the first error
that a function returns goes back there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, FunctionType, ModuleOp, StringAttr, i32
from xdsl.ir import Operation, SSAValue

from ...dialects.external import ActivateOp, BufferOp, DeactivateOp, LaunchOp, RunType, WaitOp
from ...dialects.external.buffers import set_number
from ...dialects.operations import all_of, enclosing
from ...lowering.emit_c.external import externals as externals_of
from ..options import PassWithChoices
from ..usmp.analysis.structure import functions, is_entry


@dataclass(frozen=True)
class ExternalRunPass(PassWithChoices):
    """Number external functions, pass `!external.run` to all of them, and activate devices around each run."""

    name: ClassVar[str] = "external-run"

    hooks: Literal["native", "tvm"] = "native"
    """How hooks of devices are called: `npu_open`, or as in TVM's C Device API `TVMDeviceNpuOpen`."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        externals = all_of(op, BufferOp)
        if not externals or any(external.run is not None for external in externals):
            return
        for number, external in enumerate(o for o in externals if not isinstance(o, WaitOp)):
            set_number(external, number)
        for wait in [o for o in externals if isinstance(o, WaitOp)]:
            launch = wait.token.owner
            assert isinstance(launch, LaunchOp), "verified"
            wait.properties["number"] = launch.properties["number"]
        table = functions(op)
        calls = all_of(op, func.CallOp)
        needing = {_function(external).sym_name.data for external in externals}
        while more := {_function(c).sym_name.data for c in calls if c.callee.string_value() in needing} - needing:
            needing |= more
        runs = {name: _take(table[name]) for name in table if name in needing}
        for external in externals:
            _pass(external, runs[_function(external).sym_name.data])
            if external.device is not None:
                external.properties["open"] = StringAttr(self._hook(external.device.data, "open"))
                external.properties["close"] = StringAttr(self._hook(external.device.data, "close"))
        for call in calls:
            if call.callee.string_value() in needing:
                call.operands = [*call.operands, runs[_function(call).sym_name.data]]
        # That functions are called in one way each is told while it is known which model is to blame.
        externals_of(op)
        for name, run in runs.items():
            if is_entry(table[name]):
                reached = _reached(table[name], table)
                devices = dict.fromkeys(o.wishes.device for o in externals if _function(o) in reached)
                self._activate(table[name], [device for device in devices if device], run)

    def _hook(self, device: str, hook: str) -> str:
        """The C function of a hook."""
        if self.hooks == "native":
            return f"{device}_{hook}"
        words = [word for word in device.split("_") if word]
        return f"TVMDevice{''.join(word[0].upper() + word[1:] for word in words)}{hook.capitalize()}"

    def _activate(self, entry: func.FuncOp, devices: Iterable[str], run: SSAValue) -> None:
        """Put the hooks of devices around everything that the entry function does."""
        block = entry.body.block
        first, last = block.first_op, block.last_op
        assert first is not None, "a function's body ends with a return"
        assert last is not None, "a function's body ends with a return"
        for device in devices:
            block.insert_op_before(ActivateOp(device, self._hook(device, "activate"), run), first)
            block.insert_op_before(DeactivateOp(device, self._hook(device, "deactivate"), run), last)


def _reached(entry: func.FuncOp, table: Mapping[str, func.FuncOp]) -> list[func.FuncOp]:
    """A function and all that it calls: a module may be several models."""
    reached = [entry]
    for function in reached:
        for op in function.walk():
            if isinstance(op, func.CallOp) and (callee := table[op.callee.string_value()]) not in reached:
                reached.append(callee)
    return reached


def _take(function: func.FuncOp) -> SSAValue:
    """Add the argument."""
    block = function.body.block
    attributes = list(function.arg_attrs or [DictionaryAttr({})] * len(block.args))
    argument = block.insert_arg(RunType(), len(block.args))
    argument.name_hint = "run"
    function.properties["arg_attrs"] = ArrayAttr([*attributes, DictionaryAttr({})])
    function.properties["function_type"] = FunctionType.from_lists(
        [a.type for a in block.args], function.function_type.outputs.data
    )
    return argument


def _pass(external: BufferOp, run: SSAValue) -> None:
    """Give an operation the run."""
    segments = external.segments(external.inputs, external.outputs, external.scratch, run)
    if isinstance(external, WaitOp):
        segments = [[external.token], *segments]
    external.operands = [value for segment in segments for value in segment]
    external.properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [len(segment) for segment in segments])


def _function(op: Operation) -> func.FuncOp:
    function = enclosing(op, func.FuncOp)
    assert function is not None, "operators stand in functions"
    return function
