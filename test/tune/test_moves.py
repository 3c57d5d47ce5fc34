"""Candidates are legal, compute the same, and are found from what is chosen without measuring."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sweeps
from pretending import PRODUCT, WINDOW, tasks
from test_known import nest_of
from xdsl.dialects.builtin import ModuleOp

from stillpool.dialects.task import NestOp
from stillpool.dialects.task.steps import Collect, Direct, Dual, Expand, Order, Quads, Single, Swar, Winograd, Words
from stillpool.driver import pipeline
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.lowering.constants import Constants
from stillpool.lowering.schedule.known.names import canonical_text, own_steps
from stillpool.lowering.schedule.subject import Subject
from stillpool.lowering.schedule.variants import Variant
from stillpool.lowering.schedule.winograd import winograd
from stillpool.machines.cpus import get_cpu
from stillpool.run.artifact import Artifact
from stillpool.run.samples import random_inputs
from stillpool.tune.choice import Choice, loops_of
from stillpool.tune.job import Job, Way
from stillpool.tune.measure import built
from stillpool.tune.moves import Moves
from stillpool.tune.tasks import Task, Tasks, nests_of


def opened(task: Task) -> tuple[ModuleOp, NestOp]:
    module = parse(pipeline.context(), task.program.encode(), "task")
    return module, list(nests_of(module, task.place.function))[task.place.number]


def test_a_network_has_each_task_once(digits: Tasks) -> None:
    assert digits.left_out == []
    assert len({task.digest for task in digits.tasks}) == len(digits.tasks) == 8
    assert "1x8x8x12 of 3x3 i8" in [task.what for task in digits.tasks]


def test_what_is_chosen_without_measuring_is_a_choice(digits: Tasks) -> None:
    for task in digits.tasks:
        _, nest = opened(task)
        for text in task.heuristics:
            steps = own_steps(text, nest)
            again = Choice.of(nest, steps).steps(nest)
            assert loops_of(nest, again) == loops_of(nest, steps)


def test_all_that_is_tried_is_legal_and_differs(digits: Tasks) -> None:
    for task in digits.tasks:
        module, nest = opened(task)
        moves = Moves(nest, Constants(module), get_cpu("cortex-m4"))
        steps = own_steps(task.heuristics[-1], nest)
        found = list(moves.around(Choice.of(nest, steps)))
        assert found
        assert len(set(found)) == len(found)
        for choice in [*moves.starts(), *found]:
            loops_of(nest, choice.steps(nest))
            text = canonical_text(choice.steps(nest), nest)
            assert own_steps(text, nest) == choice.steps(nest)


def test_moves_reach_tiles_orders_and_words(digits: Tasks) -> None:
    task = next(task for task in digits.tasks if task.what == "1x8x8x12 of 3x3x1 i8")
    module, nest = opened(task)
    moves = Moves(nest, Constants(module), get_cpu("cortex-m4"))
    base = Choice.of(nest, own_steps(task.heuristics[-1], nest))
    found = list(moves.around(base))
    assert {choice.form for choice in found} >= {Dual(3, 1), Dual(3, 5, bytes=True), Dual(2, 1)}
    assert {choice.jams for choice in found} >= {(("ox", 2), ("oc", 6)), (("oy", 2), ("oc", 4)), (("oc", 4),)}
    assert len({choice.outer for choice in found}) > 1
    assert any(choice.unrolled for choice in found)


@pytest.mark.parametrize(("weight", "fits"), [("3", True), ("100", False)])
def test_constants_of_four_bits_may_stay_packed(weight: str, fits: bool) -> None:
    nest, constants = nest_of(weight=weight)
    tiled = replace(Choice.plain(nest), jams=(("out", 4),))
    forms = [choice.form for choice in Moves(nest, constants, get_cpu("cortex-m4")).around(tiled)]
    assert any(isinstance(form, Dual) and form.bytes for form in forms)
    assert any(isinstance(form, Dual) and form.nibbles for form in forms) == fits


def test_processors_without_dsp_have_no_pairs(digits: Tasks) -> None:
    module, nest = opened(digits.tasks[0])
    for name, unsigned in (("cortex-m0plus", {False, True}), ("cortex-m3", {False})):
        moves = Moves(nest, Constants(module), get_cpu(name))
        forms = [choice.form for choice in moves.around(Choice.plain(nest))]
        assert not any(isinstance(form, Dual | Words) for form in forms)
        tiled = replace(Choice.plain(nest), jams=(("oc", 4),), form=Single(1, 1))
        forms = [choice.form for choice in moves.around(tiled)]
        assert {form.unsigned for form in forms if isinstance(form, Single)} == unsigned
        assert any(isinstance(form, Swar) for form in forms) == (name == "cortex-m0plus")


@pytest.mark.parametrize("count", [2, pytest.param(6, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("number", range(8))
def test_candidates_compute_what_loops_in_order_do(number: int, count: int, digits: Tasks) -> None:
    """On this machine, some of them at random; the emulator compares each that it measures."""
    task = digits.tasks[number]
    module, nest = opened(task)
    moves = Moves(nest, Constants(module), get_cpu("cortex-m4"))
    choices = [*moves.starts(), *moves.around(Choice.of(nest, own_steps(task.heuristics[-1], nest)))]
    seed, count = (number, count) if count == 2 else (number + 8, sweeps.size(3, long=count))
    agree(task, nest, random.Random(seed).sample(choices, min(count, len(choices))))


def agree(task: Task, nest: NestOp, choices: Sequence[Choice]) -> None:
    """Candidates give what loops in order give."""
    outputs: list[dict[str, np.ndarray]] = []
    for text in [task.needed, *(canonical_text(choice.steps(nest), nest) for choice in choices)]:
        job = Job(task.program, task.place.function, task.place.number, text, Way("cortex-m4"))
        artifact = Artifact.of(built(job))
        stacked = random_inputs(artifact.description, 1, 3)
        outputs.append(artifact.run({name: array[0] for name, array in stacked.items()}))
    for other in outputs[1:]:
        for name, array in outputs[0].items():
            np.testing.assert_array_equal(other[name], array)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Task:
    """A convolution of 3x3."""
    path = tmp_path_factory.mktemp("window") / "window.mlir"
    path.write_text(WINDOW)
    (task,) = tasks(path).tasks
    return task


def test_constants_may_be_transformed(window: Task) -> None:
    """Along one dimension and along two, in several tiles; what is chosen without measuring is among the first."""
    module, nest = opened(window)
    moves = Moves(nest, Constants(module), get_cpu("cortex-m4"))
    starts = [choice for choice in moves.starts() if isinstance(choice.form, Winograd)]
    assert [choice.form for choice in starts] == [Winograd(("oy", "ox"), 4)]
    subject = Subject(nest, Constants(module), get_cpu("cortex-m4"), Variant.WINOGRAD)
    assert starts[0].steps(nest) == subject.first_legal(winograd(subject))
    usual = Choice.of(nest, own_steps(window.heuristics[-1], nest))
    along = [choice for choice in moves.around(usual) if isinstance(choice.form, Winograd)]
    assert {choice.form.dims for choice in along if isinstance(choice.form, Winograd)} == {("ox",), ("oy", "ox")}
    tiles = [choice for choice in moves.around(starts[0]) if choice.form == starts[0].form]
    assert {dict(choice.jams)["oc"] for choice in tiles if "oc" in dict(choice.jams)} >= {2, 4}
    agree(window, nest, [starts[0], along[0], along[-1], random.Random(1).choice(tiles)])


def test_two_factors_that_are_no_constants_are_copied(tmp_path: Path) -> None:
    """In words of both, and in no others; in passes of all lengths that divide their number, as seven."""
    path = tmp_path / "product.mlir"
    path.write_text(PRODUCT)
    (task,) = tasks(path).tasks
    module, nest = opened(task)
    moves = Moves(nest, Constants(module), get_cpu("cortex-m4"))
    usual = Choice.of(nest, own_steps(task.heuristics[-1], nest))
    assert isinstance(usual.form, Dual)
    assert usual.form.both
    found = [choice for choice in moves.around(usual) if isinstance(choice.form, Dual)]
    assert {str(choice.form) for choice in found if choice.jams == usual.jams} >= {"dual 1 1 both", "dual 1 2 both"}
    assert {choice.form.unroll for choice in (usual, *found) if isinstance(choice.form, Dual)} >= {1, 2, 3, 7}
    assert all("both" in str(choice.form) for choice in found)
    agree(task, nest, random.Random(0).sample(found, 3))


def test_blocks_of_points_side_by_side_may_be_written_out(window: Task) -> None:
    module, nest = opened(window)
    moves = Moves(nest, Constants(module), get_cpu("cortex-m4"))
    usual = Choice.of(nest, own_steps(window.heuristics[-1], nest))
    found = [choice for choice in moves.around(usual) if choice.blocks]
    assert {choice.blocks for choice in found} == {("oc",), ("ox",)}
    assert "unroll oc_o" in [str(step) for choice in found for step in choice.steps(nest)]
    for choice in found:
        assert Choice.of(nest, choice.steps(nest)) == choice
        assert usual in list(moves.around(choice)), "the way back"
    alone = replace(found[0], jams=())
    assert not any("unroll" in str(step) for step in alone.steps(nest)), "without points side by side there are none"
    agree(window, nest, found)


def test_sixteen_channels_run_side_by_side_where_there_are_no_more() -> None:
    nest, constants = nest_of(rows="16")
    tiles = {choice.jams for choice in Moves(nest, constants, get_cpu("cortex-m4")).around(Choice.plain(nest))}
    assert {(("row", 10),), (("row", 16),), (("out", 8),)} <= tiles


def test_steps_of_one_word_and_clamped_blocks_are_tried(window: Task) -> None:
    module, nest = opened(window)
    moves = Moves(nest, Constants(module), get_cpu("cortex-m4"))
    text = "split d2 4, split d3 4, order (d0, d1, d2_o, d3_o, d2_i, d3_i, d4, d5, d6), jam d2_i, jam d3_i, dual 1 2"
    usual = Choice.of(nest, own_steps(text, nest))
    found = list(moves.around(usual))
    shorter = next(choice for choice in found if choice.words == (Collect(),))
    clamped = next(choice for choice in found if choice.clamped)
    assert any("clamped" in str(step) for step in clamped.steps(nest))
    assert Choice.of(nest, clamped.steps(nest)) == clamped
    assert Choice.of(nest, shorter.steps(nest)) == shorter
    assert usual.toggled(Quads()).toggled(Direct()).words == (Direct(), Quads())
    assert not any(Quads() in choice.words for choice in found), "channels of both factors do not lie side by side"
    narrow = replace(usual, jams=(("oc", 4),))
    direct = narrow.toggled(Direct())
    assert moves.is_legal(direct) == (direct in list(moves.around(narrow)))
    agree(window, nest, [shorter, clamped])


def test_processors_with_vectors_run_loops_inside_of_the_fold(window: Task) -> None:
    module, nest = opened(window)
    moves = Moves(nest, Constants(module), get_cpu("cortex-m55"))
    expanded = [choice for choice in moves.around(Choice.plain(nest)) if isinstance(choice.form, Expand)]
    assert {choice.form for choice in expanded} >= {Expand("oc"), Expand("oc", True)}
    assert not any(isinstance(choice.form, Winograd) for choice in moves.around(Choice.plain(nest)))
    agree(window, nest, expanded[:2])


def test_processors_with_vectors_have_lanes() -> None:
    kept = 0
    for task in tasks(target="cortex-m55").tasks:
        module, nest = opened(task)
        steps = own_steps(task.heuristics[-1], nest)
        choice = Choice.of(nest, steps)
        assert Choice.of(nest, choice.steps(nest)) == choice
        if choice.lanes is not None:
            kept += 1
            moves = Moves(nest, Constants(module), get_cpu("cortex-m55"))
            assert moves.is_legal(choice)
            assert any(other.lanes is None for other in moves.around(choice))
    assert kept


def test_an_order_is_said_only_where_it_differs(digits: Tasks) -> None:
    _, nest = opened(digits.tasks[0])
    plain = Choice.plain(nest)
    assert plain.steps(nest) == ()
    swapped = replace(plain, outer=("n", "ox", "oy", "oc"))
    assert swapped.steps(nest) == (Order(("n", "ox", "oy", "oc", "ky", "kx", "ic")),)
