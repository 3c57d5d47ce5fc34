"""Elements at places that other tensors name: GATHER, GATHER_ND, SCATTER_ND, EMBEDDING_LOOKUP, SELECT_V2."""

from __future__ import annotations

from xdsl.ir import Operation

from ....dialects.nn.gather import GatherNdOp, GatherOp
from ....dialects.nn.quantise import DequantizeOp
from ....dialects.nn.scatter import ScatterNdOp
from ....dialects.nn.select import SelectOp
from ..node import Node, Unsupported, tensor_type
from ..scales import symmetric_weights
from ..schema import Tensor
from .movement import TYPES, data_of, expect_output
from .registry import operator


def _check_indices(node: Node, indices: Tensor, *, others: tuple[str, ...] = ()) -> None:
    node.check_types((indices,), supported=("INT32", "INT64"), others=others)
    node.refuse_empty(node.input(0), indices)


@operator("GATHER", inputs=2, types=TYPES)
def gather(node: Node) -> Operation:
    """Slices along an axis."""
    data, indices = data_of(node), node.input(1)
    _check_indices(node, indices, others=("INT16",))
    axis = node.axis(node.integer("Axis"), len(data.shape))
    batch = node.integer("BatchDims")
    batch += len(indices.shape) if batch < 0 else 0
    made = GatherOp(node.value(data), node.value(indices), tensor_type(node.output), axis=axis, batch_dims=batch)
    expect_output(node, made.inferred_shape())
    return node.emit(made)


@operator("GATHER_ND", inputs=2, types=TYPES)
def gather_nd(node: Node) -> Operation:
    """Slices that rows of indices name."""
    data, indices = data_of(node), node.input(1)
    _check_indices(node, indices, others=("INT16",))
    return node.emit(GatherNdOp(node.value(data), node.value(indices), tensor_type(node.output)))


@operator("SCATTER_ND", inputs=3, types=tuple(name for name in TYPES if name != "BOOL"))
def scatter_nd(node: Node) -> Operation:
    """Zeros with slices added to them at rows of indices."""
    indices, updates, output = node.input(0), node.input(1), node.output
    node.check_types((indices,), supported=("INT32",))
    node.check_same_type((updates, output), TYPES)
    node.check_types((output,), supported=[name for name in TYPES if name != "BOOL"], others=("BOOL",))
    node.refuse_empty(indices, updates)
    expect_output(node, node.integers(node.input(2)))
    return node.emit(ScatterNdOp(node.value(indices), node.value(updates), tensor_type(output)))


@operator("EMBEDDING_LOOKUP", inputs=2, types=("FLOAT32", "INT8", "INT8 to FLOAT32"))
def embedding_lookup(node: Node) -> Operation:
    """Rows of a matrix; of int8 weights perhaps as floats."""
    indices, table, output = node.input(0), node.input(1), node.output
    supported = ("INT32 FLOAT32 FLOAT32", "INT32 INT8 INT8", "INT32 INT8 FLOAT32")
    others = ("INT32 UINT8 FLOAT32", "INT32 UINT8 UINT8", "INT32 INT4 FLOAT32")
    node.check_types((indices, table, output), supported=supported, others=others)
    node.refuse_empty(indices, table)
    if len(indices.shape) != 1 or len(table.shape) < 2:
        raise node.malformed(f"{indices} of shape {list(indices.shape)} cannot look up {list(table.shape)}")
    shape = (*indices.shape, *table.shape[1:])
    expect_output(node, shape)
    rows = node.emit(GatherOp(node.value(table), node.value(indices), tensor_type(table, shape)))
    if table.element_type is output.element_type:
        return rows
    scales = symmetric_weights(node, table, 0)
    if len(scales) != 1:
        raise Unsupported(f"{table} has a scale for each row")
    made = DequantizeOp(rows.results[0], scale=scales[0], zero_point=0, output_type=tensor_type(output))
    return node.emit(made)


@operator("SELECT_V2", inputs=3, types=TYPES)
def select_v2(node: Node) -> Operation:
    """A choice between two tensors; all three broadcast."""
    return _select(node, node.input(0).shape)


@operator("SELECT", inputs=3, types=TYPES)
def select(node: Node) -> Operation:
    """A choice between two tensors of one shape; a condition of rank 1 chooses slices."""
    condition, data = node.input(0).shape, node.input(1).shape
    ranks = len(data) - len(condition) if len(condition) == 1 else 0
    return _select(node, (*condition, *(1,) * ranks))


def _select(node: Node, shape: tuple[int, ...]) -> Operation:
    condition, then, otherwise = node.input(0), node.input(1), node.input(2)
    node.check_types((condition,), supported=("BOOL",))
    node.check_same_type((then, otherwise, node.output), TYPES)
    return node.emit(
        SelectOp(node.value(condition, shape), node.value(then), node.value(otherwise), tensor_type(node.output))
    )
