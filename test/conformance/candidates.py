"""Many schedules of one operator in one C file: a function for each, all buffers of which are its operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from case import Case
from guarded import Memory
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from stillpool.dialects.pool import keys
from stillpool.dialects.pool.keys import Side
from stillpool.dialects.task import NestOp
from stillpool.dialects.task.step import Step
from stillpool.driver import pipeline
from stillpool.driver.compile.describe import Signature
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.entry import attributes_of, entry_function
from stillpool.driver.models.model import Model
from stillpool.frontends.tflite import import_tflite
from stillpool.lowering.constants import Constants
from stillpool.lowering.emit_c import EmitCPass
from stillpool.lowering.scaling import ScaleSumsPass
from stillpool.lowering.schedule import heuristic_steps, put_schedule
from stillpool.lowering.schedule.variants import Variant
from stillpool.lowering.tasks import LowerTasksPass
from stillpool.machines.cpus import Cpu
from stillpool.targets.interfaces.description import Tensor
from stillpool.transforms.tasks.prepare import prepared
from stillpool.transforms.usmp.analysis.structure import (
    alignment_of,
    allocs_in,
    element_size,
    functions,
    size_of,
)

Steps = tuple[Step, ...]
Chooser = Callable[[int, NestOp, Constants, Steps | None], Steps | None]
"""Gives the steps of a nest of one copy, by its number; what a processor's rules say comes last."""


@dataclass(frozen=True)
class Entry:
    """One function in C, with its operands."""

    name: str
    operands: tuple[Memory, ...]
    inputs: tuple[int, ...]
    """Numbers of operands, in the model's order."""
    outputs: tuple[tuple[int, tuple[int, ...], str], ...]
    """Numbers of operands, shapes and element types, in the model's order."""


def candidates(
    case: Case, name: str, cpu: Cpu, variant: Variant, count: int, choose: Chooser
) -> tuple[str, list[Entry]]:
    """The C of `count` copies of an operator, each with its own schedules, in the form that a processor's have.

    Its memory is not planned: what the operator needs for itself is an operand, too.
    """
    module = prepare(Model(name, name, import_tflite(case.model, name), case.model)).module("tasks")
    outputs = Signature.of(module).outputs
    constants = Constants(module)
    for nest in _nests(module):
        prepared(nest, constants, cpu, variant)
    entries = _copied(module, name, count)
    constants = Constants(module)
    for number, entry in enumerate(entries):
        for nest in _nests(entry):
            steps = choose(number, nest, constants, heuristic_steps(nest, constants, cpu, variant))
            if steps is not None:
                put_schedule(nest, steps)
    module.verify()
    context = pipeline.context()
    for one in (ScaleSumsPass(), LowerTasksPass()):
        one.apply(context, module)
    made = [_handed_in(module, entry.functions[0], outputs) for entry in entries]
    EmitCPass(prefix=f"{name}_").apply(context, module)
    stream = StringIO()
    pipeline.print_c(module, stream)
    return stream.getvalue(), made


@dataclass(frozen=True)
class _Copy:
    functions: tuple[func.FuncOp, ...]
    """The entry, and all that it calls."""


def _nests(of: ModuleOp | _Copy) -> list[NestOp]:
    tops = [of] if isinstance(of, ModuleOp) else of.functions
    return [op for top in tops for op in top.walk() if isinstance(op, NestOp)]


def _copied(module: ModuleOp, name: str, count: int) -> list[_Copy]:
    """Put copies of all functions in their place; constants are shared."""
    originals, entry = [op for op in module.ops if isinstance(op, func.FuncOp)], entry_function(module)
    originals.sort(key=lambda function: function is not entry)
    copies: list[_Copy] = []
    for number in range(count):
        made = [function.clone() for function in originals]
        for function in made:
            function.properties["sym_name"] = StringAttr(_numbered(function.sym_name.data, number))
            for call in [op for op in function.walk() if isinstance(op, func.CallOp)]:
                call.properties["callee"] = SymbolRefAttr(_numbered(call.callee.string_value(), number))
        made[0].properties["sym_name"] = StringAttr(f"{name}_{number}")
        module.body.block.add_ops(made)
        copies.append(_Copy(tuple(made)))
    for function in originals:
        Rewriter.erase_op(function)
    return copies


def _numbered(function: str, number: int) -> str:
    return f"{function}_copy{number}"


def _handed_in(module: ModuleOp, entry: func.FuncOp, outputs: Sequence[Tensor]) -> Entry:
    """Let all buffers of a function and of those that it calls be operands of it, after those that it has."""
    memories = [Memory(size_of(type), element_size(type)) for type in map(_memref, entry.args)]
    sides = [keys.IO.get(given) for given in attributes_of(entry.arg_attrs, len(memories))]
    for buffer in _gathered(entry, functions(module)):
        type, initial = _memref(buffer.memref), keys.INITIAL.get(buffer.attributes)
        filled = None if initial is None else _bytes(initial, size_of(type))
        memories.append(Memory(size_of(type), alignment_of(buffer, type), filled))
        _to_argument(buffer, entry)
    numbers = [number for number, side in enumerate(sides) if side is Side.OUTPUT]
    return Entry(
        entry.sym_name.data,
        tuple(memories),
        tuple(number for number, side in enumerate(sides) if side is Side.INPUT),
        tuple((number, one.shape, one.dtype) for number, one in zip(numbers, outputs, strict=True)),
    )


def _gathered(function: func.FuncOp, all: Mapping[str, func.FuncOp]) -> list[memref.AllocOp]:
    """The buffers of a function, those of the functions that it calls among them, which are passed to these."""
    for call in [op for op in function.walk() if isinstance(op, func.CallOp)]:
        callee = all[call.callee.string_value()]
        if callee.is_declaration:
            continue
        for buffer in _gathered(callee, all):
            outer = buffer.clone()
            Rewriter.insert_op(outer, InsertPoint.at_start(function.body.block))
            _to_argument(buffer, callee)
            call.operands = [*call.operands, outer.memref]
    return list(allocs_in(function))


def _to_argument(buffer: memref.AllocOp, function: func.FuncOp) -> None:
    block = function.body.block
    argument = block.insert_arg(buffer.memref.type, len(block.args))
    argument.name_hint = buffer.memref.name_hint
    buffer.memref.replace_all_uses_with(argument)
    Rewriter.erase_op(buffer)
    if function.arg_attrs is not None:
        function.properties["arg_attrs"] = ArrayAttr([*function.arg_attrs.data, DictionaryAttr({})])
    function.update_function_type()


def _memref(value: SSAValue) -> MemRefType:
    assert isinstance(value.type, MemRefType), "operands and buffers are memrefs"
    return value.type


def _bytes(initial: DenseIntOrFPElementsAttr, size: int) -> bytes:
    data = initial.data.data
    return data * (size // len(data))
