"""Whether self-tests of networks with loops have golden outputs: the model decides, and no clock."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tflite_build import Graph, Operator, Tensor, constant, options, write_graphs

import stillpool
from stillpool.errors import InputError
from stillpool.progress import warned
from stillpool.run import artifact
from stillpool.run.oracles.oracle import SECONDS, OracleTooSlow
from stillpool.run.oracles.tflite import TfliteOracle

pytestmark = pytest.mark.extra("verify")


def network(condition: str, limit: int = 5) -> bytes:
    """A sum that grows while the counter is below the limit, while a mark is set, or both."""
    counter, mark, data = Tensor((), "int32"), Tensor((), "bool"), Tensor((2,), "float32")
    start, most, step = (constant(np.array(number, np.int32)) for number in (0, limit, 1))
    carried = [counter, mark, data]
    below = Operator("LESS", (0, 3), (4,), options("Less"))
    both = Operator("LOGICAL_AND", (4, 1), (5,))
    operators, answer = {"counter": ([below], 4), "mark": ([], 1), "both": ([below, both], 5)}[condition]
    head = Graph([*carried, most, mark, mark], operators, (0, 1, 2), (answer,))
    grow = [Operator("ADD", (0, 3), (4,), options("Add")), Operator("ADD", (2, 2), (5,), options("Add"))]
    body = Graph([*carried, step, counter, data], grow, (0, 1, 2), (4, 1, 5))
    loop = Operator("WHILE", (0, 1, 2), (3, 4, 5), options("While", condSubgraphIndex=1, bodySubgraphIndex=2))
    return write_graphs([Graph([start, mark, data, *carried], [loop], (1, 2), (5,)), head, body])


def self_test(model: bytes, folder: Path) -> tuple[str, list[str]]:
    """The program, and what the user is told."""
    (folder / "net.tflite").write_bytes(model)
    said: list[str] = []
    with warned(said.append):
        (text,) = stillpool.compile(folder / "net.tflite").tests.values()
    return text, said


@pytest.mark.parametrize("condition", ["counter", "both"])
def test_loops_whose_rounds_end_have_some(condition: str, tmp_path: Path) -> None:
    text, said = self_test(network(condition), tmp_path)
    assert ("golden outputs" in text, said) == (True, [])
    assert "Expected outputs: " in text


@pytest.mark.parametrize(
    ("condition", "limit", "words"),
    [
        ("mark", 5, "how often its loops run depends on data, and a reference interpreter may not end"),
        ("both", 2**31 - 1, "how often its loops run depends on data"),
        ("counter", 1_000_000, "3 samples take more than 8,589,934,592 multiplications"),
    ],
)
def test_loops_that_may_not_end_have_none(condition: str, limit: int, words: str, tmp_path: Path) -> None:
    text, (said,) = self_test(network(condition, limit), tmp_path)
    assert "Expected outputs: " not in text
    assert said.startswith("the self-test of 'net' has no golden outputs: ")
    assert words in said


@pytest.mark.parametrize(("condition", "seconds"), [("mark", artifact.LOOP_SECONDS), ("counter", SECONDS)])
def test_a_loop_that_may_not_end_is_not_waited_for(
    condition: str, seconds: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    monkeypatch.setattr(TfliteOracle, "answer", lambda *_, timeout, **__: given.append(timeout))
    (tmp_path / "net.tflite").write_bytes(network(condition))
    stillpool.compile(tmp_path / "net.tflite").reference([])
    assert given == [seconds]


def test_an_interpreter_that_is_too_slow_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written would depend on the clock."""

    def slow(*_: object, **__: object) -> None:
        raise OracleTooSlow("600 s")

    monkeypatch.setattr(artifact.Artifact, "reference", slow)
    with pytest.raises(InputError, match="600 s"):
        self_test(network("counter"), tmp_path)
