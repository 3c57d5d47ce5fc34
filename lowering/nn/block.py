"""From operations on tensors to a straight line of calls on memrefs, with loops and branches around parts of it.

Every tensor lives in one buffer: what the function is given, a constant, or an allocation. Reshapes are other views of
the same buffer. A variable of the model is a buffer that outlives the run.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from ...dialects import nn_keys
from ...dialects.external import OperatorOp
from ...dialects.nn import (
    AssignVariableOp,
    CondIfOp,
    ConstantOp,
    ReadVariableOp,
    ScanOp,
    VariableOp,
    WhileLoopOp,
    YieldOp,
)
from ...dialects.nn.interfaces import View, tensor_type
from ...dialects.pool import keys
from ...dialects.pool.kinds import BufferKind
from .constants import Globals
from .control_flow import Blocks, lower_if, lower_scan, lower_while
from .kernel import Tensor
from .operator_functions import OperatorFunctions, macs_of
from .parts import parts_of
from .registry import has_lowering
from .storage import storage_type, stored
from .variables import is_read_in_place, late_reads_early_writes, written_in_place


class BlockLowering(Blocks):
    """Lowers blocks of a function into `block`; shared functions and constants go to `functions` and `constants`."""

    def __init__(self, block: Block, functions: OperatorFunctions, constants: Globals):
        self.builder = Builder(InsertPoint.at_end(block))
        self._block = block
        self._functions = functions
        self._globals = constants
        self._buffers: dict[SSAValue, SSAValue] = {}
        self._views: dict[tuple[SSAValue, MemRefType], SSAValue] = {}
        self._loaded_globals: dict[str, SSAValue] = {}
        self._variables: dict[str, SSAValue] = {}
        self._order: Sequence[Operation] = ()
        """The operations of the block that is being lowered."""

    def bind(self, value: SSAValue, buffer: SSAValue) -> None:
        """Say that a tensor lives in a buffer."""
        self._buffers[value] = buffer

    def is_bound(self, value: SSAValue) -> bool:
        """Whether a tensor has a buffer already."""
        return value in self._buffers

    def lower(self, operations: Iterable[Operation], results: Sequence[SSAValue], outputs: Sequence[SSAValue]) -> None:
        """Lower the operations of a block, so that its results end in the buffers `outputs`.

        Raises:
            PassFailedException: one of them has no lowering.
        """
        copies = self._place_results(results, outputs)
        outside, operations = self._order, late_reads_early_writes(operations)
        self._order = operations
        for made, variable in written_in_place(operations):
            if made not in self._buffers:
                self._buffers[made] = self._variable(variable)
        for op in operations:
            self.operation(op)
        self._order = outside
        for value, output in copies:
            self.copy(self.buffer(value), output)

    def copy(self, source: SSAValue, target: SSAValue) -> None:
        """Emit a copy of a whole buffer."""
        self.builder.insert(memref.CopyOp(source, target))

    def shares_buffer(self, value: SSAValue, others: Sequence[SSAValue]) -> bool:
        """Whether a tensor is, through any number of views, one of the others."""
        return root_of(value) in others

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Emit into a region's block; what is computed there is not seen outside."""
        outside = self.builder.insertion_point
        views, loaded = dict(self._views), dict(self._loaded_globals)
        self.builder.insertion_point = InsertPoint.at_end(block)
        yield
        self.builder.insertion_point = outside
        self._views, self._loaded_globals = views, loaded

    def _place_results(
        self, results: Sequence[SSAValue], outputs: Sequence[SSAValue]
    ) -> list[tuple[SSAValue, SSAValue]]:
        """Let operators write into the outputs; returns what must be copied instead: (value, output).

        A tensor that is there before or a constant cannot live in its output, one that is two results not in both.
        """
        copies: list[tuple[SSAValue, SSAValue]] = []
        for value, output in zip(results, outputs, strict=True):
            root = root_of(value)
            if root in self._buffers or isinstance(root.owner, ConstantOp):
                copies.append((value, output))
            else:
                self._buffers[root] = output
        return copies

    def operation(self, op: Operation) -> None:
        """Lower one operation.

        Raises:
            PassFailedException: it has no lowering.
        """
        match op:
            case VariableOp():
                self._buffers[op.result] = self._variable(op)
            case ReadVariableOp():
                if op.output not in self._buffers and is_read_in_place(op, self._order):
                    self._buffers[op.output] = self._buffers[op.variable]
                else:
                    self.copy(self._buffers[op.variable], self.allocated(op.output))
            case AssignVariableOp():
                if self._buffers.get(root_of(op.value)) is not self._buffers[op.variable]:
                    self.copy(self.buffer(op.value), self._buffers[op.variable])
            case CondIfOp():
                lower_if(op, self)
            case WhileLoopOp():
                lower_while(op, self)
            case ScanOp():
                lower_scan(op, self)
            case _ if has_lowering(op):
                self._call(op)
            case View() | ConstantOp() | YieldOp() | func.ReturnOp():
                pass
            case _:
                raise PassFailedException(f"'{op.name}' op has no lowering to loops")

    def _variable(self, op: VariableOp) -> SSAValue:
        """The buffer of a variable, the same one wherever the name stands."""
        name = op.variable.data
        if name not in self._variables:
            alloc = memref.AllocOp([], [], memref_of(op.result))
            keys.NAME.put(alloc.attributes, name)
            keys.KIND.put(alloc.attributes, BufferKind.STATE)
            keys.INITIAL.put(alloc.attributes, stored(op.initial))
            alloc.memref.name_hint = op.result.name_hint
            self._insert_first(alloc)
            self._variables[name] = alloc.memref
        return self._variables[name]

    def _insert_first(self, alloc: memref.AllocOp) -> None:
        """Put a variable's buffer after those of other variables, before everything else."""
        if self._variables:
            last = next(reversed(self._variables.values())).owner
            assert isinstance(last, Operation), "variables are allocs"
            self._block.insert_ops_after([alloc], last)
        elif self._block.first_op is not None:
            self._block.insert_ops_before([alloc], self._block.first_op)
        else:
            self._block.add_op(alloc)

    def _call(self, op: Operation) -> None:
        function, arguments = self._functions.function_of(op)
        for result in op.results:
            self._reserve(result)
        operands = [
            self.view(argument.value, argument.type)
            if isinstance(argument, Tensor)
            else self._constant(argument.value, f"{_leading(_name(op.results[0]))}_{argument.suffix}", is_table=True)
            for argument in arguments
        ]
        call = func.CallOp(function.sym_name.data, operands, [])
        stays = (nn_keys.ORIGIN.name, nn_keys.BAND.name)
        call.attributes |= {name: op.attributes[name] for name in stays if name in op.attributes}
        nn_keys.MACS.put(call.attributes, macs_of(op))
        parts = parts_of(op, arguments)
        if parts is not None:
            keys.PARTS.put(call.attributes, parts.data)
        self.builder.insert(call)

    def allocated(self, result: OpResult) -> SSAValue:
        """The buffer of an operation's result in its own shape, a new one if it has none yet."""
        self._reserve(result)
        return self.buffer(result)

    def _reserve(self, result: OpResult) -> None:
        if result not in self._buffers:
            self._buffers[result] = self.allocate(result)

    def allocate(self, result: SSAValue) -> SSAValue:
        """A new buffer for what `result`, of an operation or of a block, holds."""
        alloc = memref.AllocOp([], [], memref_of(result))
        name, kind, hint = _name(result), BufferKind.ACTIVATION, result.name_hint
        if isinstance(result, OpResult) and isinstance(result.op, OperatorOp) and result.first_use is None:
            # What an external function makes for nobody is its working memory.
            kind = BufferKind.SCRATCH
            name = hint = result.op.names.data[len(result.op.inputs) + result.index].data
        keys.NAME.put(alloc.attributes, name)
        keys.KIND.put(alloc.attributes, kind)
        self.builder.insert(alloc)
        alloc.memref.name_hint = hint
        return alloc.memref

    def buffer(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor in its own shape."""
        return self.view(value, memref_of(value))

    def view(self, value: SSAValue, type: MemRefType) -> SSAValue:
        """The buffer of `value`, seen as `type`."""
        root = root_of(value)
        if isinstance(root.owner, ConstantOp):
            name = nn_keys.NAME.get(root.owner.attributes)
            name = root.name_hint or "constant" if name is None else name
            buffer = self._constant(root.owner.value, _leading(name), is_table=False)
        else:
            buffer = self._buffers[root]
        if buffer.type == type:
            return buffer
        view = self._views.get((buffer, type))
        if view is None:
            shape = type.get_shape()
            strides = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
            cast = memref.ReinterpretCastOp(buffer, [], [], [], [0], shape, strides, type)
            cast.result.name_hint = buffer.name_hint
            view = self._views[buffer, type] = self.builder.insert(cast).result
        return view

    def _constant(self, value: DenseIntOrFPElementsAttr, name: str, *, is_table: bool) -> SSAValue:
        symbol = self._globals.intern(value, name, is_table=is_table)
        loaded = self._loaded_globals.get(symbol.sym_name.data)
        if loaded is None:
            get = memref.GetGlobalOp(symbol.sym_name.data, symbol.type)
            get.memref.name_hint = symbol.sym_name.data
            loaded = self._loaded_globals[symbol.sym_name.data] = self.builder.insert(get).memref
        return loaded


def root_of(value: SSAValue) -> SSAValue:
    """The tensor whose buffer `value` shares, through any number of views."""
    while isinstance(value.owner, View):
        value = value.owner.operands[0]
    return value


def memref_of(value: SSAValue) -> MemRefType[Attribute]:
    """The type of a tensor's buffer."""
    type = tensor_type(value)
    return MemRefType(storage_type(type.get_element_type()), type.get_shape())


def _name(result: SSAValue) -> str:
    """The tensor's name in the model, or its SSA name."""
    if not isinstance(result, OpResult):
        return result.name_hint or "slice"
    origin = nn_keys.ORIGIN.get(result.op.attributes)
    return origin.tensor.data if origin is not None else result.name_hint or result.op.name.rpartition(".")[2]


def _leading(name: str) -> str:
    """The first part of a tensor's name: converters join the names of all the parts of a fused operator with `;`."""
    return name.split(";")[0]
