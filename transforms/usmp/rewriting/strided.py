"""Parts that do not lie dense in their whole: strided memrefs, and copies of the functions that take them.

The channels of a concatenation are such: the convolutions before it then store with the stride of all channels. Only
functions that load and store their argument element by element, in the part's own shape, can be copied so.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StridedLayoutAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, SSAValue, Use
from xdsl.rewriter import InsertPoint

from ....dialects.accesses import accesses
from ....dialects.pool import keys
from ....dialects.pool.attributes import PartAttr
from ..analysis.structure import callee, functions


class Strided:
    """The copies of functions of one module that take strided memrefs."""

    def __init__(self, module: ModuleOp):
        self._module = module
        self._copies: dict[tuple[str, int, MemRefType], func.FuncOp] = {}

    def is_possible(self, uses: Sequence[Use], type: MemRefType, part: PartAttr) -> bool:
        """Whether all uses of a part's buffer can take a strided memref in its place."""
        if type.get_shape() != tuple(part.shape.get_values()) or not isinstance(type.layout, NoneAttr):
            return False
        table = functions(self._module)
        for use in uses:
            if isinstance(use.operation, memref.CopyOp):
                continue
            if not isinstance(use.operation, func.CallOp) or use.operation.operands[use.index].type != type:
                return False
            function = callee(table, use.operation)
            if function.is_declaration or not _is_accessed_by_element(function.body.block.args[use.index]):
                return False
        return True

    def replace(self, uses: Sequence[Use], view: SSAValue) -> None:
        """Let the uses take `view`, which is strided."""
        for use in uses:
            op = use.operation
            if isinstance(op, func.CallOp):
                assert isinstance(view.type, MemRefType), "views are memrefs"
                function = self._copy(callee(functions(self._module), op), use.index, view.type)
                op.properties["callee"] = SymbolRefAttr(function.sym_name.data)
            op.operands[use.index] = view

    def _copy(self, function: func.FuncOp, index: int, type: MemRefType) -> func.FuncOp:
        """The function with an argument of another layout."""
        key = (function.sym_name.data, index, type)
        if key not in self._copies:
            copy = function.clone()
            copy.sym_name = StringAttr(self._free_name(f"{function.sym_name.data}_strided"))
            block = copy.body.block
            argument = block.args[index]
            new = block.insert_arg(type, index)
            new.name_hint = argument.name_hint
            argument.replace_all_uses_with(new)
            block.erase_arg(argument)
            copy.properties["function_type"] = FunctionType.from_lists(
                [a.type for a in block.args], function.function_type.outputs.data
            )
            if copy.arg_attrs is not None:
                copy.properties["arg_attrs"] = ArrayAttr(
                    DictionaryAttr(_without_leads(attributes, index, is_it=number == index))
                    for number, attributes in enumerate(copy.arg_attrs)
                )
            self._module.body.block.insert_op_after(copy, function)
            self._copies[key] = copy
        return self._copies[key]

    def _free_name(self, stem: str) -> str:
        taken, number, name = functions(self._module), 2, stem
        while name in taken:
            name, number = f"{stem}_{number}", number + 1
        return name


def _is_accessed_by_element(value: SSAValue) -> bool:
    """Whether all that is done to a memref is to access elements one by one."""
    touching = [[a for a in accesses(use.operation) if a.memref is value] for use in value.uses]
    return all(found and all(access.is_single for access in found) for found in touching)


def _without_leads(attributes: DictionaryAttr, index: int, *, is_it: bool) -> dict[str, Attribute]:
    """An argument's attributes without overlaps of the argument at `index`: its distances are others now."""
    kept = dict(attributes.data)
    leads = keys.LEAD.get(kept) or ()
    keys.LEAD.remove(kept)
    others = [lead for lead in leads if lead.argument.data != index and not is_it]
    if others:
        keys.LEAD.put(kept, others)
    return kept


def strided_view(vector: SSAValue, part: PartAttr, point: InsertPoint) -> SSAValue:
    """A part of a vector that holds the whole; its type does not say where it begins."""
    type = vector.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    offset, shape, strides = part.offset.data, part.shape.get_values(), part.strides.get_values()
    exact = MemRefType(type.element_type, shape, StridedLayoutAttr(strides, offset))
    anywhere = MemRefType(type.element_type, shape, StridedLayoutAttr(strides, None))
    builder = Builder(point)
    cast = builder.insert(memref.ReinterpretCastOp(vector, [], [], [], [offset], shape, strides, exact))
    return builder.insert(memref.CastOp.get(cast.result, anywhere)).dest


def in_shape(value: SSAValue, part: PartAttr, point: InsertPoint) -> SSAValue:
    """A dense buffer in the shape of the part that it holds."""
    type, shape = value.type, part.shape.get_values()
    assert isinstance(type, MemRefType), "buffers are memrefs"
    shaped = MemRefType(type.element_type, shape)
    cast = memref.ReinterpretCastOp(value, [], [], [], [0], shape, _row_major(shape), shaped)
    return Builder(point).insert(cast).result


def is_dense(part: PartAttr) -> bool:
    """Whether the elements of a part lie in a row in the whole."""
    shape, strides = part.shape.get_values(), part.strides.get_values()
    return all(n == 1 or a == b for n, a, b in zip(shape, strides, _row_major(shape), strict=True))


def _row_major(shape: Sequence[int]) -> list[int]:
    return [prod(shape[d + 1 :]) for d in range(len(shape))]
