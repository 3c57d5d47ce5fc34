"""Which class of loops a step has."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp, ScheduleAttr, Task
from stillpool.dialects.task.code import Code
from stillpool.lowering.tasks import nest_loops
from stillpool.lowering.tasks.nest_loops import NestLoops, carries_out, kind_of

COPY = """
func.func @copy(%x: memref<3xi8>, %y: memref<3xi8>) {
  task.nest space(row = 3)
    finish (%value = %x[row] : memref<3xi8>) of () {
      task.yield %value : i8
    }
    writes (%y[row] : memref<3xi8>)
  func.return
}
"""


class Wide(Code):
    """A step."""


class Wider(Wide):
    """One that is derived from it."""


def test_loops_are_those_of_a_step_s_own_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nest_loops, "_LOOPS", [])
    wide = carries_out(Wide)(type("WideLoops", (NestLoops,), {}))
    context = Context()
    for dialect in (Builtin, arith.Arith, func.Func, memref.MemRef, Task):
        context.load_dialect(dialect)
    (nest,) = all_of(Parser(context, COPY).parse_module(), NestOp)
    nest.schedule = ScheduleAttr((Wider(),))
    assert kind_of(nest) is wide
    wider = carries_out(Wider)(type("WiderLoops", (NestLoops,), {}))
    assert kind_of(nest) is wider
    nest.schedule = ScheduleAttr((Wide(),))
    assert kind_of(nest) is wide
