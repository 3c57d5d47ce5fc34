"""Operations one or both of whose operands are literals: C gives a literal a type of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

Check = Callable[..., None]
N = 24
_WIDTHS = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
_LITERALS = (-1000, 2000000000, 7, -1, 1, 0, 2147483647, -2147483648, 5000000000, -(2**63), 2**63 - 1)


def _function(name: str, width: int, body: str) -> str:
    """`out[i]` of `x`, `b` (its lowest bit) and `n` (less than the width), all of them from memory."""
    type = f"i{width}"
    return f"""
func.func @{name}(%xs: memref<{N}x{type}>, %out: memref<{N}x{type}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant {N} : index
  %mask = arith.constant {width - 1} : {type}
  scf.for %i = %c0 to %cn step %c1 {{
    %x = memref.load %xs[%i] : memref<{N}x{type}>
    %b = arith.trunci %x : {type} to i1
    %n = arith.andi %x, %mask : {type}
    {body}
    memref.store %r, %out[%i] : memref<{N}x{type}>
  }}
  func.return
}}
"""


def _bodies(width: int, one: int, other: int) -> dict[str, str]:
    type = f"i{width}"
    constants = f"%k = arith.constant {one} : {type}\n    %l = arith.constant {other} : {type}\n    "
    chosen = f"{constants}%c = arith.select %b, %k, %l : {type}\n    "
    divided = "%o = arith.constant 3 : {0}\n    %s = arith.{1} %c, %o : {0}\n    %r = arith.addi %s, %x : {0}"
    bodies = {
        **{name: f"{constants}%r = arith.{name} %k, %n : {type}" for name in ("shli", "shrsi", "shrui")},
        **{f"{name}_x": f"{constants}%r = arith.{name} %x, %k : {type}" for name in ("addi", "muli", "subi")},
        **{f"chosen_{name}": f"{chosen}%r = arith.{name} %c, %k : {type}" for name in ("muli", "addi", "subi", "xori")},
        **{f"of_{name}": chosen + divided.format(type, name) for name in ("divsi", "divui", "remui", "floordivsi")},
        **{f"moved_{name}": f"{chosen}%r = arith.{name} %c, %n : {type}" for name in ("shli", "shrsi", "shrui")},
        "negated": f"{chosen}%z = arith.constant 0 : {type}\n    %m = arith.subi %z, %c : {type}\n"
        f"    %r = arith.muli %m, %k : {type}",
        "compared": f"{chosen}%d = arith.muli %c, %k : {type}\n    %t = arith.cmpi slt, %d, %l : {type}\n"
        f"    %r = arith.extsi %t : i1 to {type}",
        "nsw": f"{chosen}%r = arith.shli %k, %n : {type}",
    }
    for name in ("mulsi_extended", "mului_extended") if width <= 32 else ():
        bodies[name] = f"{constants}%low, %r = arith.{name} %k, %l : {type}"
        bodies[f"{name}_chosen"] = f"{chosen}%low, %r = arith.{name} %c, %k : {type}"
    return bodies


def literals_agree(check: Check, width: int, step: int) -> None:
    kind = _WIDTHS[width]
    info = np.iinfo(kind)
    literals = list(dict.fromkeys(value for value in _LITERALS if info.min <= value <= info.max))
    values = np.random.default_rng(width).integers(info.min, info.max, N, dtype=kind, endpoint=True)
    text, calls = "", {}
    pairs = enumerate(zip(literals, [*literals[1:], literals[0]], strict=True))
    for number, (one, other) in [*pairs][::step]:
        for name, body in _bodies(width, one, other).items():
            text += _function(f"{name}_{number}", width, body)
            calls[f"{name}_{number}"] = [values, np.full(N, 99, kind)]
    # Some of this is constant, which compilers remark upon.
    check(text, calls, warn=False)


@pytest.mark.parametrize("width", _WIDTHS)
def test_literals(check: Check, width: int) -> None:
    """Every third."""
    literals_agree(check, width, 3)


@pytest.mark.sweep
@pytest.mark.parametrize("width", _WIDTHS)
def test_all_literals(check: Check, width: int) -> None:
    literals_agree(check, width, 1)


def test_printer_alone(c_text: Callable[[str], str]) -> None:
    """Constants of `emitc` that no pass has seen."""
    text = """
emitc.func @f(%n: i64, %b: i1) -> i64 {
  %k = "emitc.constant"() <{value = -1000 : i64}> : () -> i64
  %l = "emitc.constant"() <{value = 7 : i64}> : () -> i64
  %0 = emitc.expression %n, %b, %k, %l : (i64, i1, i64, i64) -> i64 {
    %shifted = emitc.bitwise_right_shift %k, %n : (i64, i64) -> i64
    %chosen = emitc.conditional %b, %k, %l : i64
    %product = emitc.mul %chosen, %l : (i64, i64) -> i64
    %sum = emitc.add %shifted, %product : (i64, i64) -> i64
    %less = emitc.sub %sum, %l : (i64, i64) -> i64
    emitc.yield %less : i64
  }
  emitc.return %0 : i64
}
"""
    assert "return (-INT64_C(1000) >> n) + (int64_t)(b ? -1000 : 7) * 7 - 7;" in c_text(text)
