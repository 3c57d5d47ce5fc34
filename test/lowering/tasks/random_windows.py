"""Random convolutions to bytes, depthwise and dense, whose constants are one stream, and what they give."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

if TYPE_CHECKING:
    from stillpool import Artifact

EXTREMES = (-128, -127, -1, 0, 1, 126, 127)


@dataclass(frozen=True)
class Window:
    """A function `NAME` of a memref of bytes that fills another."""

    text: str
    extents: dict[str, int]
    weights: np.ndarray
    bias: np.ndarray
    records: np.ndarray
    signed: bool
    has_rows: bool = False
    """Whether each row of what it reads is a memref of its own."""
    zero_point: int | None = None
    """What is added to products of floats; None where records are of integers."""

    def inputs(self, x: np.ndarray) -> list[np.ndarray]:
        """What it reads, an array for each memref."""
        return [x[n : n + 1] for n in range(len(x))] if self.has_rows else [x]

    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Of what it reads, all rows of it, and of what it writes."""
        e = self.extents
        written = (e["oh"], e["ow"], e["c"])
        return (e["h"], e["w"], e["ci"]), written[1:] if self.has_rows else written

    def expected(self, x: np.ndarray) -> np.ndarray:
        """What it writes, from the definition in numpy."""
        e = self.extents
        sums = np.broadcast_to(self.bias, (e["oh"], e["ow"], e["c"])).astype(np.int64)
        for oy, ox, ky, kx in np.ndindex(e["oh"], e["ow"], e["kh"], e["kw"]):
            iy, ix = (o * e["s"] - p + k * e["d"] for o, p, k in ((oy, e["py"], ky), (ox, e["px"], kx)))
            if 0 <= iy < e["h"] and 0 <= ix < e["w"]:
                values, weights = x[iy, ix].astype(np.int64) - e["zp"], self.weights.astype(np.int64)
                sums[oy, ox] += weights[:, ky, kx] @ values if weights.ndim > 3 else values * weights[ky, kx]
        if self.zero_point is not None:
            products = sums.astype(np.float32) * self.records.view(np.float32)
            found = np.rint(products).astype(np.int64) + self.zero_point
            return np.clip(found, -128, 127).astype(np.int8).reshape(self.shapes()[1])
        multiplier, added, right = (self.records[:, n].astype(np.int64) for n in range(3))
        high = ((2 * sums * multiplier + 2**31) >> 32) + added + (sums < 0) * -int(self.signed)
        return np.clip(high >> right, -128, 127).astype(np.int8).reshape(self.shapes()[1])


def window(
    rng: np.random.Generator,
    name: str,
    *,
    order: str = "",
    extents: Mapping[str, int] | None = None,
    has_rows: bool = False,
) -> Window:
    """A depthwise one with all kinds of borders, strides and dilations; `order` are further steps."""
    e = _extents(rng, int(rng.choice([4, 8, 11, 12]))) | dict(extents or {})
    outer = ["ox"] if has_rows else ["oy", "ox"]
    words = " ".join(["words", *(dim for dim in _clipped(e) if rng.integers(0, 4) and dim in outer)])
    steps = f"split c 4, order ({', '.join(outer)}, c_o, c_i, ky, kx), jam c_i, {words}"
    steps = f"jam c, {words}" if e["c"] == 4 else steps
    steps += "".join(f", reverse {dim}" for dim in (*outer, *(["c_o"] if e["c"] > 4 else []))) if order else ""
    return _window(rng, name, e, steps, has_rows=has_rows)


def window_of_rows(rng: np.random.Generator, name: str, *, order: str = "") -> Window:
    """A depthwise one for one row of what it writes; the rows that it reads are memrefs of their own."""
    h, w, kw, c = (
        int(one) for one in (rng.integers(2, 4), rng.integers(4, 9), rng.integers(1, 4), rng.choice([8, 12]))
    )
    # A task of rows leaves out those that its filter does not reach: only the columns are clipped.
    e = {"h": h, "w": w, "c": c, "ci": c, "kh": h, "kw": kw, "s": 1, "d": 1, "oh": 1, "ow": w}
    e |= {"py": 0, "px": int(rng.integers(0, kw))}
    return window(rng, name, order=order, extents=e, has_rows=True)


