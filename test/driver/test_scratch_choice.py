"""Scratch memory of schedules is given up where a network is fullest, as long as that keeps within a price."""

from __future__ import annotations

import pytest
from xdsl.parser import Parser

from stillpool.driver.compile.scratch_choice import Lean, less_scratch
from stillpool.driver.options.objectives import weighs_scratch
from stillpool.driver.options.options import Options
from stillpool.driver.pipeline import context
from stillpool.transforms.usmp.analysis.held import InUse

NETWORK = InUse(1000, {"full": 1000, "half": 900, "last": 1000})
SCRATCH = {"full": 100, "half": 180, "last": 60}
LEAN = {"full": Lean(40, 10.0), "half": Lean(20, 2.0), "last": Lean(0, 5.0)}


def _less(most: float, scratch: dict[str, int] | None = None, **lean: Lean) -> list[str]:
    return less_scratch(
        NETWORK, SCRATCH | (scratch or {}), lambda names: {name: (LEAN | lean)[name] for name in names}, most
    )


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (9.9, []),
        # `full` needs 1,100 bytes, `half` 1,080 and `last` 1,060: what gives more, gives it only after what gives less.
        (10, ["full"]),
        (12, ["full", "half"]),
        (16.9, ["full", "half"]),
        # `full` needs 1,040 bytes then, and cannot do with less.
        (17, ["full", "half", "last"]),
    ],
)
def test_the_fullest_functions_give_up_scratch_first(most: float, expected: list[str]) -> None:
    assert _less(most) == expected


def test_a_function_without_a_lean_schedule_ends_the_search() -> None:
    assert _less(1e9, full=Lean(100, 0.0)) == []


def test_functions_that_are_equally_full_give_up_scratch_together() -> None:
    assert _less(14.9, {"last": 100}) == []
    assert _less(15, {"last": 100}) == ["full", "last"]


def test_nothing_is_weighed_without_a_price() -> None:
    assert less_scratch(NETWORK, SCRATCH, lambda names: pytest.fail("weighed"), -1) == []


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"optimize": "ram", "target": "cortex-m4"}, True),
        ({"optimize": "ram"}, False),
        ({"optimize": "speed", "target": "cortex-m4"}, False),
        ({"optimize": "ram", "target": "cortex-m4", "schedule_ram": 64}, False),
        ({"optimize": "ram", "target": "cortex-m4", "schedule_flash": 64}, False),
    ],
)
def test_it_is_weighed_where_the_objective_is_ram(options: Options, expected: bool) -> None:
    assert weighs_scratch(options) is expected


def test_in_use_counts_what_waits() -> None:
    module = Parser(context(), TEXT).parse_module()
    in_use = InUse.of(module)
    assert (in_use.least, in_use.around) == (30, {"first": 100, "second": 60})


TEXT = """
func.func private @first(%x: memref<70xi8>, %y: memref<30xi8>)
func.func private @second(%y: memref<30xi8>, %z: memref<30xi8>)
func.func @main(%x: memref<70xi8>, %z: memref<30xi8>) {
  %a = memref.alloc() : memref<70xi8>
  %b = memref.alloc() : memref<30xi8>
  func.call @first(%x, %b) : (memref<70xi8>, memref<30xi8>) -> ()
  func.call @second(%b, %z) : (memref<30xi8>, memref<30xi8>) -> ()
  func.return
}
"""
