"""How many sums of a function are in the faster variant where all of them do not fit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from xdsl.parser import Parser

from stillpool.driver.pipeline import context
from stillpool.lowering.schedule.variants import Variant
from stillpool.transforms.tasks.choose.costs import FunctionCost
from stillpool.transforms.tasks.choose.options import Option
from stillpool.transforms.tasks.choose.partly import in_part, sums_of

PLAIN = {"gates": FunctionCost(1000.0, 50.0, 0)}
COMPACT, FAST = Option("gates", Variant.COMPACT, 600.0, 10.0), Option("gates", Variant.FAST, 840.0, 90.0)


def costs(fast: Mapping[str, int]) -> Mapping[str, FunctionCost]:
    """Each sum saves 30 instructions more for 10 bytes."""
    return {name: FunctionCost(400.0 - 30 * sums, 60.0, 10 * sums) for name, sums in fast.items()}


@pytest.mark.parametrize(("most", "sums"), [(19, 0), (20, 1), (60, 5), (80, 7), (89, 7)])
def test_as_many_as_fit(most: float, sums: int) -> None:
    found = in_part({"gates": 8}, PLAIN, [COMPACT, FAST], {"gates": Variant.COMPACT}, most, costs)
    if not sums:
        assert not found
        return
    assert found["gates"].sums == sums
    assert found["gates"].option == Option("gates", Variant.COMPACT, 600.0 + 30 * sums, 10.0 + 10 * sums)


def test_what_is_alone_stays() -> None:
    assert not in_part({"gates": 1}, PLAIN, [COMPACT, FAST], {"gates": Variant.COMPACT}, 60, costs)
    assert not in_part({"gates": 8}, PLAIN, [COMPACT], {"gates": Variant.COMPACT}, 60, costs)


def test_sums_with_a_zero_point_of_run_time_count() -> None:
    text = (Path(__file__).parents[2] / "lowering" / "schedule" / "late_zero_points.mlir").read_text()
    assert sums_of(Parser(context(), text).parse_module()) == {"conv": 1, "main": 0}
