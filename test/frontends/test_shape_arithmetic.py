"""What converters compute of shapes is known when a model is imported: nothing of it is left."""

from __future__ import annotations

import numpy as np
from tflite_build import Operator, Tensor, constant, options, write_model
from xdsl.dialects.builtin import ModuleOp

from stillpool.frontends.tflite import import_tflite

BATCH, HEIGHT, WIDTH, CHANNELS = 2, 3, 4, 5


def int32(*values: int) -> Tensor:
    """A constant vector."""
    return constant(np.array(values, np.int32))


def names(module: ModuleOp) -> list[str]:
    """The names of the operations of the model's function."""
    return [op.name for op in module.walk() if op.name.startswith("nn.")]


def test_batch_is_kept_and_the_rest_flattened() -> None:
    """`tf.reshape(x, (tf.shape(x)[0], -1))`, as it is converted."""
    tensors = [
        Tensor((BATCH, HEIGHT, WIDTH), "float32", name="x"),
        Tensor((3,), "int32"),
        int32(0),
        int32(1),
        int32(1),
        Tensor((), "int32"),
        constant(np.array(-1, np.int32)),
        Tensor((2,), "int32"),
        Tensor((BATCH, HEIGHT * WIDTH), "float32", name="y"),
    ]
    operators = [
        Operator("SHAPE", (0,), (1,), options("Shape", outType=2)),
        Operator("STRIDED_SLICE", (1, 2, 3, 4), (5,), options("StridedSlice", shrinkAxisMask=1)),
        Operator("PACK", (5, 6), (7,), options("Pack", valuesCount=2)),
        Operator("RESHAPE", (0, 7), (8,), options("Reshape")),
    ]
    module = import_tflite(write_model(tensors, operators, (0,), (8,)), "model")
    assert names(module) == ["nn.reshape"]


def test_products_of_gathered_extents() -> None:
    """Extents are picked by index and multiplied."""
    tensors = [
        Tensor((BATCH, HEIGHT, WIDTH, CHANNELS), "float32", name="x"),
        Tensor((4,), "int32"),
        int32(1, 2),
        Tensor((2,), "int32"),
        int32(0),
        Tensor((1,), "int32"),
        int32(BATCH),
        int32(CHANNELS),
        Tensor((3,), "int32"),
        Tensor((BATCH, HEIGHT * WIDTH, CHANNELS), "float32", name="y"),
    ]
    operators = [
        Operator("SHAPE", (0,), (1,), options("Shape", outType=2)),
        Operator("GATHER", (1, 2), (3,), options("Gather")),
        Operator("REDUCE_PROD", (3, 4), (5,), options("Reducer", keepDims=True)),
        Operator("CONCATENATION", (6, 5, 7), (8,), options("Concatenation")),
        Operator("RESHAPE", (0, 8), (9,), options("Reshape")),
    ]
    module = import_tflite(write_model(tensors, operators, (0,), (9,)), "model")
    assert names(module) == ["nn.reshape"]


def test_broadcast_of_computed_shapes() -> None:
    """BROADCAST_ARGS and FILL of what is known."""
    tensors = [
        int32(HEIGHT, 1),
        int32(1, WIDTH),
        Tensor((2,), "int32"),
        Tensor((), "float32", name="value"),
        Tensor((HEIGHT, WIDTH), "float32", name="y"),
    ]
    operators = [
        Operator("BROADCAST_ARGS", (0, 1), (2,)),
        Operator("FILL", (2, 3), (4,), options("Fill")),
    ]
    module = import_tflite(write_model(tensors, operators, (3,), (4,)), "model")
    assert names(module) == ["nn.broadcast"]
