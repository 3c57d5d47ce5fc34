"""`usmp-check` looks at some accesses one dimension after the other: with the same result as all iterations give."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects import func
from xdsl.parser import Parser

from stillpool.driver import pipeline
from stillpool.transforms.usmp.check import timed_run
from stillpool.transforms.usmp.check.places import Place
from stillpool.transforms.usmp.check.reference import Reference
from stillpool.transforms.usmp.check.timed_run import TimedRun

WINDOW = """
  scf.for %y = %c0 to %c3 step %c1 {
    %top = arith.muli %y, %c2 : index
    %above = arith.subi %top, %c1 : index
    %missing = arith.subi %c0, %above : index
    %first = arith.maxsi %missing, %c0 : index
    scf.for %x = %c0 to %c4 step %c1 {
      scf.for %k = %first to %c3 step %c1 {
        %row = arith.addi %above, %k : index
        scf.for %l = %c0 to %c2 step %c1 {
          %column = arith.addi %x, %l : index
          %v = memref.load %a[%row, %column] : memref<6x6xi8>
        }
      }
      memref.store %zero, %b[%y, %x] : memref<6x6xi8>
    }
  }"""
TRANSPOSED = """
  scf.for %r = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c5 step %c1 {
      scf.for %j = %c1 to %c5 step %c3 {
        %v = memref.load %a[%i, %j] : memref<6x6xi8>
        memref.store %v, %b[%j, %i] : memref<6x6xi8>
      }
    }
  }"""
TRIANGLE = """
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %i to %c4 step %c1 {
      scf.for %k = %c0 to %c3 step %c1 {
        %v = memref.load %a[%j, %k] : memref<6x6xi8>
        memref.store %v, %b[%c2, %k] : memref<6x6xi8>
      }
    }
  }"""
DIAGONAL = """
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %v = memref.load %a[%i, %i] : memref<6x6xi8>
      memref.store %v, %b[%i, %j] : memref<6x6xi8>
    }
  }"""
CARRIED = """
  %last = scf.for %i = %c0 to %c5 step %c1 iter_args(%sum = %zero) -> (i8) {
    %inner = scf.for %j = %c0 to %c4 step %c2 iter_args(%so_far = %sum) -> (i8) {
      %v = memref.load %a[%i, %j] : memref<6x6xi8>
      %s = arith.addi %v, %so_far : i8
      memref.store %s, %b[%j, %i] : memref<6x6xi8>
      scf.yield %s : i8
    }
    scf.yield %inner : i8
  }"""
BRANCHES = """
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      scf.if %flag {
        memref.store %zero, %b[%i, %j] : memref<6x6xi8>
      } else {
        %v = memref.load %a[%i, %j] : memref<6x6xi8>
        memref.store %v, %b[%j, %i] : memref<6x6xi8>
      }
    }
  }"""
GUARDED = """
  scf.for %i = %c0 to %c5 step %c1 {
    %above = arith.subi %i, %c2 : index
    %enough = arith.cmpi sge, %above, %c0 : index
    scf.for %j = %c0 to %c5 step %c1 {
      %left = arith.subi %j, %c1 : index
      %inside = arith.cmpi ult, %left, %c3 : index
      %both = arith.andi %enough, %inside : i1
      scf.if %both {
        %v = memref.load %a[%above, %left] : memref<6x6xi8>
        memref.store %v, %b[%i, %j] : memref<6x6xi8>
      }
    }
  }"""
EITHER = """
  scf.for %i = %c0 to %c5 step %c1 {
    %lower = arith.cmpi sge, %i, %c2 : index
    scf.for %j = %c0 to %c5 step %c1 {
      %right = arith.cmpi slt, %j, %c3 : index
      %both = arith.andi %lower, %right : i1
      scf.if %both {
        %v = memref.load %a[%i, %j] : memref<6x6xi8>
        memref.store %v, %b[%i, %j] : memref<6x6xi8>
      } else {
        %v = memref.load %a[%j, %i] : memref<6x6xi8>
        memref.store %v, %b[%i, %j] : memref<6x6xi8>
      }
    }
  }"""
NEVER = """
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c3 to %c2 step %c1 {
      memref.store %zero, %b[%i, %j] : memref<6x6xi8>
    }
  }"""

WORDS = """
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %v = simd.load_bytes %a[%i, %j] : memref<6x6xi8>
      scf.for %k = %c0 to %c3 step %c2 {
        simd.store_bytes %v, %b[%j, %k] : memref<6x6xi8>
      }
    }
  }"""
TAPS = """
  scf.for %i = %c0 to %c4 step %c1 {
    %lower = arith.cmpi sge, %i, %c2 : index
    scf.for %j = %c0 to %c3 step %c2 {
      scf.if %lower {
        %sums = memref.alloca() : memref<4xi32>
        %words = memref.alloca() : memref<14xi32>
        simd.sum_taps %a[%i, %j] [0, 1, 6, -1] 3 [2, 4], %words[%c0], %sums
          : memref<6x6xi8>, memref<14xi32>, memref<4xi32>
        memref.store %zero, %b[%j, %i] : memref<6x6xi8>
      }
    }
  }"""

BEYOND = TAPS.replace("%c3 step %c2", "%c4 step %c1")
"""Taps of which the last ones lie behind the end of a row: they are left out."""


def accessed(body: str) -> list[np.ndarray]:
    """First write, last write, last read and sure writes of both buffers."""
    constants = "\n".join(f"  %c{n} = arith.constant {n} : index" for n in range(6))
    text = f"""
func.func private @f(%a: memref<6x6xi8>, %b: memref<6x6xi8>, %flag: i1) {{
{constants}
  %zero = arith.constant 0 : i8
{body}
  func.return
}}"""
    module = Parser(pipeline.context(), text).parse_module()
    function = next(op for op in module.ops if isinstance(op, func.FuncOp))
    places = [Place(name, None, "p", 0, 36, 1, 1) for name in "ab"]
    run = TimedRun(places, {}, {0, 1})
    a, b, flag = function.body.block.args
    run.run(function, {a: Reference(0, 0), b: Reference(1, 0), flag: None})
    return [c for n in (0, 1) for c in (*run.accesses[n].within(0, 36), run.accesses[n].surely_written(0, 36))]


@pytest.mark.parametrize(
    "body", [WINDOW, TRANSPOSED, TRIANGLE, DIAGONAL, CARRIED, BRANCHES, GUARDED, EITHER, NEVER, WORDS, TAPS, BEYOND]
)
def test_dimensions_apart_give_the_same(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    apart = accessed(body)
    monkeypatch.setattr(timed_run, "reached", lambda *_: None)
    for ours, exact in zip(apart, accessed(body), strict=True):
        np.testing.assert_array_equal(ours, exact)


@pytest.mark.parametrize("body", [WINDOW, TRANSPOSED, CARRIED, BRANCHES, GUARDED, EITHER, WORDS, TAPS])
def test_dimensions_are_looked_at_apart(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tested above does not always take the long way."""
    monkeypatch.setattr(TimedRun, "_record", lambda *_: pytest.fail("all iterations are enumerated"))
    accessed(body)
