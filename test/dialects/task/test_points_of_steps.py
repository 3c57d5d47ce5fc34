"""What loops a step of a package may make: those over each point once, in order where the fold is ordered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp, ScheduleAttr, Task
from stillpool.dialects.task.loop import Loop
from stillpool.dialects.task.step import Domain, Step

SUMS = """
func.func @sums(%x: memref<3x5x2xf32>, %y: memref<3xf32>) {
  %zero = arith.constant 0.0 : f32
  task.nest space(row = 3) ordered fold(column = 5, side = 2)
    start () {
      task.yield %zero : f32
    }
    step (%value = %x[row, column, side] : memref<3x5x2xf32>) into (%acc : f32) {
      %next = arith.addf %acc, %value : f32
      task.yield %next : f32
    }
    finish () of (%sum : f32) {
      task.yield %sum : f32
    }
    writes (%y[row] : memref<3xf32>)
  func.return
}
"""

Loops = Sequence[Loop]


@dataclass(frozen=True)
class Made(Step):
    """Loops that are made of those of a row, columns and sides."""

    made: Callable[[Loop, Loop, Loop], Loops]

    def planned(self, domain: Domain, loops: Loops) -> list[Loop]:
        row, column, side = loops
        return [*self.made(row, column, side)]


def planned(made: Callable[[Loop, Loop, Loop], Loops]) -> None:
    context = Context()
    for dialect in (Builtin, arith.Arith, func.Func, memref.MemRef, Task):
        context.load_dialect(dialect)
    (nest,) = all_of(Parser(context, SUMS).parse_module(), NestOp)
    nest.schedule = ScheduleAttr((Made(made),))
    nest.verify()


def blocks(loop: Loop, size: int, count: int) -> Loops:
    outer = replace(loop, name="outer", dim_name=loop.name, extent=count, stride=size)
    return outer, replace(loop, name="inner", dim_name=loop.name, extent=size)


def test_loops_over_each_point_once() -> None:
    planned(lambda row, column, side: (row, *blocks(column, 2, 2), side))
    planned(lambda row, column, side: (replace(row, reverse=True), column, side))


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda row, column, side: (row, column), "the 2 points of side once"),
        (lambda row, column, side: (row, row, column, side), "the 3 points of row once"),
        (lambda row, column, side: (row, replace(column, extent=4), side), "the 5 points of column once"),
        (lambda row, column, side: (replace(row, stride=2), column, side), "the 3 points of row once"),
        (lambda row, column, side: (row, *blocks(column, 2, 3), side), "the 5 points of column once"),
        (lambda row, column, side: (row, *blocks(column, 2, 1), side), "the 5 points of column once"),
        (lambda row, column, side: (row, side, column), "its loops are column, side, from the first"),
        (lambda row, column, side: (row, column, replace(side, reverse=True)), "its loops are column, side, from"),
    ],
)
def test_others_are_refused(made: Callable[[Loop, Loop, Loop], Loops], why: str) -> None:
    with pytest.raises(VerifyException, match=why):
        planned(made)