def tile(rng: np.random.Generator, name: str, most: int, *, few: bool = False) -> Window:
    """A dense one of up to `most` input channels, in tiles of one point or of two that lie along either dimension.

    With `few` a point has no more than eight words.
    """
    channels = int(rng.choice([4, 8, 12]))
    e = _extents(rng, channels) | {"ci": int(rng.choice([1, 2, 3, 4, int(rng.integers(1, most + 1))]))}
    if few:
        e |= {"kh": 1, "kw": 1, "py": 0, "px": 0, "ci": int(rng.integers(1, 11))}
        e |= {out: (e[extent] - 1) // e["s"] + 1 for out, extent in (("oh", "h"), ("ow", "w"))}
    along = str(rng.choice(["", *(dim for dim, key in (("oy", "oh"), ("ox", "ow")) if e[key] > 1)]))
    outer = {"": ["oy", "ox"], "oy": ["oy_o", "ox"], "ox": ["oy", "ox_o"]}[along]
    points = [f"{along}_i"] if along else []
    blocks, last = (["c_o"], "c_i") if channels > 4 else ([], "c")
    steps = [f"split {along} 2"] if along and e["oh" if along == "oy" else "ow"] > 2 else []
    if along and not steps:
        outer, points = [dim for dim in ("oy", "ox") if dim != along], [along]
    steps += ["split c 4"] if blocks else []
    steps += [f"order ({', '.join([*outer, *blocks, *points, last, 'ky', 'kx', 'k'])})"]
    steps += [f"jam {dim}" for dim in [*points, last]]
    run, unroll = int(rng.integers(1, 4)), 8 if few else int(rng.choice([1, 2, 3, 8, 16]))
    # Two channels share a word where 24 bits hold all sums of them.
    kind = str(rng.choice(["", " bytes"])) if e["kh"] * e["kw"] * e["ci"] < 240 and not few else ""
    step = f"dual {run} {unroll}{kind}"
    return _window(rng, name, e, ", ".join([*steps, step]))


def tile_of_rows(rng: np.random.Generator, name: str, most: int) -> Window:
    """A dense one of two points for one row of what it writes; the rows that it reads are memrefs of their own."""
    h, w, kw = (int(one) for one in (rng.integers(1, 4), rng.integers(4, 9), rng.integers(1, 4)))
    c, ci = int(rng.choice([4, 8])), int(rng.choice([1, 3, 4 * int(rng.integers(1, most // 4 + 1))]))
    e = _extents(rng, c) | {"h": h, "w": w, "ci": ci, "kh": h, "kw": kw, "s": 1, "d": 1, "oh": 1, "ow": w}
    e |= {"py": 0, "px": int(rng.integers(0, kw))}
    blocks, last, split = (["c_o"], "c_i", ["split c 4"]) if c > 4 else ([], "c", [])
    order = ", ".join(["ox_o", *blocks, "ox_i", last, "ky", "kx", "k"])
    steps = ["split ox 2", *split, f"order ({order})", "jam ox_i", f"jam {last}"]
    return _window(rng, name, e, ", ".join([*steps, f"dual {rng.integers(1, 4)} 8"]), has_rows=True)


def _extents(rng: np.random.Generator, channels: int) -> dict[str, int]:
    e = {key: int(rng.integers(1, 9)) for key in ("h", "w")}
    e |= {key: int(rng.integers(1, 5)) for key in ("kh", "kw")}
    e |= {"c": channels, "ci": channels, "s": int(rng.integers(1, 3)), "d": int(rng.integers(1, 3))}
    e |= {"zp": int(rng.choice([-128, 0, 127, int(rng.integers(-128, 128))]))}
    e |= {"py": int(rng.integers(0, e["kh"])), "px": int(rng.integers(0, e["kw"]))}
    return e | {"oh": (e["h"] - 1 + e["py"]) // e["s"] + 1, "ow": (e["w"] - 1 + e["px"]) // e["s"] + 1}


def _clipped(e: dict[str, int]) -> list[str]:
    lengths = {"oy": ("py", "oh", "kh", "h"), "ox": ("px", "ow", "kw", "w")}
    sizes = {dim: [e[key] for key in keys] for dim, keys in lengths.items()}
    reach = {dim: (out - 1) * e["s"] + (k - 1) * e["d"] - pad for dim, (pad, out, k, _) in sizes.items()}
    return [dim for dim, (pad, _, _, extent) in sizes.items() if pad or reach[dim] >= extent]


def _window(rng: np.random.Generator, name: str, e: dict[str, int], steps: str, *, has_rows: bool = False) -> Window:
    is_dense = "dual" in steps
    shape = (e["c"], e["kh"], e["kw"], e["ci"]) if is_dense else (e["kh"], e["kw"], e["c"])
    weights = rng.choice([*EXTREMES, *rng.integers(-128, 128, 5)], shape).astype(np.int8)
    weights = np.maximum(weights, -127) if "bytes" in steps else weights
    bias = rng.integers(-(2**16), 2**16, e["c"]).astype(np.int32)
    # Alike, near each other, and far apart.
    least, spread = int(rng.integers(0, 9)), int(rng.choice([1, 4, 10]))
    right = rng.integers(least, least + spread, e["c"])
    records = np.stack([rng.integers(2**24, 2**31, e["c"]), rng.integers(-(2**10), 2**10, e["c"]), right], 1)
    signed = bool(rng.integers(0, 2))
    x, y = (f"memref<{e['h']}x{e['w']}x{e['ci']}xi8>", f"memref<{e['oh']}x{e['ow']}x{e['c']}xi8>")
    constants = {"w": (weights, "i8"), "b": (bias, "i32"), "r": (records, "i32")}
    types = {key: f"{'x'.join(map(str, value.shape))}x{element}" for key, (value, element) in constants.items()}
    globals = "".join(
        f'memref.global "private" constant @{name}_{key} : memref<{types[key]}> = dense<{value.tolist()}>\n'
        for key, (value, _) in constants.items()
    )
    w, b, r = (f"memref<{types[key]}>" for key in constants)
    fold, at, weight = (f", k = {e['ci']}", "k", "c, ky, kx, k") if is_dense else ("", "c", "ky, kx, c")
    sign = "%sign = arith.shrsi %sum, %c31 : i32\n      %added = arith.addi %sign, %nudge : i32" if signed else ""
    parameters, join, outer, above, written = f"%x: {x}", "", f"oy = {e['oh']}, ", f"oy * {e['s']}", "oy, "
    if has_rows:
        outer, above, written, y = "", "0", "", f"memref<{e['ow']}x{e['c']}xi8>"
        rows, row = [f"%x{n}" for n in range(e["h"])], f"memref<1x{e['w']}x{e['ci']}xi8>"
        parameters = ", ".join(f"{one}: {row}" for one in rows)
        join = f"%x = task.join 0 of {', '.join(rows)} : {', '.join([row] * len(rows))} -> {x}"
    text = f"""
{globals}
func.func @{name}({parameters}, %y: {y}) {{
  {join}
  %zp = arith.constant {e["zp"]} : i32
  %c2 = arith.constant 2 : i32
  %c31 = arith.constant 31 : i32
  %w = memref.get_global @{name}_w : {w}
  %b = memref.get_global @{name}_b : {b}
  %r = memref.get_global @{name}_r : {r}
  task.nest space({outer}ox = {e["ow"]}, c = {e["c"]}) fold(ky = {e["kh"]}, kx = {e["kw"]}{fold})
    where(y0 = {above} - {e["py"]}, x0 = ox * {e["s"]} - {e["px"]},
          iy = y0 + ky * {e["d"]}, ix = x0 + kx * {e["d"]})
    start (%start = %b[c] : {b}) {{
      task.yield %start : i32
    }}
    step (%v = clip %x[iy, ix, {at}] : {x}, %u = %w[{weight}] : {w}) into (%acc : i32) {{
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %zp : i32
      %2 = arith.extsi %u : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32
    }}
    {_FINISH.format(r=r, sign=sign, added="%added" if signed else "%nudge")}
    writes (%y[{written}ox, c] : {y})
    schedule <{steps}>
  func.return
}}
"""
    return Window(text, e, weights, bias, records, signed, has_rows)


_FINISH = """\
finish (%multiplier = %r[c, 0] : {r}, %nudge = %r[c, 1] : {r}, %right = %r[c, 2] : {r}) of (%sum : i32) {{
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      {sign}
      %high = simd.multiply_high_add %doubled, %multiplier, {added}
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }}"""
_IN_FLOATS = """\
finish (%factor = %r[c] : {r}) of (%sum : i32) {{
      %scaled = simd.scale_real narrow %sum, %factor
      %moved = arith.addi %scaled, %to : i32
      %byte = simd.saturate %moved 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }}"""


def in_floats(rng: np.random.Generator, one: Window) -> Window:
    """The same with an end in floats, a factor for each channel; many sums lie at halves, which go to even."""
    bound = 2**16 + 255 * 128 * one.weights.size // one.extents["c"]
    factors = rng.choice([1, 1.5, rng.uniform(1, 2)], one.extents["c"]) * 2.0 ** (8 - bound.bit_length())
    records, zero_point = factors.astype(np.float32).view(np.int32), int(rng.choice([-128, 0, 5, 127]))
    before, after = (f"memref<{one.extents['c']}{row}xi32>" for row in ("x3", ""))
    text = one.text.replace(f"{before} = dense<{one.records.tolist()}>", f"{after} = dense<{records.tolist()}>")
    start, end = text.index("finish ("), text.index("    writes (")
    text = f"{text[:start]}{_IN_FLOATS.format(r=after)}\n{text[end:]}".replace(before, after)
    text = text.replace("  %c31 =", f"  %to = arith.constant {zero_point} : i32\n  %c31 =")
    return replace(one, text=text, records=records, zero_point=zero_point)


def bytes_for(rng: np.random.Generator, one: Window) -> np.ndarray:
    """Random and extreme ones."""
    return rng.choice([*EXTREMES, *rng.integers(-128, 128, 9)], one.shapes()[0]).astype(np.int8)


def emulated(rng: np.random.Generator, cases: Sequence[Window], compiler: str) -> None:
    """Compare what functions write on an emulated Cortex-M4; without the compiler the test is skipped."""
    from stillpool.errors import UsageError
    from stillpool.machines.cpus import get_cpu
    from stillpool.run.emulate.emulator import emulate
    from stillpool.run.emulate.toolchain import find_toolchain

    cpu = get_cpu("cortex-m4")
    try:
        find_toolchain(cpu, compiler)
    except UsageError as error:
        pytest.skip(str(error))
    xs = [bytes_for(rng, one) for one in cases]
    calls, arguments, given = list[str](), list[str](), dict[str, np.ndarray]()
    for n, (one, x) in enumerate(zip(cases, xs, strict=True)):
        inputs = {f"x{n}row{row}": array for row, array in enumerate(one.inputs(x))}
        given |= {name: array[np.newaxis] for name, array in inputs.items()}
        shapes = {name: array.shape for name, array in inputs.items()} | {f"y{n}": one.shapes()[1]}
        types = [f"memref<{'x'.join(map(str, shape))}xi8>" for shape in shapes.values()]
        arguments += [f"%{name}: {type}" for name, type in zip(shapes, types, strict=True)]
        calls.append(f"  func.call @f{n}({', '.join(f'%{name}' for name in shapes)}) : ({', '.join(types)}) -> ()")
    text = "".join(one.text.replace("func.func @", "func.func private @") for one in cases)
    text += f"\nfunc.func @windows({', '.join(arguments)}) {{\n" + "\n".join(calls) + "\n  func.return\n}\n"
    result = emulate(_compiled(text), cpu, given, cc=compiler)
    for n, (one, x) in enumerate(zip(cases, xs, strict=True)):
        np.testing.assert_array_equal(result.outputs[f"y{n}"].reshape(one.shapes()[1]), one.expected(x), one.text)


@lru_cache(maxsize=2)
def _compiled(text: str) -> Artifact:
    """What a module becomes: compilers of C take it in turns."""
    from stillpool import compile

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "windows.mlir"
        file.write_text(text)
        return compile(file)
