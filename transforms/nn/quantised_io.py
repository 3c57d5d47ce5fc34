"""The pass `nn-quantised-io`: inputs and outputs are the integers that the graph works on, where it quantises them.

An image of floats takes four times the bytes of the integers that are made of it. The application can make them itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys
from ...dialects.nn.interfaces import element_type_of, shape_of
from ...dialects.nn.quantise import AffineRecode, DequantizeOp, QuantizeOp
from ...dialects.nn.quantised import is_scaled
from ...dialects.nn.rearrange import TransposeOp
from ...dialects.nn.shape import ReshapeOp

_MOVES = (ReshapeOp, TransposeOp)
"""Operations that may stand between an edge of the graph and the change of representation: they commute with it."""


@dataclass(frozen=True)
class NnQuantisedIoPass(ModulePass):
    """Take `nn.quantize` of inputs and `nn.dequantize` of outputs out of the graph, where nothing else needs the reals.

    The inputs and outputs have the integer type then, and their scale and zero point as attributes.
    """

    name: ClassVar[str] = "nn-quantised-io"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.walk():
            if isinstance(function, func.FuncOp) and not function.is_declaration:
                _quantise(function)


def _quantise(function: func.FuncOp) -> None:
    given = _attributes(function.arg_attrs, len(function.args))
    for number, argument in enumerate(function.args):
        recodes = [user for user in _users(argument) if isinstance(user, QuantizeOp)]
        if not recodes or len(recodes) != sum(1 for _ in _users(argument)) or not _are_alike(recodes):
            continue
        _put(given[number], recodes[0])
        _retype(argument, element_type_of(recodes[0].output))
        for recode in recodes:
            Rewriter.replace_op(recode, [], [recode.input])
    results = _attributes(function.res_attrs, len(function.function_type.outputs))
    returned = function.get_return_op()
    assert returned is not None, "a function on tensors returns its results"
    for number, value in enumerate(returned.operands):
        moves, source = _source(value)
        if isinstance(source, DequantizeOp) and is_scaled(element_type_of(source.input)):
            _put(results[number], source)
            returned.operands[number] = _moved(moves, source.input)
            _erase_unused(value)
    if function.arg_attrs is not None or any(given):
        function.properties["arg_attrs"] = ArrayAttr(map(DictionaryAttr, given))
    if function.res_attrs is not None or any(results):
        function.properties["res_attrs"] = ArrayAttr(map(DictionaryAttr, results))
    function.update_function_type()


def _users(value: SSAValue) -> Iterator[Operation]:
    """Who reads a value, or what movements make of it."""
    for use in value.uses:
        if isinstance(use.operation, _MOVES):
            yield from _users(use.operation.output)
        else:
            yield use.operation


def _are_alike(recodes: list[QuantizeOp]) -> bool:
    kinds = {(one.scale, one.zero_point, element_type_of(one.output)) for one in recodes}
    return len(kinds) == 1 and is_scaled(element_type_of(recodes[0].output))


def _retype(value: SSAValue, element: Attribute) -> None:
    """Give a value, and what movements make of it, another element type."""
    changed = Rewriter.replace_value_with_new_type(value, TensorType(element, shape_of(value)))
    for use in tuple(changed.uses):
        if isinstance(use.operation, _MOVES):
            _retype(use.operation.output, element)


def _source(value: SSAValue) -> tuple[list[Operation], object]:
    """The movements that a value went through, the last one first, and what made it before them."""
    moves: list[Operation] = []
    while isinstance(value.owner, _MOVES):
        moves.append(value.owner)
        value = value.owner.input
    return moves, value.owner


def _moved(moves: list[Operation], value: SSAValue) -> SSAValue:
    """Apply the movements to another value."""
    for move in reversed(moves):
        made = move.clone({move.operands[0]: value})
        made.results[0].name_hint = move.results[0].name_hint
        Rewriter.insert_op(made, InsertPoint.before(move))
        value = Rewriter.replace_value_with_new_type(
            made.results[0], TensorType(element_type_of(value), shape_of(made.results[0]))
        )
    return value


def _erase_unused(value: SSAValue) -> None:
    """Erase what made a value, and what only that needed, as far as the change of representation."""
    while isinstance(value.owner, (*_MOVES, DequantizeOp)) and not value.uses:
        owner = value.owner
        value = owner.input
        Rewriter.erase_op(owner)
        if isinstance(owner, DequantizeOp):
            return


def _put(attributes: dict[str, Attribute], recode: AffineRecode) -> None:
    nn_keys.SCALE.put(attributes, [recode.scale.value.data])
    nn_keys.ZERO_POINT.put(attributes, [recode.zero_point.value.data])


def _attributes(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[dict[str, Attribute]]:
    return [{} for _ in range(count)] if attributes is None else [dict(entry.data) for entry in attributes]
