"""Networks that compute columns again: what TFLite Micro computes, on fewer bytes, for the multiplications allowed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sweeps
from branched_graphs import branched_graph
from case import Case
from deep_networks import SMALL, deep_network
from known_networks import known_network
from streaming_graphs import streaming_graph
from test_branched_graphs import check

from stillpool import load
from stillpool.driver import pipeline
from stillpool.driver.compile import band_choice, row_choice
from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.entry import entry_function
from stillpool.driver.models.simplified import simplified
from stillpool.driver.options.options import Options
from stillpool.transforms.nn.channel_bands import channels_of_product, is_by_channels
from stillpool.transforms.nn.columns import Bands, Chain, Region, is_region, steps_of
from stillpool.transforms.rows.bands import Inputs, offers

MODE: Options = {"rows": "on", "planner_seconds": 0.05, "recompute": 50}


def made(case: Case, path: Path, **options: object) -> Compilation:
    """A network, its rows decided."""
    path.write_bytes(case.model)
    return prepare(path, **{"rows": "on", "planner_seconds": 0.05, **options}).decided  # pyright: ignore[reportArgumentType]


def workspace(of: Compilation) -> int:
    """Bytes of all workspace pools."""
    return sum(of.workspace_bytes().values())


def test_fewer_bytes_for_the_multiplications_that_are_allowed(tmp_path: Path) -> None:
    case, path = known_network("mobilenet_v2", side=16, most=2), tmp_path / "mobilenet_v2.tflite"
    once = made(case, path, workspace_io="outputs")
    again = made(case, path, workspace_io="outputs", recompute=30)
    assert workspace(again) < 0.9 * workspace(once)
    assert again.row_choice is not None
    macs = sum(operator.macs for operator in again.result().description.operators)
    assert 0 < again.row_choice.macs_again <= (macs - again.row_choice.macs_again) * 0.3
    check([case], ["mobilenet_v2"], [{**MODE, "workspace_io": "none", "poison": True}])


def test_what_is_estimated_is_what_bands_take(tmp_path: Path) -> None:
    """A little less where the last band goes on behind its part."""
    path = tmp_path / "mobilenet_v2.tflite"
    path.write_bytes(known_network("mobilenet_v2", side=32).model)
    of = prepare(path, rows="on", recompute=40, workspace_io="outputs")
    module = simplified(of.model, of.plan)
    entry = entry_function(module)
    found = offers(entry, 10**9, Inputs(frozenset(entry.body.block.args)))
    assert len(found) > 3
    assert [one.macs for one in found] == sorted({one.macs for one in found}, reverse=True)
    for offer in found[-3:]:
        live = band_choice._live(of, module, offer)  # pyright: ignore[reportPrivateUsage]
        assert 0.8 * offer.bytes <= live <= 1.03 * offer.bytes


def in_all_bands(of: row_choice.Way) -> pipeline.Plan:
    """The longest part that can run in bands of columns does so, in as many as there are columns up to 3.

    Where it can be cut it is a chain. Products before a mean run in three bands of channels.
    """
    steps = steps_of(entry_function(simplified(of.model, of.plan)).body.block)
    everything = [(first, last) for last in range(len(steps)) for first in range(last + 1)]
    parts = [(last - first, first, last) for first, last in everything if is_region(steps[first : last + 1])]
    if not parts:
        return of.plan
    _, first, last = max(parts)
    links = [Bands(first, last, 3)]
    for cut in range(first + 1, last + 1):
        if is_region(steps[links[-1].first : cut]) and is_region(steps[cut : last + 1]):
            links[-1:] = [Bands(links[-1].first, cut - 1, 3), Bands(cut, last, 3)]
    chain = [replace(one, count=min(one.count, Region(steps[one.first : one.last + 1]).width)) for one in links]
    channels = [
        str(Bands(a, b, min(3, channels_of_product(steps[a : b + 1]))))
        for a, b in everything
        if is_by_channels(steps[a : b + 1]) and (a > last or b < first)
    ]
    return replace(of.plan, column_bands=(str(Chain(tuple(chain))),), channel_bands=tuple(channels[:1]))


def test_chains_take_fewer_bytes_than_parts_between_whole_tensors(tmp_path: Path) -> None:
    path = tmp_path / "mobilenet_v2.tflite"
    path.write_bytes(known_network("mobilenet_v2", side=32).model)
    of = prepare(path, rows="on", recompute=60, workspace_io="outputs")
    planned = band_choice.in_bands(of)
    assert any("+" in chain for chain in planned.column_bands)
    module = simplified(of.model, of.plan)
    found = offers(entry_function(module), 10**9, Inputs(frozenset(entry_function(module).body.block.args)))
    alone = [offer for offer in found if all(len(chain.parts) == 1 for chain in offer.columns)]
    assert found[0].bytes < min(offer.bytes for offer in alone)


@pytest.fixture
def forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever can runs in bands, whatever it takes."""
    plan = row_choice._plan  # pyright: ignore[reportPrivateUsage]

    def larger(way: row_choice.Lowered[Any]) -> int | row_choice.PoolShort:
        found = plan(way)
        return found + (1 << 40) if isinstance(found, int) and not way.compilation.plan.column_bands else found

    monkeypatch.setattr(row_choice, "in_bands", in_all_bands)
    monkeypatch.setattr(row_choice, "_plan", larger)


@pytest.mark.usefixtures("forced")
def test_bands_of_networks_on_images_are_exact() -> None:
    seeds = range(2, 4)
    check([streaming_graph(seed) for seed in seeds], [f"streaming_graph({seed})" for seed in seeds], [MODE])


@pytest.mark.usefixtures("forced")
@pytest.mark.sweep
def test_bands_with_schedules_are_exact() -> None:
    graph, seed = (deep_network, 2) if sweeps.LONG else (streaming_graph, 2)
    check([graph(seed)], [f"{graph.__name__}({seed})"], [{**MODE, "optimize": "speed", "target": "cortex-m4"}])


@pytest.mark.usefixtures("forced")
@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(2, long=50)))
def test_bands_of_many_graphs_are_exact(block: int) -> None:
    for graph in (branched_graph, streaming_graph, deep_network):
        seeds = range(3 * block, 3 * block + sweeps.size(1, long=3))
        if graph is deep_network and not sweeps.LONG:
            seeds = SMALL[block : block + 1]
        check([graph(seed) for seed in seeds], [f"{graph.__name__}({seed})" for seed in seeds], [MODE])


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(sweeps.size(1, long=60)))
def test_bands_never_take_more(seed: int, tmp_path: Path) -> None:
    for graph in (branched_graph, streaming_graph, deep_network):
        for io in ("all", "outputs"):
            number = seed if sweeps.LONG or graph is not deep_network else SMALL[seed]
            case, path = graph(number), tmp_path / "graph.tflite"
            once, again = (workspace(made(case, path, workspace_io=io, recompute=share)) for share in (None, 30))
            assert again <= once, f"{graph.__name__}({number}) with {io}: {again} for {once}"


def test_a_network_without_images_stays_as_it_is() -> None:
    model = load(Path(__file__).parents[2] / "examples" / "novelty" / "novelty.tflite")
    of = prepare(model, rows="on", recompute=50)
    assert band_choice.in_bands(of) == of.plan
