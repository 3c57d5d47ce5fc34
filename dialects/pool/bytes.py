"""`pool.bytes`: the bytes of a memref."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType, NoneAttr, i8
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import PassFailedException, VerifyException

from .extent import buffer_bytes


@irdl_op_definition
class BytesOp(IRDLOperation):
    """The bytes of a dense memref one behind the other, so that `memref.view` can name some of them.

    Upstream's views begin with bytes; of a memref of other elements, as an input of floats is, this gives them.
    Example: `%bytes = pool.bytes %x : memref<4x8xf32> -> memref<128xi8>`
    """

    name = "pool.bytes"
    source = operand_def(MemRefType)
    result = result_def(MemRefType)

    traits = traits_def(Pure())
    assembly_format = "$source attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue):
        type = source.type
        assert isinstance(type, MemRefType), "memrefs have bytes"
        super().__init__(operands=[source], result_types=[_bytes_of(type)])

    def verify_(self) -> None:
        source = self.source.type
        assert isinstance(source, MemRefType), "verified"
        try:
            expected = _bytes_of(source)
        except PassFailedException as error:
            raise VerifyException(f"'{self.name}' op {error}") from error
        if not isinstance(source.layout, NoneAttr):
            raise VerifyException(f"'{self.name}' op needs a dense memref, not {source}")
        if self.result.type != expected:
            raise VerifyException(f"'{self.name}' op gives {expected}, not {self.result.type}")


def _bytes_of(type: MemRefType) -> MemRefType:
    return MemRefType(i8, [buffer_bytes(type)], NoneAttr(), type.memory_space)
