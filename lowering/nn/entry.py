"""From a function on tensors to a straight line of calls on memrefs.

Every tensor lives in one buffer: an argument, a constant, an allocation or, for what is returned, an output argument.
Reshapes are other views of the same buffer. A variable of the model is a buffer that outlives the run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from ...dialects.nn import AssignVariableOp, ConstantOp, ReadVariableOp, VariableOp
from ...dialects.nn.interfaces import View, tensor_type
from .constants import Globals
from .functions import OperatorFunctions, macs_of, origin_of
from .kernel import Tensor
from .registry import has_lowering
from .storage import meaning, storage_type, stored

_WITHOUT_CALL = (View, ConstantOp, VariableOp, ReadVariableOp, AssignVariableOp, func.ReturnOp)
"""What becomes no call of a function."""


class EntryLowering:
    """Lowers one function; shared functions and constants go to `functions` and `constants`."""

    def __init__(self, source: func.FuncOp, functions: OperatorFunctions, constants: Globals):
        self._source = source
        self._functions = functions
        self._globals = constants
        self._block = Block()
        self._builder = Builder(InsertPoint.at_end(self._block))
        self._buffers: dict[SSAValue, SSAValue] = {}
        self._views: dict[tuple[SSAValue, MemRefType], SSAValue] = {}
        self._loaded_globals: dict[str, SSAValue] = {}
        self._variables: dict[str, SSAValue] = {}

    def lower(self) -> func.FuncOp:
        """The function on memrefs: arguments are the inputs, then the outputs.

        Raises:
            PassFailedException: the function holds an operation that has no lowering.
        """
        operations = list(self._source.body.block.ops)
        returned = self._check(operations)
        for argument in self._source.args:
            self._buffers[argument] = self._argument(argument, argument.name_hint)
        outputs = [self._argument(value, value.name_hint) for value in returned.operands]
        copies = self._place_results(returned, outputs)
        for op in operations:
            self._operation(op)
        for value, output in copies:
            self._builder.insert(memref.CopyOp(self._view(value, _memref_of(value)), output))
        self._builder.insert(func.ReturnOp())
        return func.FuncOp(
            self._source.sym_name.data,
            (self._block.arg_types, []),
            Region(self._block),
            self._source.sym_visibility,
            arg_attrs=ArrayAttr(self._argument_attributes()),
        )

    def _check(self, operations: list[Operation]) -> func.ReturnOp:
        for op in operations:
            if not (has_lowering(op) or isinstance(op, _WITHOUT_CALL)):
                raise PassFailedException(f"'{op.name}' op has no lowering to loops")
        returned = operations[-1] if operations else None
        assert isinstance(returned, func.ReturnOp), "functions on tensors end with a return"
        return returned

    def _argument(self, value: SSAValue, hint: str | None) -> SSAValue:
        argument = self._block.insert_arg(_memref_of(value), len(self._block.args))
        argument.name_hint = hint
        return argument

    def _argument_attributes(self) -> Iterable[DictionaryAttr]:
        kinds = (
            ("input", self._source.arg_attrs, self._source.function_type.inputs),
            ("output", self._source.res_attrs, self._source.function_type.outputs),
        )
        for kind, attributes, types in kinds:
            for given, type in zip(attributes or [DictionaryAttr({})] * len(types), types, strict=True):
                assert isinstance(type, TensorType), "functions on tensors take and return them"
                dtype = meaning(type.get_element_type())
                yield DictionaryAttr({**given.data, **dtype, "pool.io": StringAttr(kind)})

    def _place_results(self, returned: func.ReturnOp, outputs: list[SSAValue]) -> list[tuple[SSAValue, SSAValue]]:
        """Let operators write into output arguments; returns what must be copied instead: (value, output).

        A tensor that is an argument or a constant cannot live in its output, one returned twice not in both.
        """
        copies: list[tuple[SSAValue, SSAValue]] = []
        for value, output in zip(returned.operands, outputs, strict=True):
            root = _root(value)
            if root in self._buffers or isinstance(root.owner, ConstantOp):
                copies.append((value, output))
            else:
                self._buffers[root] = output
        return copies

    def _operation(self, op: Operation) -> None:
        match op:
            case VariableOp():
                self._buffers[op.result] = self._variable(op)
            case ReadVariableOp():
                if op.output not in self._buffers:
                    self._buffers[op.output] = self._allocate(op.output)
                self._builder.insert(memref.CopyOp(self._buffers[op.variable], self._buffers[op.output]))
            case AssignVariableOp():
                value = self._view(op.value, _memref_of(op.value))
                self._builder.insert(memref.CopyOp(value, self._buffers[op.variable]))
            case _ if has_lowering(op):
                self._call(op)
            case _:
                pass

    def _variable(self, op: VariableOp) -> SSAValue:
        """The buffer of a variable, the same one wherever the name stands."""
        name = op.variable.data
        if name not in self._variables:
            alloc = memref.AllocOp([], [], _memref_of(op.result))
            alloc.attributes["pool.name"] = op.variable
            alloc.attributes["pool.kind"] = StringAttr("state")
            alloc.attributes["pool.initial"] = stored(op.initial)
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
            if result not in self._buffers:
                self._buffers[result] = self._allocate(result)
        operands = [
            self._view(argument.value, argument.type)
            if isinstance(argument, Tensor)
            else self._constant(argument.value, f"{_leading(_name(op.results[0]))}_{argument.suffix}")
            for argument in arguments
        ]
        call = func.CallOp(function.sym_name.data, operands, [])
        origin = origin_of(op)
        if origin is not None:
            call.attributes["nn.origin"] = origin
        call.attributes["nn.macs"] = IntegerAttr(macs_of(op), i64)
        self._builder.insert(call)

    def _allocate(self, result: OpResult) -> SSAValue:
        alloc = memref.AllocOp([], [], _memref_of(result))
        alloc.attributes["pool.name"] = StringAttr(_name(result))
        alloc.attributes["pool.kind"] = StringAttr("activation")
        self._builder.insert(alloc)
        alloc.memref.name_hint = result.name_hint
        return alloc.memref

    def _view(self, value: SSAValue, type: MemRefType) -> SSAValue:
        """The buffer of `value`, seen as `type`."""
        root = _root(value)
        if isinstance(root.owner, ConstantOp):
            given = root.owner.attributes.get("nn.name")
            name = given.data if isinstance(given, StringAttr) else root.name_hint or "constant"
            buffer = self._constant(root.owner.value, _leading(name))
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
            view = self._views[buffer, type] = self._builder.insert(cast).result
        return view

    def _constant(self, value: DenseIntOrFPElementsAttr, name: str) -> SSAValue:
        symbol = self._globals.intern(value, name)
        loaded = self._loaded_globals.get(symbol.sym_name.data)
        if loaded is None:
            get = memref.GetGlobalOp(symbol.sym_name.data, symbol.type)
            get.memref.name_hint = symbol.sym_name.data
            loaded = self._loaded_globals[symbol.sym_name.data] = self._builder.insert(get).memref
        return loaded


def _root(value: SSAValue) -> SSAValue:
    """The tensor whose buffer `value` shares, through any number of views."""
    while isinstance(value.owner, View):
        value = value.owner.operands[0]
    return value


def _memref_of(value: SSAValue) -> MemRefType[Attribute]:
    type = tensor_type(value)
    return MemRefType(storage_type(type.get_element_type()), type.get_shape())


def _name(result: OpResult) -> str:
    """The tensor's name in the model, or its SSA name."""
    origin = origin_of(result.op)
    return origin.tensor.data if origin is not None else result.name_hint or result.op.name.rpartition(".")[2]


def _leading(name: str) -> str:
    """The first part of a tensor's name: converters join the names of all the parts of a fused operator with `;`."""
    return name.split(";")[0]
