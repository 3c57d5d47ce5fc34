"""Builds the `nn` module of a TOSA module."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.tosa import RescaleOp
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.transforms.dead_code_elimination import region_dce

from ...dialects import nn_keys
from ...dialects.nn.quantised import UI8
from ...dialects.tosa.control_flow import VariableOp
from ...errors import InputError, UsageError
from ..emission import erase_unused
from ..index_inputs import with_limits
from ..names import distinct
from ..reasons import Reasons
from .closing import close_shapes
from .constants import ELEMENTS, typed
from .import_block import LARGEST, BlockImport, static
from .node import TENSOR_NAME
from .variables import Variables


@dataclass(frozen=True)
class Imported:
    """A function on `nn` operations, and where its tensors are in the one on `tosa` operations."""

    function: FuncOp
    tensors: Mapping[str, SSAValue]
    """By the names that origins have."""


def import_function(
    module: ModuleOp, function: FuncOp, symbol: str, source: str, input_shapes: Mapping[str, Sequence[int]]
) -> Imported:
    """The function on `nn` operations of one on `tosa` operations, whose open extents are closed.

    Args:
        module: what the function stands in, with its variables.
        function: the model.
        symbol: name of the new function.
        source: the file, for messages.
        input_shapes: shapes of inputs by name where the file leaves them open; a first dimension is 1 then.

    Raises:
        InputError: an operation contradicts itself; names its place.
        UnsupportedError: it needs what cannot be compiled; lists all of that.
        UsageError: there is no such input, or its shape does not fit.
    """
    return _FunctionImport(module, function, source, input_shapes).run(symbol)


class _FunctionImport:
    def __init__(self, module: ModuleOp, function: FuncOp, source: str, shapes: Mapping[str, Sequence[int]]):
        self.function, self.source, self.shapes = function, source, shapes
        self.reasons = Reasons(source)
        self.variables = Variables(op for op in module.ops if isinstance(op, VariableOp))
        self.block = BlockImport(source, self.reasons, self.variables)
        self.inputs, self.outputs = _names(function)
        for given in shapes:
            if given not in self.inputs:
                listed = ", ".join(f"'{name}'" for name in self.inputs)
                raise UsageError(f"input shape: {source} has no input '{given}'", remedy=f"it has {listed}")

    def run(self, symbol: str) -> Imported:
        if len(self.function.body.blocks) != 1:
            raise InputError(f"{self.source}: @{self.function.sym_name.data} has several blocks")
        given = self.function.body.block
        for name, argument in zip(self.inputs, given.args, strict=True):
            self._input(name, argument)
        returned = self.block.run(list(given.ops))
        self.reasons.raise_if_any("stillpool ops --kind tosa lists the operators that can be compiled")
        if not returned:
            raise InputError(f"{self.source}: @{self.function.sym_name.data} returns nothing")
        block = self.block.block
        block.add_op(ReturnOp(*returned))
        self.variables.insert_into(block)
        types = [argument.type for argument in block.args], [value.type for value in returned]
        made = FuncOp(symbol, types, Region(block))
        made.arg_attrs, made.res_attrs = with_limits(_named(self.inputs), made.args), _named(self.outputs)
        close_shapes(self.function, self.block.shapes)
        region_dce(made.body)
        erase_unused(made)
        return Imported(made, self.block.tensors)

    def _input(self, name: str, argument: SSAValue) -> None:
        declared: Any = argument.type
        if not isinstance(declared, TensorType):
            raise InputError(f"{self.source}: input '{name}' is {declared}, expected a tensor")
        shape: list[int] = list(declared.get_shape())
        wanted = self.shapes.get(name)
        if wanted is not None:
            if len(wanted) != len(shape) or any(0 <= a != b for a, b in zip(shape, wanted, strict=True)):
                raise UsageError(f"input shape: {list(wanted)} does not fit '{name}', which has {shape}")
            shape = list(wanted)
        elif shape and shape[0] < 0:
            shape[0] = 1
        if any(extent < 0 for extent in shape):
            self.reasons.add_model(f"input '{name}' has an open shape; say it: --input-shape {name}=...")
            shape = [max(extent, 1) for extent in shape]
        type = static(declared, shape)
        if argument.uses and all(_reads_unsigned(use.operation, use.index) for use in argument.uses):
            type = typed(UI8, shape)
        if math.prod(shape) >= LARGEST:
            self.reasons.add_model(f"input '{name}' has {math.prod(shape)} elements")
        if type.get_element_type() not in ELEMENTS:
            self.reasons.add_model(f"input '{name}' has elements of type {declared.get_element_type()}")
        self.block.argument(argument, type)


def _reads_unsigned(operation: Any, operand: int) -> bool:
    """Whether bytes are read without a sign."""
    if not isinstance(operation, RescaleOp) or operand != 0 or not operation.input_unsigned.value.data:
        return False
    given: Any = operation.input.type
    return str(given.get_element_type()) in ("i8", "ui8")


def _named(names: Sequence[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr(nn_keys.NAME.item(name)) for name in names)


def _names(function: FuncOp) -> tuple[Sequence[str], Sequence[str]]:
    """Names of inputs and outputs: what TOSA's tools or TensorFlow's wrote, else numbers."""
    entry = function.attributes.get("tf.entry_function")
    known = entry.data if isinstance(entry, DictionaryAttr) else {}
    found: list[Sequence[str]] = []
    for side, attributes, count in (
        ("input", function.arg_attrs, len(function.function_type.inputs)),
        ("output", function.res_attrs, len(function.function_type.outputs)),
    ):
        listed = known.get(f"{side}s")
        fallback = listed.data.split(",") if isinstance(listed, StringAttr) else []
        given = [one.data for one in attributes] if attributes is not None else [{}] * count
        names: list[str] = []
        for number, own in enumerate(given):
            numbered = fallback[number] if len(fallback) == count else f"{side}_{number}"
            names.append(_own_name(own) or numbered)
        found.append(distinct(names))
    return found[0], found[1]


def _own_name(attributes: Mapping[str, Attribute]) -> str | None:
    for key in ("nn.name", TENSOR_NAME, "ml_program.identifier"):
        value = attributes.get(key)
        if isinstance(value, StringAttr):
            return value.data
    path = attributes.get("tf_saved_model.index_path")
    if isinstance(path, ArrayAttr) and len(path) == 1 and isinstance(path.data[0], StringAttr):
        return re.sub(r":0$", "", path.data[0].data)
    return None
