"""Subgraphs that stand for more than the file holds: counted before they are unfolded, in no time."""

from __future__ import annotations

import time

import pytest
from tflite_build import Graph, Operator, Tensor, options, write_graphs

from stillpool.errors import UnsupportedError
from stillpool.frontends.tflite import import_tflite

TENSORS = (Tensor((), "bool"), Tensor((4,), "float32"), Tensor((4,), "float32"))


def branching(levels: int, *, shared: bool) -> bytes:
    """Each level runs the next one in both of its branches, or in one beside a leaf."""
    graphs = [
        Graph(
            TENSORS,
            [Operator("IF", [0, 0, 1], [2], options("If", thenSubgraphIndex=n + 1, elseSubgraphIndex=other))],
            [0, 1],
            [2],
        )
        for n in range(levels)
        for other in [n + 1 if shared else levels]
    ]
    graphs.append(Graph(TENSORS, [Operator("ABS", [1], [2])], [0, 1], [2]))
    return write_graphs(graphs)


def cyclic() -> bytes:
    """A subgraph that runs itself."""
    made = options("If", thenSubgraphIndex=0, elseSubgraphIndex=0)
    return write_graphs([Graph(TENSORS, [Operator("IF", [0, 0, 1], [2], made)], [0, 1], [2])])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (branching(20, shared=True), "stands for 2097151 operators"),
        (branching(400, shared=True), r"stands for over 2\*\*400 operators"),
        (branching(300, shared=False), "nested 300 deep; at most 32"),
        (cyclic(), "subgraph 0 runs itself"),
    ],
    ids=["doubling", "far beyond counting", "deep", "cyclic"],
)
def test_too_large_is_said_at_once(data: bytes, expected: str) -> None:
    start = time.process_time()
    with pytest.raises(UnsupportedError, match=expected):
        import_tflite(data, "net")
    assert time.process_time() - start < 5


def test_what_fits_is_compiled() -> None:
    assert str(import_tflite(branching(4, shared=True), "net")).count("nn.unary abs") == 16
