"""Every arithmetic operation on every type, on corner values and random ones, against MLIR's own code generation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

Check = Callable[..., None]
N = 96
_WIDTHS = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}
_FLOATS = {"f32": np.float32, "f64": np.float64}


def _loop(name: str, types: list[str], result: str, body: str) -> str:
    """`out[i] = body(arg0[i], arg1[i] ...)`; the body names its operands %x0, %x1 and its result %r."""
    arguments = ", ".join(f"%a{i}: memref<{N}x{t}>" for i, t in enumerate(types))
    loads = "\n".join(f"    %x{i} = memref.load %a{i}[%i] : memref<{N}x{t}>" for i, t in enumerate(types))
    return f"""
func.func @{name}({arguments}, %out: memref<{N}x{result}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %cn = arith.constant {N} : index
  scf.for %i = %c0 to %cn step %c1 {{
{loads}
    {body}
    memref.store %r, %out[%i] : memref<{N}x{result}>
  }}
  func.return
}}
"""


def _integers(width: int, seed: int) -> np.ndarray:
    kind = _WIDTHS[width]
    info = np.iinfo(kind)
    corners = [0, 1, -1, 2, -2, 3, 7, info.min, info.min + 1, info.max, info.max - 1]
    random = np.random.default_rng(seed)
    values = random.integers(info.min, info.max, N, dtype=kind, endpoint=True)
    values[: N // 2] = random.choice(np.array(corners, dtype=kind), N // 2)
    return values


def _floats(kind: str, seed: int) -> np.ndarray:
    corners = [0.0, -0.0, 1.0, -1.0, np.nan, np.inf, -np.inf, 0.5, 1.5, 2.5, -2.5]
    random = np.random.default_rng(seed)
    values = random.normal(0, 10, N)
    values[: N // 2] = random.choice(np.array(corners), N // 2)
    return values.astype(_FLOATS[kind])


@pytest.mark.parametrize("width", _WIDTHS)
def test_integer_operations(check: Check, width: int) -> None:
    type = f"i{width}"
    left, right = _integers(width, 1), _integers(width, 2)
    divisor = np.where((right == 0) | (right == -1), 5, right).astype(right.dtype)
    amount = np.random.default_rng(3).integers(0, width, N).astype(right.dtype)
    operands = {
        "addi subi muli andi ori xori minsi maxsi minui maxui": right,
        "divsi divui remsi remui floordivsi ceildivsi ceildivui": divisor,
        "shli shrsi shrui": amount,
    }
    text, calls = "", {}
    for names, second in operands.items():
        for name in names.split():
            text += _loop(name, [type, type], type, f"%r = arith.{name} %x0, %x1 : {type}")
            calls[name] = [left, second, np.zeros(N, left.dtype)]
    for predicate in "eq ne slt sle sgt sge ult ule ugt uge".split():
        body = f"%c = arith.cmpi {predicate}, %x0, %x1 : {type}\n    %r = arith.extui %c : i1 to {type}"
        text += _loop(f"cmp_{predicate}", [type, type], type, body)
        calls[f"cmp_{predicate}"] = [left, right, np.zeros(N, left.dtype)]
    text += _loop("absi", [type], type, f"%r = math.absi %x0 : {type}")
    calls["absi"] = [left, np.zeros(N, left.dtype)]
    if width <= 32:
        for name in "ctlz cttz ctpop".split():
            text += _loop(name, [type], type, f"%r = math.{name} %x0 : {type}")
            calls[name] = [left, np.full(N, -1, left.dtype)]
        for name in ("mulsi_extended", "mului_extended"):
            text += _loop(name, [type, type], type, f"%l, %r = arith.{name} %x0, %x1 : {type}")
            calls[name] = [left, right, np.zeros(N, left.dtype)]
    check(text, calls)


def test_operations_without_overflow(check: Check) -> None:
    """With `nsw`, and on `index`, arithmetic is plain: on small numbers, where nothing overflows."""
    text, calls = "", {}
    for width, kind in _WIDTHS.items():
        small = np.random.default_rng(width).integers(-9, 9, (2, N)).astype(kind)
        for name in ("addi", "subi", "muli"):
            body = f"%r = arith.{name} %x0, %x1 overflow<nsw> : i{width}"
            text += _loop(f"{name}{width}", [f"i{width}"] * 2, f"i{width}", body)
            calls[f"{name}{width}"] = [*small, np.zeros(N, kind)]
        body = f"%k = arith.constant 3 : i{width}\n    %r = arith.shli %x0, %k overflow<nsw> : i{width}"
        text += _loop(f"shl{width}", [f"i{width}"], f"i{width}", body)
        calls[f"shl{width}"] = [small[0], np.zeros(N, kind)]
    for name in ("addi", "subi", "muli", "floordivsi", "ceildivsi", "remsi", "minsi", "maxsi"):
        for divisor in (3, -3):
            body = f"""%x = arith.index_cast %x0 : i32 to index
    %k = arith.constant {divisor} : index
    %y = arith.{name} %x, %k : index
    %r = arith.index_cast %y : index to i32"""
            function = f"index_{name}_{'minus' if divisor < 0 else 'plus'}"
            text += _loop(function, ["i32"], "i32", body)
            calls[function] = [np.arange(-N // 2, N // 2, dtype=np.int32), np.zeros(N, np.int32)]
    check(text, calls)


def test_integer_conversions(check: Check) -> None:
    text, calls = "", {}
    for source, kind in _WIDTHS.items():
        values = _integers(source, source)
        for target, other in _WIDTHS.items():
            if source == target:
                continue
            for name in ("trunci",) if target < source else ("extsi", "extui"):
                function = f"{name}_{source}_{target}"
                text += _loop(function, [f"i{source}"], f"i{target}", f"%r = arith.{name} %x0 : i{source} to i{target}")
                calls[function] = [values, np.full(N, 99, other)]
        for name, body in {
            "low_bit": f"%b = arith.trunci %x0 : i{source} to i1\n    %r = arith.extsi %b : i1 to i{source}",
            "logic": f"""%b = arith.trunci %x0 : i{source} to i1
    %z = arith.constant 1 : i{source}
    %c = arith.cmpi slt, %x0, %z : i{source}
    %and = arith.andi %b, %c : i1
    %or = arith.ori %b, %c : i1
    %xor = arith.xori %b, %c : i1
    %true = arith.constant true
    %not = arith.xori %and, %true : i1
    %lt = arith.cmpi slt, %b, %c : i1
    %ult = arith.cmpi ult, %b, %c : i1
    %sum = arith.addi %xor, %or : i1
    %min = arith.minsi %sum, %lt : i1
    %pick = arith.select %not, %min, %ult : i1
    %r = arith.extui %pick : i1 to i{source}""",
        }.items():
            text += _loop(f"{name}{source}", [f"i{source}"], f"i{source}", body)
            calls[f"{name}{source}"] = [values, np.full(N, 99, kind)]
    check(text, calls)


@pytest.mark.parametrize("type", _FLOATS)
def test_float_operations(check: Check, type: str) -> None:
    left, right = _floats(type, 1), _floats(type, 2)
    out = np.full(N, 77, left.dtype)
    text, calls = "", {}
    for name in "addf subf mulf divf remf maximumf minimumf".split():
        text += _loop(name, [type, type], type, f"%r = arith.{name} %x0, %x1 : {type}")
        calls[name] = [left, right, out]
    for name in ("maximumf", "minimumf"):
        for index, bound in enumerate(("0.0", "-0.0", "6.0")):
            body = f"%k = arith.constant {bound} : {type}\n    %r = arith.{name} %x0, %k : {type}"
            text += _loop(f"{name}_{index}", [type], type, body)
            calls[f"{name}_{index}"] = [left, out]
    text += _loop("negf", [type], type, f"%r = arith.negf %x0 : {type}")
    calls["negf"] = [left, out]
    for name in "absf floor ceil sqrt trunc round roundeven exp log tanh".split():
        text += _loop(f"all_{name}", [type], type, f"%r = math.{name} %x0 : {type}")
        calls[f"all_{name}"] = [left, out]
    for predicate in "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split():
        body = f"%c = arith.cmpf {predicate}, %x0, %x1 : {type}\n    %r = arith.select %c, %x0, %x1 : {type}"
        text += _loop(f"cmp_{predicate}", [type, type], type, body)
        calls[f"cmp_{predicate}"] = [left, right, out]
    check(text, calls)


def test_float_conversions(check: Check) -> None:
    singles = np.random.default_rng(5).normal(0, 60, N).astype(np.float32)
    integers = _integers(32, 6)
    text, calls = "", {}
    for name, source, target, values, kind in (
        ("sitofp", "i32", "f32", integers, np.float32),
        ("uitofp", "i32", "f64", integers, np.float64),
        ("fptosi", "f32", "i8", np.clip(singles, -127, 127), np.int8),
        ("fptoui", "f32", "i8", np.abs(singles), np.int8),
        ("fptosi", "f32", "i64", singles, np.int64),
        ("extf", "f32", "f64", singles, np.float64),
        ("truncf", "f64", "f32", singles.astype(np.float64) / 3, np.float32),
        ("bitcast", "f32", "i32", singles, np.int32),
        ("bitcast", "i32", "f32", np.abs(integers // 4), np.float32),
    ):
        function = f"{name}_{source}_{target}"
        text += _loop(function, [source], target, f"%r = arith.{name} %x0 : {source} to {target}")
        calls[function] = [values, np.full(N, 99, kind)]
    # There and back again is not nothing: the fraction goes, and so do bits of the integer.
    for name, source, via, other, values in (
        ("fptosi", "f32", "i32", "sitofp", singles),
        ("fptoui", "f32", "i32", "uitofp", np.abs(singles)),
        ("fptosi", "f64", "i64", "sitofp", singles.astype(np.float64)),
        ("sitofp", "i32", "f32", "fptosi", integers // 3),
    ):
        body = f"%v = arith.{name} %x0 : {source} to {via}\n    %r = arith.{other} %v : {via} to {source}"
        function = f"{name}_{other}_{source}"
        text += _loop(function, [source], source, body)
        calls[function] = [values, np.full(N, 99, values.dtype)]
    check(text, calls)
