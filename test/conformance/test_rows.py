"""Random graphs of operators that run by rows: what TFLite Micro computes, on fewer bytes or as many."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import sweeps
from branched_graphs import branched_graph
from case import Case, agree
from deep_networks import SMALL, deep_network
from known_networks import KNOWN, known_network
from streaming_graphs import streaming_graph
from test_branched_graphs import check
from tflm_oracle import run_oracle

from stillpool import compile
from stillpool.driver.compile import row_choice
from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.options.options import Options, Rows

PLACES = ("all", "none", "inputs", "outputs")
"""Which of the inputs and outputs lie in the workspace."""
MODE: Options = {"rows": "on", "planner_seconds": 0.05}
POISONED: Options = {**MODE, "poison": True}
SCHEDULED: Options = {**MODE, "optimize": "speed", "target": "cortex-m4"}
"""Schedules of a processor, in their portable meaning."""
MODES: tuple[Options, ...] = (MODE, POISONED, SCHEDULED) if sweeps.LONG else ({**SCHEDULED, "poison": True},)
"""What a network is tried with."""


@pytest.fixture
def forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are taken wherever they differ from whole tensors, though these may need fewer bytes."""
    plan = row_choice._plan  # pyright: ignore[reportPrivateUsage]

    def larger(way: row_choice.Lowered[Compilation]) -> int | row_choice.PoolShort:
        found = plan(way)
        return found + (1 << 40) if isinstance(found, int) and way.compilation.plan.rows == "off" else found

    monkeypatch.setattr(row_choice, "_plan", larger)


def check_seeds(seeds: range, *modes: Options) -> None:
    """Branched graphs."""
    check([branched_graph(seed) for seed in seeds], [f"branched_graph({seed})" for seed in seeds], modes)


@pytest.mark.usefixtures("forced")
def test_results_stay_the_same() -> None:
    check_seeds(range(4), MODE)


@pytest.mark.usefixtures("forced")
def test_results_stay_the_same_with_schedules() -> None:
    check_seeds(range(4, 7), SCHEDULED)


def check_streams(seeds: Sequence[int], *modes: Options) -> None:
    """Networks on images."""
    check([streaming_graph(seed) for seed in seeds], [f"streaming_graph({seed})" for seed in seeds], modes)


@pytest.mark.usefixtures("forced")
def test_networks_on_images_stay_the_same() -> None:
    check_streams(range(3, 5), MODE)


@pytest.mark.usefixtures("forced")
def test_networks_on_images_destroy_nothing() -> None:
    check_streams(range(4, 5), {**MODE, "poison": True})


def test_a_deep_network_shrinks(tmp_path: Path) -> None:
    whole, by_rows = (workspace(deep_network(4), tmp_path / "deep.tflite", rows, "all") for rows in ("off", "on"))
    assert by_rows < 0.6 * whole


def check_known(name: str, tmp_path: Path, *modes: Options, dtype: str = "int8") -> None:
    """A network that people run: exact, and on less than four fifths of the bytes.

    Of the usual sweep it has fewer rows and columns, and fewer blocks.
    """
    smaller = {} if sweeps.LONG else {"side": KNOWN[name][1] * 2 // 3, "most": 4}
    case, model = known_network(name, dtype=dtype, **smaller), tmp_path / f"{name}.tflite"
    model.write_bytes(case.model)
    whole, by_rows = (
        sum(prepare(model, rows=rows, planner_seconds=0.05).workspace_bytes().values()) for rows in ("off", "on")
    )
    assert by_rows < 0.8 * whole
    outside = prepare(model, rows="on", planner_seconds=0.05, workspace_io="none")
    assert outside.row_bound() <= sum(outside.workspace_bytes().values())
    check([case], [name], modes)


def workspace(case: Case, path: Path, rows: Rows, io: str) -> int:
    """Bytes of all workspace pools."""
    path.write_bytes(case.model)
    return sum(prepare(path, planner_seconds=0.05, rows=rows, workspace_io=io).workspace_bytes().values())


def check_never_more(seeds: range, tmp_path: Path, places: Sequence[str] = PLACES) -> None:
    """Rows take no more bytes than whole tensors, wherever inputs and outputs lie."""
    for seed in seeds:
        for made in (branched_graph, streaming_graph):
            for io in places:
                case, path = made(seed), tmp_path / "graph.tflite"
                whole, by_rows = workspace(case, path, "off", io), workspace(case, path, "on", io)
                assert by_rows <= whole, f"{made.__name__}({seed}) with {io}: {by_rows} for {whole}"


def test_rows_never_take_more(tmp_path: Path) -> None:
    check_never_more(range(1), tmp_path, ("all", "inputs"))


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(2, long=100)))
def test_rows_of_many_graphs_never_take_more(block: int, tmp_path: Path) -> None:
    first = 10 * block + sweeps.size(1, long=0)
    check_never_more(range(first, first + sweeps.size(1, long=10)), tmp_path)


def test_an_input_of_the_caller_goes_by_rows(tmp_path: Path) -> None:
    """What takes no bytes of the workspace does not hide what rows save behind it."""
    case, path = deep_network(1), tmp_path / "deep.tflite"
    inside, outside = (workspace(case, path, "on", io) for io in ("all", "outputs"))
    assert outside < inside
    made = compile(path, rows="on", planner_seconds=0.05, workspace_io="outputs", poison=True)
    assert made.description.rows is not None
    assert made.description.rows.is_taken
    assert [tensor.pool for tensor in made.description.inputs] == [None]
    names = [tensor.name for tensor in made.description.inputs]
    outputs = made.execute(dict(zip(names, case.inputs, strict=True))).outputs
    assert agree(case, list(outputs.values()), run_oracle([case])[0]) is None


def test_a_network_for_segmentation(tmp_path: Path) -> None:
    check_known("deeplab", tmp_path, MODE)


@pytest.mark.sweep
@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("name", KNOWN)
def test_known_networks(name: str, dtype: str, tmp_path: Path) -> None:
    modes = MODES if sweeps.LONG or dtype == "int8" else (POISONED,)
    check_known(name, tmp_path, *modes, dtype=dtype)


@pytest.mark.usefixtures("forced")
@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(50) if sweeps.LONG else SMALL)
def test_deep_networks_stay_the_same(seed: int) -> None:
    check([deep_network(seed)], [f"deep_network({seed})"], MODES)


@pytest.mark.usefixtures("forced")
@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(2, long=50)))
def test_many_networks_on_images_stay_the_same(block: int) -> None:
    # The usual sweep has what takes little time.
    check_streams(range(6 * block, 6 * block + 6) if sweeps.LONG else ((2, 3), (8, 10))[block], *MODES)


@pytest.mark.usefixtures("forced")
@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(2, long=50)))
def test_results_of_many_graphs_stay_the_same(block: int) -> None:
    first = 3000 + 12 * block
    check_seeds(range(first, first + sweeps.size(4, long=12)), *MODES)
