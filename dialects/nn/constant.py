"""`nn.constant`: weights, biases and other tensors known at compile time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IntegerType,
    Signedness,
    TensorType,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from .interfaces import HasRanges
from .ranges import Ranges

_DTYPES: Mapping[Attribute, np.dtype[np.generic]] = {
    i1: np.dtype(np.bool_),
    i8: np.dtype(np.int8),
    IntegerType(8, Signedness.UNSIGNED): np.dtype(np.uint8),
    i16: np.dtype(np.int16),
    i32: np.dtype(np.int32),
    i64: np.dtype(np.int64),
    f16: np.dtype(np.float16),
    f32: np.dtype(np.float32),
    f64: np.dtype(np.float64),
}


@irdl_op_definition
class ConstantOp(IRDLOperation, HasRanges):
    """A constant tensor; its value is the raw little-endian bytes of the elements, row-major.

    Example: `%w = nn.constant dense<[1, 2]> : tensor<2xi8>`
    """

    name = "nn.constant"
    value = prop_def(DenseIntOrFPElementsAttr)
    result = result_def(TensorType)
    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr):
        super().__init__(properties={"value": value}, result_types=[value.type])

    @staticmethod
    def of(array: npt.NDArray[np.generic], element: Attribute) -> ConstantOp:
        """A constant of the array's shape and the given element type."""
        data = array.astype(_DTYPES[element].newbyteorder("<")).tobytes()
        type = TensorType(cast("IntegerType | AnyFloat", element), array.shape)
        return ConstantOp(DenseIntOrFPElementsAttr(type, BytesAttr(data)))

    @property
    def array(self) -> npt.NDArray[np.generic]:
        """The elements in the tensor's shape."""
        type = self.value.type
        dtype = _DTYPES[type.get_element_type()].newbyteorder("<")
        return np.frombuffer(self.value.data.data, dtype).reshape(type.get_shape())

    def ranges(self, operands: Sequence[Ranges]) -> Sequence[Ranges]:
        array = self.array
        flat = array.reshape(-1, array.shape[-1] if array.shape else 1)
        with np.errstate(invalid="ignore"):
            flat = flat.astype(np.float64 if array.dtype.kind == "f" else np.int64)
            return [Ranges(flat.min(axis=0), flat.max(axis=0))]

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parser.parse_optional_attr_dict()
        value = parser.parse_attribute()
        if not isinstance(value, DenseIntOrFPElementsAttr):
            parser.raise_error("nn.constant needs a dense value")
        op = cls(value)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        printer.print_attribute(self.value)

    def verify_(self) -> None:
        if self.value.type != self.result.type:
            raise VerifyException(f"'{self.name}' op value of type {self.value.type} for result {self.result.type}")
