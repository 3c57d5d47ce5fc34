"""Rows that stand where a window reaches over an edge: of sums of products, rows of zero points add nothing.

With them all rows of an operator are made by one function, where each way to reach over an edge would need its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.builder import Builder
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i8,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys
from ...dialects.operations import operations
from ...dialects.task import NestOp
from ...dialects.task.ops import TapsOp
from ...dialects.task.products import products
from ...targets.identifiers import UniqueNames
from ..byte_views import view_at


def neutral_element(nest: NestOp, number: int) -> int | None:
    """The byte that adds nothing to the sums of a task where a clipped read finds it, as what is clipped adds nothing.

    Args:
        nest: the task.
        number: which of the step's reads it is.

    Returns:
        None if there is none, or elements are no bytes.
    """
    # What is filled is no longer clipped, and would be counted as a tap.
    counts_taps = any(isinstance(op, TapsOp) for region in nest.regions for op in operations(region))
    factor = next((one for one in products(nest) or () if one.read == number), None)
    if counts_taps or factor is None or not nest.fold.data:
        return None
    least = -(1 << (factor.bits - 1)) if factor.signed else 0
    is_element = factor.bits == 8 and least <= factor.zero_point < least + (1 << factor.bits)
    return factor.zero_point if is_element else None


class FillRows:
    """Constants of one byte over and over, each as long as the longest row that is asked for."""

    def __init__(self, module: ModuleOp, wanted: Iterable[tuple[int, int]]):
        """`wanted` are bytes with the lengths of rows of them."""
        self._module = module
        self._lengths: dict[int, int] = {}
        for element, length in wanted:
            self._lengths[element] = max(length, self._lengths.get(element, 0))
        self._made: dict[int, SSAValue] = {}
        self._views: dict[tuple[int, Attribute], SSAValue] = {}

    def row(self, element: int, type: Attribute, builder: Builder) -> SSAValue:
        """A row, which is made with the builder where it is asked for first."""
        assert isinstance(type, MemRefType), "rows are memrefs"
        if (element, type) not in self._views:
            if element not in self._made:
                constant = self._constant(element)
                assert isinstance(constant.type, MemRefType), "constants are memrefs"
                get = memref.GetGlobalOp(constant.sym_name.data, constant.type)
                get.memref.name_hint = "outside"
                self._made[element] = builder.insert(get).memref
            self._views[element, type] = view_at(builder, self._made[element], 0, type, "outside")
        return self._views[element, type]

    def _constant(self, element: int) -> memref.GlobalOp:
        length = self._lengths[element]
        taken = (name.data for op in self._module.ops if isinstance(name := op.properties.get("sym_name"), StringAttr))
        name = UniqueNames(taken, first=0).numbered("outside")
        bytes_ = DenseIntOrFPElementsAttr.from_list(TensorType(i8, [length]), [(element + 128) % 256 - 128])
        type = MemRefType(i8, [length])
        made = memref.GlobalOp.get(StringAttr(name), type, bytes_, StringAttr("private"), UnitAttr())
        nn_keys.NAME.put(made.attributes, f"rows outside of tensors, of {element}")
        first = self._module.body.block.first_op
        assert first is not None, "there is a function"
        Rewriter.insert_op(made, InsertPoint.before(first))
        return made
