"""Entries of one file that share a variable cannot be compiled apart."""

from __future__ import annotations

import pytest
from tflite_build import Graph, Operator, Tensor, options, write_graphs

from stillpool.errors import UnsupportedError
from stillpool.frontends.tflite import import_tflite


def model(second: str) -> bytes:
    """One entry writes the variable `sum`, the other reads the variable `second`."""
    data, handle = Tensor((2,), "float32"), Tensor((), "resource")

    def named(name: str) -> Operator:
        return Operator("VAR_HANDLE", (), (1,), options("VarHandle", container="", sharedName=name))

    write = Operator("ASSIGN_VARIABLE", (1, 0), (), options("AssignVariable"))
    add = Operator("ADD", (0, 0), (2,), options("Add"))
    read = Operator("READ_VARIABLE", (1,), (2,), options("ReadVariable"))
    again = Operator("ADD", (2, 0), (3,), options("Add"))
    graphs = [
        Graph([data, handle, data], [named("sum"), write, add], (0,), (2,)),
        Graph([data, handle, data, data], [named(second), read, again], (0,), (3,)),
    ]
    return write_graphs(graphs, [("store", (["x"], ["y"])), ("fetch", (["x"], ["y"]))])


def test_shared_variables_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="the signature 'fetch' shares the variables 'sum'"):
        import_tflite(model("sum"), "m", signature="store")


def test_variables_of_their_own_are_not() -> None:
    assert "nn.read_variable" in str(import_tflite(model("other"), "m", signature="fetch"))
