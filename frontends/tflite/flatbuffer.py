"""Reads a TFLite flatbuffer into `schema` dataclasses, trusting no offset, length or number in it.

The generated accessors of the `tflite` package check nothing: here every vector is measured against the file before it
is read, the total of what is read is bounded (tables may overlap in a hostile file), and whatever the layer below
raises becomes an `InputError` that names the table. What the numbers mean together is checked in `consistency.py`.
"""

from __future__ import annotations

import importlib
import inspect
import math
import struct
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from tflite.BuiltinOptions import BuiltinOptions
from tflite.BuiltinOptions2 import BuiltinOptions2
from tflite.DimensionType import DimensionType
from tflite.Int32Vector import Int32Vector
from tflite.Model import Model as ModelTable
from tflite.SparseIndexVector import SparseIndexVector
from tflite.Uint8Vector import Uint8Vector
from tflite.Uint16Vector import Uint16Vector
from tflite.utils import BUILTIN_OPCODE2NAME

from ...errors import InputError
from ..formats import foreign_format
from .element_types import ElementType
from .option_tables import enumerators
from .schema import Model, Operator, OptionValue, Quantisation, Signature, Subgraph, Tensor
from .sparsity import Level, Sparsity, SparsityError, densify

IDENTIFIER = b"TFL3"
"""Bytes 4 to 7 of every TFLite file."""

VERSION = 3
"""The only schema version in use."""

_LAYER_ERRORS = (struct.error, IndexError, TypeError, ValueError, OverflowError, AttributeError, MemoryError)
"""Exceptions of the accessors on nonsense (UnicodeDecodeError is a ValueError)."""

_BUILTIN_CODE = 10
"""Place of the field `builtin_code` in the vtable of an operator code."""

_INDEX_VECTORS: Mapping[int, Callable[[], Any]] = {
    SparseIndexVector.Int32Vector: Int32Vector,
    SparseIndexVector.Uint16Vector: Uint16Vector,
    SparseIndexVector.Uint8Vector: Uint8Vector,
}
"""Integers of a sparse tensor's level, by the number of their table in the schema's union."""

_READS_PER_BYTE = 16
"""A file whose vectors sum to more than this many times its size shares them beyond any sensible use."""

_TABLE_COST = 16 * _READS_PER_BYTE
"""Weight of a table: no file holds more of them than one for every 16 bytes."""

_ELEMENT_TYPES = frozenset(element_type.value for element_type in ElementType)
_OPTIONS = enumerators(BuiltinOptions)
_OPTIONS2 = enumerators(BuiltinOptions2)


def read_model(data: bytes, source: str) -> Model:
    """Read a file's bytes.

    Args:
        data: the file.
        source: its name, for messages.

    Raises:
        InputError: not a TFLite file, or a table cannot be read.
    """
    return _Reader(data, source).model()


