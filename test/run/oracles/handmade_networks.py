"""Networks that no single reference interpreter runs, and networks with a state."""

from __future__ import annotations

from typing import Any

import ai_edge_litert.schema_py_generated as schema
import flatbuffers
import numpy as np
from tflite_build import Operator, Tensor, constant, options, write_model

SHAPE = (1, 48)


def dense(size: int = 48, seed: int = 3) -> tuple[Tensor, Tensor]:
    """Weights and bias of a FULLY_CONNECTED of int8."""
    rng = np.random.default_rng(seed)
    weights = constant(rng.integers(-127, 128, (size, size)).astype(np.int8), (0.013,))
    return weights, constant(rng.integers(-500, 500, size).astype(np.int32), (0.013 * 0.05,))


def activation(name: str) -> Tensor:
    """A row of int8."""
    return Tensor(SHAPE, "int8", (0.05,), (-3,), name=name)


def gelu_network() -> bytes:
    """FULLY_CONNECTED, GELU (which TFLite Micro lacks), FULLY_CONNECTED (which LiteRT rounds otherwise)."""
    tensors = [activation("a"), *dense(), activation("b"), activation("c"), activation("d")]
    operators = [
        Operator("FULLY_CONNECTED", (0, 1, 2), (3,), options("FullyConnected")),
        Operator("GELU", (3,), (4,), options("Gelu", approximate=True)),
        Operator("FULLY_CONNECTED", (4, 1, 2), (5,), options("FullyConnected")),
    ]
    return write_model(tensors, operators, (0,), (5,))


def tile_network() -> bytes:
    """TILE of version 3, which neither TFLite Micro nor LiteRT's reference kernels have, behind a RESHAPE."""
    multiples, shape = constant(np.array([1, 2], np.int32)), constant(np.array([1, 96], np.int32))
    tiled = Tensor((1, 96), "int8", (0.05,), (-3,), name="tiled")
    given = Tensor((48, 1), "int8", (0.05,), (-3,), name="given")
    pairs = Tensor((48, 2), "int8", (0.05,), (-3,), name="pairs")
    operators = [
        Operator("TILE", (0, 1), (2,), options("Tile")),
        Operator("RESHAPE", (2, 3), (4,), options("Reshape", newShape=[1, 96])),
    ]
    return with_version(write_model([given, multiples, pairs, shape, tiled], operators, (0,), (4,)), "TILE", 3)


def with_version(model: bytes, kind: str, version: int) -> bytes:
    """The model with another version of one kind of operator."""
    made: Any = schema.ModelT.InitFromPackedBuf(model, 0)
    for code in made.operatorCodes:
        if code.builtinCode == getattr(schema.BuiltinOperator, kind):
            code.version = version
    builder = flatbuffers.Builder(1024)
    builder.Finish(made.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def counter_network() -> bytes:
    """A sum over runs that a resource holds, with an operator between reading and writing it, and a GELU behind."""
    floats = (1, 4)
    tensors = [
        Tensor((), "resource", name="handle"),
        Tensor(floats, "float32", name="x"),
        Tensor(floats, "float32", name="old"),
        Tensor(floats, "float32", name="new"),
        Tensor(floats, "float32", name="y"),
        Tensor(floats, "float32", name="z"),
    ]
    operators = [
        Operator("NEG", (1,), (4,), options("Neg")),
        Operator("VAR_HANDLE", (), (0,), options("VarHandle", container="", sharedName="sum")),
        Operator("READ_VARIABLE", (0,), (2,), options("ReadVariable")),
        Operator("ADD", (2, 4), (3,), options("Add")),
        Operator("ASSIGN_VARIABLE", (0, 3), (), options("AssignVariable")),
        Operator("GELU", (3,), (5,), options("Gelu")),
    ]
    return write_model(tensors, operators, (1,), (5,))
