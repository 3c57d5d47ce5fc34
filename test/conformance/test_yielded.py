"""What loops and branches hand on: views, constants, arguments, the same value twice, read under other shapes."""

from __future__ import annotations

import importlib.util
from itertools import product

import numpy as np
import pytest
from case import Case, agree, float_samples
from host_batch import run_batch
from tflite_build import Graph, Operator, Tensor, constant, options, write_graphs
from tflm_oracle import run_oracle

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

ROWS, FLAT = (2, 3), (6,)
YIELDS = ("argument", "view", "constant", "computed", "computed view")
ROUNDS = 3


def yielding(rows: str, flat: str, seed: int) -> Graph:
    """Of a counter, rows and a flat tensor the next ones, each of one of `YIELDS`; equal words give one value twice."""
    rng = np.random.default_rng(seed)
    tensors = [
        Tensor((1,), "int32"),
        Tensor(ROWS, "float32"),
        Tensor(FLAT, "float32"),
        constant(np.array([1], np.int32)),
    ]
    operators: list[Operator] = []

    def add(opcode: str, inputs: list[int], shape: tuple[int, ...]) -> int:
        tensors.append(Tensor(shape, tensors[inputs[0]].dtype))
        made = options("Reshape", newShape=list(shape)) if opcode == "RESHAPE" else options("Add")
        operators.append(Operator(opcode, inputs, [len(tensors) - 1], made))
        return len(tensors) - 1

    def result(what: str, own: int, other: int, shape: tuple[int, ...]) -> int:
        match what:
            case "argument":
                return own
            case "view":
                return add("RESHAPE", [other], shape)
            case "constant":
                tensors.append(constant(rng.normal(size=shape).astype(np.float32)))
                return len(tensors) - 1
            case "computed":
                return add("ADD", [own, own], shape)
            case _:
                return add("RESHAPE", [add("ADD", [other, other], tensors[other].shape)], shape)

    counter = add("ADD", [0, 3], (1,))
    return Graph(tensors, operators, [0, 1, 2], [counter, result(rows, 1, 2, ROWS), result(flat, 2, 1, FLAT)])


def around(operator: Operator, *, reshaped: bool) -> Graph:
    """The operator between the model's inputs and outputs; `reshaped`: its results leave under other shapes only."""
    tensors = [Tensor((1,), "int32"), Tensor(ROWS, "float32"), Tensor(FLAT, "float32")] * 2
    tensors += [
        constant(np.array([0], np.int32)),
        constant(np.array([True])),
        Tensor(FLAT, "float32"),
        Tensor(ROWS, "float32"),
    ]
    views = [Operator("RESHAPE", [n], [n + 4], options("Reshape", newShape=list(tensors[n + 4].shape))) for n in (4, 5)]
    return Graph(tensors, [operator, *views] if reshaped else [operator], [1, 2], [8, 9] if reshaped else [4, 5])


def loop(rows: str, flat: str, *, reshaped: bool) -> bytes:
    """A loop of a few rounds."""
    made = options("While", condSubgraphIndex=1, bodySubgraphIndex=2)
    tensors = [Tensor((1,), "int32"), Tensor(ROWS, "float32"), Tensor(FLAT, "float32")]
    tensors += [constant(np.array([ROUNDS], np.int32)), Tensor((1,), "bool")]
    condition = Graph(tensors, [Operator("LESS", [0, 3], [4], options("Less"))], [0, 1, 2], [4])
    main = around(Operator("WHILE", [6, 1, 2], [3, 4, 5], made), reshaped=reshaped)
    return write_graphs([main, condition, yielding(rows, flat, 1)])


def branch(rows: str, flat: str, *, reshaped: bool) -> bytes:
    """A branch of which one side is always taken; the other one yields the same kinds the other way round."""
    made = options("If", thenSubgraphIndex=1, elseSubgraphIndex=2)
    main = around(Operator("IF", [7, 6, 1, 2], [3, 4, 5], made), reshaped=reshaped)
    return write_graphs([main, yielding(rows, flat, 2), yielding(flat, rows, 3)])


def check(step: int) -> None:
    """Compare every `step`th pair of kinds with the reference."""
    rng = np.random.default_rng(5)
    named = [
        (build, pair, n % 2 == 1)
        for pair in product(YIELDS, YIELDS)
        for n, build in ((YIELDS.index(pair[0]) + YIELDS.index(pair[1]), loop), (YIELDS.index(pair[1]), branch))
    ]
    named += [(build, pair, not reshaped) for build, pair, reshaped in named[::7]]
    named = named[::step]
    cases = [
        Case(build(*pair, reshaped=reshaped), (float_samples(rng, ROWS), float_samples(rng, FLAT)), outputs=2)
        for build, pair, reshaped in named
    ]
    wrong = [
        f"{build.__name__}{pair} reshaped={reshaped}: {why}"
        for (build, pair, reshaped), case, ours, theirs in zip(
            named, cases, run_batch(cases), run_oracle(cases), strict=True
        )
        if (why := agree(case, ours, theirs))
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_yielded_arrives() -> None:
    check(4)


@pytest.mark.sweep
def test_sweep_what_is_yielded_arrives() -> None:
    check(1)