class _Reader:
    def __init__(self, data: bytes, source: str):
        self.data = data
        self.source = source
        self._budget = _READS_PER_BYTE * len(data) + 4096
        self._buffers: list[bytes] = []

    def malformed(self, message: str) -> InputError:
        return InputError(f"malformed TFLite file {self.source}: {message}")

    @contextmanager
    def reading(self, what: str) -> Generator[None]:
        """Turn the accessors' exceptions into an error that names the table."""
        try:
            yield
        except _LAYER_ERRORS as error:
            raise self.malformed(f"{what} cannot be read") from error

    def _take(self, count: int, width: int, what: str, *, cost: int = 0) -> int:
        """Check a vector of `count` elements of `width` bytes against the file and the budget; returns `count`."""
        size = count * width
        self._budget -= size + count * cost
        if size > len(self.data) or self._budget < 0:
            raise self.malformed(f"{what} has {count} elements, more than the file holds")
        return count

    def tables(self, parent: Any, field: str, what: str) -> list[Any]:
        """The tables of a vector of tables."""
        count = self._take(getattr(parent, f"{field}Length")(), 4, what, cost=_TABLE_COST)
        return [getattr(parent, field)(position) for position in range(count)]

    def numbers(self, parent: Any, field: str, what: str) -> tuple[Any, ...]:
        """The elements of a vector of numbers, as Python numbers; empty if it is absent."""
        if not getattr(parent, f"{field}Length")():
            return ()
        view = getattr(parent, f"{field}AsNumpy")()  # no copy, and refuses to leave the file
        self._take(view.size, view.itemsize, what)
        return tuple(view.tolist())

    def text(self, raw: bytes | None) -> str:
        """A string field; empty if it is absent."""
        if raw is None:
            return ""
        self._take(len(raw), 1, "a string")
        return raw.decode("utf-8")

    def model(self) -> Model:
        if len(self.data) < 8 or self.data[4:8] != IDENTIFIER:
            found = foreign_format(self.data, self.source)
            if found is None:
                raise InputError(f"{self.source} is not a TFLite file: it lacks the identifier 'TFL3'")
            raise InputError(f"{self.source} is not a TFLite file: it is {found.title}", remedy=found.remedy)
        with self.reading("the model table"):
            root = ModelTable.GetRootAs(self.data, 0)
            if root.Version() != VERSION:
                raise self.malformed(f"schema version {root.Version()}, expected {VERSION}")
            buffers = self.tables(root, "Buffers", "the list of buffers")
            codes = self.tables(root, "OperatorCodes", "the list of operator codes")
            subgraphs = self.tables(root, "Subgraphs", "the list of subgraphs")
            signatures = self.tables(root, "SignatureDefs", "the list of signatures")
            metadata = self.tables(root, "Metadata", "the list of metadata")
        self._buffers = [self._buffer(table, index) for index, table in enumerate(buffers)]
        opcodes = [self._opcode(table, index) for index, table in enumerate(codes)]
        return Model(
            self.source,
            tuple(self._subgraph(table, index, opcodes) for index, table in enumerate(subgraphs)),
            tuple(self._signature(table, index) for index, table in enumerate(signatures)),
            self._arena_offsets(metadata),
        )

    def _arena_offsets(self, metadata: Sequence[Any]) -> tuple[int, ...]:
        """The metadata `OfflineMemoryAllocation`: version, subgraphs, count, then an offset for each tensor."""
        for table in metadata:
            with self.reading("the metadata"):
                if self.text(table.Name()) != "OfflineMemoryAllocation" or table.Buffer() >= len(self._buffers):
                    continue
                data = self._buffers[table.Buffer()]
                numbers = np.frombuffer(data[: len(data) // 4 * 4], "<i4").tolist()
                if len(numbers) >= 3 and len(numbers) >= 3 + numbers[2]:
                    return tuple(numbers[3 : 3 + numbers[2]])
        return ()

    def _buffer(self, table: Any, index: int) -> bytes:
        with self.reading(f"buffer {index}"):
            if table.Offset() > 1:  # stored behind the flatbuffer, as files over 2 GiB do
                start, size = table.Offset(), self._take(table.Size(), 1, f"buffer {index}")
                if start + size > len(self.data):
                    raise self.malformed(f"buffer {index} lies outside the file")
                return self.data[start : start + size]
            if not self._take(table.DataLength(), 1, f"buffer {index}"):
                return b""
            return table.DataAsNumpy().astype(np.uint8).tobytes()

    def _opcode(self, table: Any, index: int) -> tuple[str, str, int]:
        """Built-in name, custom name and version; files of before 2020 hold the number in a deprecated byte."""
        with self.reading(f"operator code {index}"):
            number = max(_builtin_code(table), table.DeprecatedBuiltinCode())
            custom = self.text(table.CustomCode())
            return BUILTIN_OPCODE2NAME.get(number, f"BUILTIN_{number}"), custom, table.Version()

    def _subgraph(self, table: Any, index: int, opcodes: list[tuple[str, str, int]]) -> Subgraph:
        what = f"subgraph {index}"
        with self.reading(what):
            tensors = self.tables(table, "Tensors", f"{what}'s list of tensors")
            operators = self.tables(table, "Operators", f"{what}'s list of operators")
            name = self.text(table.Name())
            inputs = self.numbers(table, "Inputs", f"{what}'s list of inputs")
            outputs = self.numbers(table, "Outputs", f"{what}'s list of outputs")
        return Subgraph(
            name,
            tuple(self._tensor(tensor, position) for position, tensor in enumerate(tensors)),
            tuple(self._operator(operator, position, opcodes) for position, operator in enumerate(operators)),
            inputs,
            outputs,
        )

    def _tensor(self, table: Any, index: int) -> Tensor:
        with self.reading(f"tensor {index}"):
            name = self.text(table.Name()) or f"tensor_{index}"
            what = f"tensor {index} '{name}'"
            shape = self.numbers(table, "Shape", f"{what}'s shape")
            signature = self.numbers(table, "ShapeSignature", f"{what}'s shape signature")
            number, buffer = table.Type(), table.Buffer()
            if number not in _ELEMENT_TYPES:
                raise self.malformed(f"{what} has the unknown element type {number}")
            if buffer >= len(self._buffers):
                raise self.malformed(f"{what} names buffer {buffer} of {len(self._buffers)}")
            # Buffer 0 is empty by definition: the mark of tensors without data.
            data = (self._buffers[buffer] or None) if buffer else None
            sparsity = self._sparsity(table.Sparsity(), what)
            bits = ElementType(number).bits
            is_dense = data is None or sparsity is None
            if data is not None and sparsity is not None and bits is not None and bits % 8 == 0:
                data, is_dense = self._dense(shape, bits // 8, data, sparsity, what), True
            return Tensor(
                index,
                name,
                shape,
                signature,
                ElementType(number),
                buffer,
                b"" if 0 in shape else data,
                self._quantisation(table.Quantization(), what),
                bool(table.IsVariable()),
                not is_dense,
            )

    def _sparsity(self, table: Any, what: str) -> Sparsity | None:
        """How a tensor's values are stored; None if they are dense."""
        if table is None:
            return None
        what = f"the sparsity of {what}"
        order = self.numbers(table, "TraversalOrder", what)
        levels = [self._level(level, what) for level in self.tables(table, "DimMetadata", what)]
        return Sparsity(order, self.numbers(table, "BlockMap", what), tuple(levels))

    def _level(self, table: Any, what: str) -> Level:
        if table.Format() == DimensionType.DENSE:
            return Level(table.DenseSize(), None)
        vectors: list[tuple[int, ...]] = []
        for field in ("ArraySegments", "ArrayIndices"):
            kind, union = getattr(table, f"{field}Type")(), getattr(table, field)()
            if kind not in _INDEX_VECTORS or union is None:
                raise self.malformed(f"{what} lacks {field}")
            vector = _INDEX_VECTORS[kind]()
            vector.Init(union.Bytes, union.Pos)
            vectors.append(self.numbers(vector, "Values", what))
        return Level(0, *vectors)

    def _dense(self, shape: tuple[int, ...], width: int, data: bytes, sparsity: Sparsity, what: str) -> bytes:
        if min(shape, default=1) < 0:
            raise self.malformed(f"{what} has the negative extents {list(shape)}")
        self._take(math.prod(shape), 0, what, cost=width)
        try:
            return densify(shape, width, data, sparsity)
        except SparsityError as error:
            raise self.malformed(f"{what}: {error}") from error

    def _quantisation(self, table: Any, what: str) -> Quantisation | None:
        if table is None:
            return None
        with self.reading(f"the quantisation of {what}"):
            scales = self.numbers(table, "Scale", f"{what}'s list of scales")
            zero_points = self.numbers(table, "ZeroPoint", f"{what}'s list of zero points")
            return Quantisation(scales, zero_points, table.QuantizedDimension()) if scales else None

    def _operator(self, table: Any, index: int, opcodes: list[tuple[str, str, int]]) -> Operator:
        what = f"operator {index}"
        with self.reading(what):
            code = table.OpcodeIndex()
            if code >= len(opcodes):
                raise self.malformed(f"{what} names operator code {code} of {len(opcodes)}")
            opcode, custom, version = opcodes[code]
            inputs = self.numbers(table, "Inputs", f"{what}'s list of inputs")
            outputs = self.numbers(table, "Outputs", f"{what}'s list of outputs")
            kind, options = table.BuiltinOptionsType(), table.BuiltinOptions()
            names: Mapping[int, str] = _OPTIONS
            if not kind and table.BuiltinOptions2Type():
                kind, options, names = table.BuiltinOptions2Type(), table.BuiltinOptions2(), _OPTIONS2
            options_type = names.get(kind, f"UNKNOWN_{kind}")
            known = kind in names and kind != 0
            if known and options is None:
                raise self.malformed(f"{what} {opcode} lacks its {options_type} table")
            fields = self._options(options_type, options, f"{what} {opcode}") if known else {}
            extra = bytes(self.numbers(table, "CustomOptions", f"{what}'s custom options"))
        return Operator(index, opcode, custom, version, inputs, outputs, options_type, fields, extra)

    def _options(self, name: str, union: Any, what: str) -> dict[str, OptionValue]:
        """Every field of an options table, by its accessor's name."""
        options = getattr(importlib.import_module(f"tflite.{name}"), name)()
        options.Init(union.Bytes, union.Pos)
        fields: dict[str, OptionValue] = {}
        with self.reading(f"the options of {what}"):
            for field, method in _accessors(type(options)):
                if hasattr(options, f"{field}AsNumpy"):
                    fields[field] = self.numbers(options, field, f"{field} of {what}")
                else:
                    value = method(options)
                    fields[field] = self.text(value) if isinstance(value, bytes) else value
        return fields

    def _signature(self, table: Any, index: int) -> Signature:
        what = f"signature {index}"
        with self.reading(what):
            return Signature(
                self.text(table.SignatureKey()),
                table.SubgraphIndex(),
                self._names(table, "Inputs", what),
                self._names(table, "Outputs", what),
            )

    def _names(self, table: Any, field: str, what: str) -> dict[int, str]:
        entries = self.tables(table, field, f"{what}'s list of {field.lower()}")
        return {entry.TensorIndex(): self.text(entry.Name()) for entry in entries}


def _builtin_code(table: Any) -> int:
    """The field `builtin_code` itself: the package's accessor gives the deprecated byte in its place below 127."""
    field = table._tab.Offset(_BUILTIN_CODE)
    return struct.unpack_from("<i", table._tab.Bytes, table._tab.Pos + field)[0] if field else 0


def _accessors(options: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The fields of a generated options class that are numbers, strings or vectors of numbers."""
    for name, method in inspect.getmembers(options, inspect.isfunction):
        if name == "Init" or name.endswith(("AsNumpy", "Length", "IsNone")):
            continue
        is_vector = len(inspect.signature(method).parameters) > 1
        if not is_vector or hasattr(options, f"{name}AsNumpy"):
            yield name, method
