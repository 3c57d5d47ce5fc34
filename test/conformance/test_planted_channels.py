"""Networks with channels that go: what remains agrees with the reference interpreters, bit for bit."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
import sweeps
from case import Case, agree
from host_batch import artifact_of, run_batch
from planted_channels import planted
from tflm_oracle import run_oracle
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

import stillpool
from stillpool import compile
from stillpool.dialects import nn_keys
from stillpool.dialects.nn import ConstantOp, RemovedAttr
from stillpool.dialects.nn.accumulate import Accumulate
from stillpool.dialects.nn.interfaces import element_type_of, shape_of
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.model import Model
from stillpool.frontends.tflite import import_tflite
from stillpool.report.summary import summary
from stillpool.transforms.nn.check_channels import Refuted, check_channels
from stillpool.transforms.nn.clean_up import NnCleanUpPass

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)

SCHEMAS = Path(stillpool.__file__).parent / "report" / "schemas"
EVERYDAY = 10
BLOCK, TRIED = 20, sweeps.size(6, long=20)
"""Networks of a block, and how many of them the sweep compiles."""
JUDGED = sweeps.size(40, long=100)
"""Networks of a block of 100 that are judged."""


def _wrong(seeds: Sequence[int]) -> list[str]:
    cases = [planted(seed) for seed in seeds]
    pairs = zip(seeds, cases, run_batch(cases), run_oracle(cases), strict=True)
    return [f"{seed}: {why}" for seed, case, *both in pairs if (why := agree(case, *both))]


def _channels(case: Case, off: tuple[str, ...]) -> str:
    return prepare(Model("m", "m.tflite", import_tflite(case.model, "m"), case.model), no_clean_up=off).text("nn")


def test_results_stay_the_same() -> None:
    assert not _wrong(range(EVERYDAY))


def _judged(case: Case) -> tuple[ModuleOp, ModuleOp]:
    """The network without the pass and with it."""
    before = import_tflite(case.model, "m")
    after = before.clone()
    NnCleanUpPass(("channels",)).apply(Context(), before)
    NnCleanUpPass().apply(Context(), after)
    return before, after


def test_what_went_before_is_not_judged_again() -> None:
    """A network that was printed is the one that is left, though its records say what it had."""
    printed = [after for seed in range(EVERYDAY) for _, after in [_judged(planted(seed))] if _records(after)]
    assert printed
    for module in printed:
        before, after = module.clone(), module.clone()
        NnCleanUpPass(("channels", "ranges")).apply(Context(), before)
        NnCleanUpPass().apply(Context(), after)
        check_channels(before, after)


def _records(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if nn_keys.REMOVED.within(op.attributes)]


def _changed(after: ModuleOp, rng: np.random.Generator) -> bool:
    """Make one number wrong by one: an end of a recorded range, a weight or a bias; whether there was any."""
    records = _records(after)
    if not records:
        return False
    op = records[int(rng.integers(len(records)))]
    step, what = int(rng.choice([-1, 1])), rng.choice(["least", "most", "constant"])
    if what == "constant" and isinstance(op, Accumulate):
        # A weight of a window may lie outside of the image always, and the only channel that is left may be the zero
        # point: then it does not count.
        may_be_idle = any(extent > 1 for extent in shape_of(op.filter)[1:-1]) or shape_of(op.filter)[-1] == 1
        constant = op.operands[2 if may_be_idle else int(rng.integers(1, 3))].owner
        assert isinstance(constant, ConstantOp), "weights and biases are constants"
        array = constant.array.astype(np.int64)
        place = tuple(int(rng.integers(extent)) for extent in array.shape)
        array[place] += step
        made = ConstantOp.of(array, element_type_of(constant.result))
        Rewriter.replace_op(constant, made)
        return True
    found = list(nn_keys.REMOVED.get(op.attributes) or ())
    number = next(n for n, record in enumerate(found) if record.removals)
    removals = list(found[number].removals)
    one = removals[int(rng.integers(len(removals)))]
    changed = replace(one, most=one.most + step) if what == "most" else replace(one, least=one.least + step)
    removals[removals.index(one)] = changed
    found[number] = RemovedAttr.get(found[number].total.data, removals)
    nn_keys.REMOVED.put(op.attributes, found)
    return True


def _judge(seeds: Sequence[int]) -> None:
    """Networks are judged right, and each with a number changed by one wrong."""
    changed = 0
    for seed in seeds:
        before, after = _judged(planted(seed))
        check_channels(before, after)
        if any(element_type_of(argument) == f32 for op in before.ops for argument in op.regions[0].block.args):
            continue
        if _changed(after, np.random.default_rng(seed)):
            changed += 1
            with pytest.raises(Refuted):
                check_channels(before, after)
    assert changed > len(seeds) / 2


def test_removals_are_judged_again() -> None:
    _judge(range(3 * EVERYDAY))


def test_negative_reals_beside_a_margin_are_shown_to_be_nothing_after_relu() -> None:
    """They have two values before it."""
    check_channels(*_judged(planted(70336)))


def test_twins_that_stay_take_no_part_in_the_sum_of_the_others() -> None:
    """Four are equal. At one place two of them must stay, at another the sum without the second leaves 8 bits."""
    assert not _wrong([91320])
    check_channels(*_judged(planted(91320)))


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(30, long=300)))
def test_removals_are_judged_again_in_many(block: int) -> None:
    _judge(range(1000 + block * 100, 1000 + block * 100 + JUDGED))


def test_the_report_names_what_went() -> None:
    case = planted(4)
    artifact, plain = (artifact_of(case, "m", {"no_clean_up": off}) for off in ((), ("channels",)))
    lost = artifact.manifest["channels"]
    assert plain.manifest["channels"] is None
    assert "channels:" not in plain.report
    assert lost["macs"] == sum(operator["macs"] for operator in artifact.manifest["operators"])
    assert lost["macs_without"] == sum(operator["macs"] for operator in plain.manifest["operators"])
    for one in lost["operators"]:
        gone = sum(len(one[reason]) for reason in ("constant", "unused", "twin"))
        assert one["channels_without"] - one["channels"] == gone
    assert f"channels: {lost['macs']:,} of {lost['macs_without']:,} MACs" in artifact.report
    said = summary(artifact)
    assert said.channels is not None
    assert said.channels.macs == lost["macs_without"] - lost["macs"] > 0
    assert f"  channels  {said.channels.channels:,} that decide nothing went from" in said.text()
    assert summary(plain).channels is None
    schema = json.loads((SCHEMAS / "manifest.schema.json").read_text())
    jsonschema.validate(artifact.manifest, schema)


def test_checksums_are_of_the_channels_that_stay(tmp_path: Path) -> None:
    path = tmp_path / "m.tflite"
    path.write_bytes(planted(4).model)
    options = ((), ("channels",))
    tests = ["".join(compile(path, profile_hooks=True, no_clean_up=off).tests.values()) for off in options]
    counts = [len(re.findall(r', "position \d', text)) for text in tests]
    assert counts[0] == counts[1] > 2


def test_most_networks_lose_channels() -> None:
    cases = [planted(seed) for seed in range(EVERYDAY)]
    assert sum(_channels(case, ()) != _channels(case, ("channels",)) for case in cases) > EVERYDAY / 2


@pytest.mark.sweep
@pytest.mark.parametrize("block", range(sweeps.size(100, long=1000)))
def test_results_stay_the_same_in_many(block: int) -> None:
    first = 1000 + block * BLOCK
    assert not _wrong(range(first, first + TRIED))
