"""From a function on tensors to one on memrefs: its arguments are the inputs, then the outputs."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, TensorType
from xdsl.ir import Block, Region, SSAValue

from ...dialects.pool import keys
from .block import BlockLowering, memref_of
from .constants import Globals
from .operator_functions import OperatorFunctions
from .storage import meaning


class EntryLowering:
    """Lowers one function; shared functions and constants go to `functions` and `constants`."""

    def __init__(self, source: func.FuncOp, functions: OperatorFunctions, constants: Globals):
        self._source = source
        self._block = Block()
        self._lowering = BlockLowering(self._block, functions, constants)

    def lower(self) -> func.FuncOp:
        """The function on memrefs.

        Raises:
            PassFailedException: the function holds an operation that has no lowering.
        """
        block = self._source.body.block
        returned = block.last_op
        assert isinstance(returned, func.ReturnOp), "functions on tensors end with a return"
        for argument in self._source.args:
            self._lowering.bind(argument, self._argument(argument, argument.name_hint))
        outputs = [self._argument(value, value.name_hint) for value in returned.operands]
        self._lowering.lower(block.ops, returned.operands, outputs)
        self._block.add_op(func.ReturnOp())
        return func.FuncOp(
            self._source.sym_name.data,
            (self._block.arg_types, []),
            Region(self._block),
            self._source.sym_visibility,
            arg_attrs=ArrayAttr(self._argument_attributes()),
        )

    def _argument(self, value: SSAValue, hint: str | None) -> SSAValue:
        argument = self._block.insert_arg(memref_of(value), len(self._block.args))
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
                yield DictionaryAttr({**given.data, **dtype, **keys.IO.item(keys.Side(kind))})
