"""TOSA flatbuffers as modules of xDSL's `tosa` dialect."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.tosa import TOSA, NanMode, NanModeAttr, RoundingMode, RoundingModeAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from ...dialects.tosa.attributes import ResizeMode, ResizeModeAttr, ShapeType
from ...dialects.tosa.control_flow import VariableOp, VariableReadOp, VariableWriteOp, YieldOp
from ...errors import InputError, UnsupportedError
from ..emission import name_hint
from .constants import MOST_KNOWN
from .flatbuffer import Buffer, FlatbufferError, Table
from .node import TENSOR_NAME
from .schema import (
    ELEMENTS,
    IDENTIFIER,
    MAJOR,
    NAN_MODES,
    OPERATORS,
    RESIZE_MODES,
    ROUNDING_MODES,
    UNKNOWN_ELEMENTS,
    Entry,
    Field,
    Kind,
)

DEEPEST = 16
"""Regions within regions."""

_PADDED = 16
_CLASSES: Mapping[str, type[Operation]] = {op.name: op for op in TOSA.operations}


@dataclass(frozen=True)
class _Tensor:
    type: TensorType[Any] | ShapeType
    data: bytes
    variable: str | None


def read_flatbuffer(data: bytes, source: str) -> ModuleOp:
    """The module in a file, with one public function.

    Args:
        data: the file's bytes.
        source: its name, for messages.

    Raises:
        InputError: no TOSA flatbuffer, or a table cannot be read; names the operator.
        UnsupportedError: it has an element type that MLIR's TOSA has not, or several entries.
    """
    reader = _Reader(data, source)
    try:
        module = reader.module()
        module.verify()
    except (FlatbufferError, VerifyException, ValueError, OverflowError, struct.error) as error:
        raise reader.malformed(str(error) or type(error).__name__) from error
    except RecursionError as error:
        raise reader.malformed("its regions contain each other") from error
    return module


class _Reader:
    def __init__(self, data: bytes, source: str):
        self.data, self.source, self.place = data, source, ""
        self.buffer = Buffer(data)
        self.variables: dict[str, VariableOp] = {}
        self.regions: dict[str, Table] = {}

    def malformed(self, message: str) -> InputError:
        return InputError(f"malformed TOSA file {self.source}: {self.place}{message}")

    def module(self) -> ModuleOp:
        if self.data[4:8] != IDENTIFIER:
            raise InputError(
                f"{self.source} is not a TOSA flatbuffer: it lacks the identifier 'TOSA'",
                remedy="text must be named FILE.mlir; flatc -b tosa.fbs FILE makes a flatbuffer of JSON",
            )
        root = self.buffer.root()
        version = root.table(0)
        major = -1 if version is None else version.number(0, default=-1)
        if major != MAJOR:
            raise UnsupportedError(f"{self.source} has version {major} of TOSA; {MAJOR} is read")
        tables = root.tables(1)
        if not tables:
            raise self.malformed("it has no regions")
        for table in tables:
            self.regions.setdefault(table.text(0), table)
        block = self._block_of(tables[0])
        names, outputs = block.texts(3), block.texts(4)
        made = Block()
        values = self._fill(made, block, names, 0)
        returned = [self._value(values, name) for name in outputs]
        made.add_op(ReturnOp(*returned))
        types = [argument.type for argument in made.args], [value.type for value in returned]
        function = FuncOp("main", types, Region(made))
        function.arg_attrs, function.res_attrs = _named(names), _named(outputs)
        return ModuleOp([*self.variables.values(), function])

    def _block_of(self, region: Table) -> Table:
        blocks = region.tables(1)
        if len(blocks) != 1:
            raise self.malformed(f"region '{region.text(0)}' has {len(blocks)} blocks, expected 1")
        return blocks[0]

    def _fill(self, made: Block, block: Table, names: list[str], depth: int) -> dict[str, SSAValue]:
        """Arguments and operations of a block; its values by name."""
        if depth > DEEPEST:
            raise self.malformed("its regions contain each other")
        tensors = self._tensors(block)
        values: dict[str, SSAValue] = {}
        for name in names:
            tensor = tensors.get(name)
            if tensor is None:
                raise self.malformed(f"no tensor is called '{name}'")
            argument = made.insert_arg(tensor.type, len(made.args))
            values[name] = argument
        for number, table in enumerate(block.tables(1)):
            self.place = f"operator {number}: "
            self._operator(made, table, tensors, values, depth)
            self.place = ""
        return values

    def _tensors(self, block: Table) -> dict[str, _Tensor]:
        found: dict[str, _Tensor] = {}
        for table in block.tables(2):
            name = table.text(0)
            self.place = f"tensor '{name[:80]}': "
            found[name] = self._tensor(table)
        for table in block.tables(5):
            rank = table.number(1, "I")
            found[table.text(0)] = _Tensor(ShapeType(IntAttr(rank)), table.bytes(2), None)
        self.place = ""
        return found

    def _tensor(self, table: Table) -> _Tensor:
        if table.flag(5):
            raise UnsupportedError(f"{self.source}: {self.place}tensors without a rank cannot be compiled")
        element = self._element(table.number(2, "I"))
        shape = [-1 if extent < 0 else extent for extent in table.integers(1)]
        data = table.bytes(3)
        offset, size = table.number(7, "Q"), table.number(8, "Q")
        if not data and offset > 1:
            data = self.buffer.part(offset, size)
        variable = table.text(6) or table.text(0) if table.flag(4) else None
        return _Tensor(TensorType(cast(Any, element), shape), data, variable)

    def _element(self, number: int) -> Attribute:
        if number in ELEMENTS:
            return ELEMENTS[number]
        if number in UNKNOWN_ELEMENTS:
            raise UnsupportedError(
                f"{self.source}: {self.place}elements of type {UNKNOWN_ELEMENTS[number]} cannot be compiled"
            )
        raise self.malformed(f"element type {number} is none of TOSA's")

    def _value(self, values: Mapping[str, SSAValue], name: str) -> SSAValue:
        if name not in values:
            raise self.malformed(f"nothing gives '{name}' before it is read")
        return values[name]

    def _operator(
        self, block: Block, table: Table, tensors: Mapping[str, _Tensor], values: dict[str, SSAValue], depth: int
    ) -> None:
        # Arm's serializer writes another operator for variables, but their attribute.
        number = table.number(1, "B") or table.number(0, "I")
        entry = OPERATORS.get(number)
        if entry is None:
            raise UnsupportedError(f"{self.source}: {self.place}operator {number} is none of TOSA 1.0")
        self.place += f"{entry.name.upper()}: "
        inputs, outputs = table.texts(3), table.texts(4)
        for name in outputs:
            if name not in tensors:
                raise self.malformed(f"no tensor is called '{name}'")
        match entry.name:
            case "const" | "const_shape":
                operation = self._constant(entry, tensors[self._one(outputs)])
            case "variable":
                for name in outputs:
                    self._variable(tensors, name)
                return
            case "variable_read":
                variable = self._variable(tensors, self._one(inputs))
                operation = VariableReadOp.create(
                    properties={"name": variable.sym_name}, result_types=[tensors[self._one(outputs)].type]
                )
            case "variable_write":
                variable = self._variable(tensors, self._one(outputs))
                given = self._value(values, self._one(inputs))
                block.add_op(VariableWriteOp.create(operands=[given], properties={"name": variable.sym_name}))
                return
            case _:
                operands = [self._value(values, name) for name in inputs]
                properties, regions = self._attributes(entry, table.table(2), operands, depth)
                kind = cast(type[IRDLOperation], _CLASSES[f"tosa.{entry.name}"])
                operation = kind.create(
                    operands=operands,
                    result_types=[tensors[name].type for name in outputs],
                    properties={
                        name: value
                        for name, value in properties.items()
                        if name in kind.get_irdl_definition().properties
                    },
                    regions=regions,
                )
        operation.verify_()
        block.add_op(operation)
        for name, result in zip(outputs, operation.results, strict=True):
            if name in values:
                raise self.malformed(f"'{name}' is given twice")
            values[name] = result
            result.name_hint = name_hint(name)
            operation.attributes[TENSOR_NAME] = StringAttr(outputs[0])

    def _one(self, names: list[str]) -> str:
        if len(names) != 1:
            raise self.malformed(f"it names {len(names)} tensors, expected 1")
        return names[0]

    def _constant(self, entry: Entry, tensor: _Tensor) -> Operation:
        type, data = tensor.type, tensor.data
        if isinstance(type, ShapeType):
            held: Any = TensorType(IndexType(), [type.rank.data])
            width = 8
        else:
            held, width = type, 0
        values = self._dense(held, data, width)
        return _CLASSES[f"tosa.{entry.name}"].create(properties={"values": values}, result_types=[type])

    def _dense(self, type: TensorType[Any], data: bytes, width: int = 0) -> DenseIntOrFPElementsAttr:
        """The elements; those of 4 and 48 bits are packed in the file."""
        element, shape = type.get_element_type(), type.get_shape()
        count = 1
        for extent in shape:
            count *= max(int(extent), 0)
            if count > MOST_KNOWN:
                raise self.malformed(f"a constant has {count} elements")
        bits = 8 * width or _bits(element)
        size = -(-count * bits // 8)
        # Vectors are padded to 8 bytes; the Python writer, which ExecuTorch has, pads what it writes to 16.
        if not size <= len(data) < size + _PADDED:
            raise self.malformed(f"a constant of {type} has {len(data)} bytes, expected {size}")
        raw = data[:size]
        if bits == 4:
            packed = np.frombuffer(raw, np.uint8)
            halves = np.stack([packed & 15, packed >> 4], axis=-1).reshape(-1)[:count].astype(np.int8)
            raw = np.where(halves > 7, halves - 16, halves).astype(np.int8).tobytes()
        elif bits == 48:
            low = np.frombuffer(raw, "<u2").reshape(-1, 3).astype(np.int64)
            words = low[:, 0] | low[:, 1] << 16 | low[:, 2] << 32
            raw = np.where(words >= 1 << 47, words - (1 << 48), words).astype("<i8").tobytes()
        elif element == i1:
            raw = (np.frombuffer(raw, np.uint8) != 0).astype(np.int8).tobytes()
        return DenseIntOrFPElementsAttr(type, BytesAttr(raw))

    def _variable(self, tensors: Mapping[str, _Tensor], name: str) -> VariableOp:
        tensor = tensors.get(name)
        if tensor is None or tensor.variable is None or isinstance(tensor.type, ShapeType):
            raise self.malformed(f"'{name}' is no variable")
        if tensor.variable not in self.variables:
            shape = [int(extent) for extent in tensor.type.get_shape()]
            properties: dict[str, Attribute] = {
                "sym_name": StringAttr(tensor.variable),
                "type": tensor.type.get_element_type(),
                "var_shape": DenseIntOrFPElementsAttr.from_list(TensorType(IndexType(), [len(shape)]), shape),
            }
            if tensor.data:
                properties["initial_value"] = self._dense(tensor.type, tensor.data)
            self.variables[tensor.variable] = VariableOp.create(properties=properties)
        return self.variables[tensor.variable]

    def _attributes(
        self, entry: Entry, table: Table | None, operands: list[SSAValue], depth: int
    ) -> tuple[dict[str, Attribute], list[Region]]:
        properties: dict[str, Attribute] = {}
        regions: list[Region] = []
        if entry.fields and table is None:
            raise self.malformed("its attribute is missing")
        for number, field in enumerate(entry.fields):
            assert table is not None, "it was just asked for"
            if field.kind is Kind.REGION:
                regions.append(self._region(table.text(number), depth))
            else:
                value = self._attribute(table, number, field, operands)
                if value is not None:
                    properties[field.name] = value
        return properties, regions

    def _region(self, name: str, depth: int) -> Region:
        if name not in self.regions:
            raise self.malformed(f"no region is called '{name}'")
        place = self.place
        block, made = self._block_of(self.regions[name]), Block()
        values = self._fill(made, block, block.texts(3), depth + 1)
        self.place = place
        made.add_op(YieldOp(operands=[[self._value(values, output) for output in block.texts(4)]]))
        return Region(made)

    def _attribute(self, table: Table, number: int, field: Field, operands: list[SSAValue]) -> Attribute | None:
        match field.kind:
            case Kind.AXIS:
                return IntegerAttr(table.number(number), i32)
            case Kind.FLAG:
                return IntegerAttr(int(table.flag(number)), i1)
            case Kind.WINDOW:
                return DenseArrayBase.from_list(i64, list(table.integers(number)))
            case Kind.ORDER:
                return DenseArrayBase.from_list(i32, list(table.integers(number)))
            case Kind.TYPE:
                return self._element(table.number(number, "I"))
            case Kind.NAN:
                word = self._word(NAN_MODES, table.number(number, "I"), 1)
                return NanModeAttr(NanMode(word))
            case Kind.ROUNDING:
                return RoundingModeAttr(RoundingMode(self._word(ROUNDING_MODES, table.number(number, "I"))))
            case Kind.RESIZING:
                return ResizeModeAttr(ResizeMode(self._word(RESIZE_MODES, table.number(number, "I"))))
            case Kind.NAME:
                return StringAttr(table.text(number))
            case Kind.TEXT:
                return StringAttr(table.bytes(number).decode("latin-1"))
            case _:
                return self._number(table.bytes(number), operands)

    def _word(self, words: Mapping[int, str], number: int, default: int | None = None) -> str:
        if number == 0 and default is not None:
            number = default
        if number not in words:
            raise self.malformed(f"{number} is none of {', '.join(words.values())}")
        return words[number]

    def _number(self, data: bytes, operands: list[SSAValue]) -> Attribute:
        """A bound in the element type of the first operand."""
        type: Any = operands[0].type if operands else None
        element = type.get_element_type() if isinstance(type, TensorType) else None
        if isinstance(element, IntegerType):
            size = -(-element.width.data // 8)
            if len(data) < size:
                raise self.malformed(f"a bound has {len(data)} bytes, expected {size}")
            return IntegerAttr(int.from_bytes(data[:size], "little", signed=element.width.data > 1), element)
        if element == f32 and len(data) >= 4:
            return FloatAttr(struct.unpack_from("<f", data)[0], f32)
        raise self.malformed(f"bounds for elements of {element} cannot be read")


def _bits(element: Attribute) -> int:
    """Bits of an element in the file; truth values have bytes."""
    if isinstance(element, IntegerType):
        return max(element.width.data, 4) if element.width.data != 1 else 8
    return 32 if element == f32 else 16


def _named(names: list[str]) -> ArrayAttr[DictionaryAttr]:
    return ArrayAttr(DictionaryAttr({TENSOR_NAME: StringAttr(name)}) for name in names)
