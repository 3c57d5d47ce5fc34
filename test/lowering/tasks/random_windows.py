"""Random depthwise convolutions to bytes, whose constants are one stream, and what they give."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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

    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Of what it reads and of what it writes."""
        e = self.extents
        return (e["h"], e["w"], e["c"]), (e["oh"], e["ow"], e["c"])

    def expected(self, x: np.ndarray) -> np.ndarray:
        """What it writes, from the definition in numpy."""
        e = self.extents
        sums = np.broadcast_to(self.bias, self.shapes()[1]).astype(np.int64)
        for oy, ox, ky, kx in np.ndindex(e["oh"], e["ow"], e["kh"], e["kw"]):
            iy, ix = (o * e["s"] - p + k * e["d"] for o, p, k in ((oy, e["py"], ky), (ox, e["px"], kx)))
            if 0 <= iy < e["h"] and 0 <= ix < e["w"]:
                sums[oy, ox] += (x[iy, ix].astype(np.int64) - e["zp"]) * self.weights[ky, kx]
        multiplier, added, right = (self.records[:, n].astype(np.int64) for n in range(3))
        high = ((2 * sums * multiplier + 2**31) >> 32) + added + (sums < 0) * -int(self.signed)
        return np.clip(high >> right, -128, 127).astype(np.int8)


def window(rng: np.random.Generator, name: str, *, order: str = "") -> Window:
    """One with all kinds of borders, strides and dilations; `order` are further steps."""
    e = {key: int(rng.integers(1, 9)) for key in ("h", "w")}
    e |= {key: int(rng.integers(1, 5)) for key in ("kh", "kw")}
    e |= {"c": int(rng.choice([4, 8, 11, 12])), "s": int(rng.integers(1, 3)), "d": int(rng.integers(1, 3))}
    e |= {"zp": int(rng.choice([-128, 0, 127, int(rng.integers(-128, 128))]))}
    e |= {"py": int(rng.integers(0, e["kh"])), "px": int(rng.integers(0, e["kw"]))}
    e |= {"oh": (e["h"] - 1 + e["py"]) // e["s"] + 1, "ow": (e["w"] - 1 + e["px"]) // e["s"] + 1}
    weights = rng.choice([*EXTREMES, *rng.integers(-128, 128, 5)], (e["kh"], e["kw"], e["c"])).astype(np.int8)
    bias = rng.integers(-(2**16), 2**16, e["c"]).astype(np.int32)
    right = rng.integers(0, 10, e["c"])
    records = np.stack([rng.integers(2**24, 2**31, e["c"]), rng.integers(-(2**10), 2**10, e["c"]), right], 1)
    signed = bool(rng.integers(0, 2))
    reads, writes = ((e["h"], e["w"], e["c"]), (e["oh"], e["ow"], e["c"]))
    x, y = (f"memref<{'x'.join(map(str, shape))}xi8>" for shape in (reads, writes))
    constants = {"w": (weights, "i8"), "b": (bias, "i32"), "r": (records, "i32")}
    types = {key: f"{'x'.join(map(str, value.shape))}x{element}" for key, (value, element) in constants.items()}
    globals = "".join(
        f'memref.global "private" constant @{name}_{key} : memref<{types[key]}> = dense<{value.tolist()}>\n'
        for key, (value, _) in constants.items()
    )
    w, b, r = (f"memref<{types[key]}>" for key in constants)
    lengths = {"oy": ("py", "oh", "kh", "h"), "ox": ("px", "ow", "kw", "w")}
    sizes = {dim: [e[key] for key in keys] for dim, keys in lengths.items()}
    reach = {dim: (out - 1) * e["s"] + (k - 1) * e["d"] - pad for dim, (pad, out, k, _) in sizes.items()}
    clipped = [dim for dim, (pad, _, _, extent) in sizes.items() if pad or reach[dim] >= extent]
    words = " ".join(["words", *(dim for dim in clipped if rng.integers(0, 4))])
    steps = f"jam c, {words}" if e["c"] == 4 else f"split c 4, order (oy, ox, c_o, c_i, ky, kx), jam c_i, {words}"
    steps += "".join(f", reverse {dim}" for dim in ("oy", "ox", *(["c_o"] if e["c"] > 4 else []))) if order else ""
    sign = "%sign = arith.shrsi %sum, %c31 : i32\n      %added = arith.addi %sign, %nudge : i32" if signed else ""
    text = f"""
{globals}
func.func @{name}(%x: {x}, %y: {y}) {{
  %zp = arith.constant {e["zp"]} : i32
  %c2 = arith.constant 2 : i32
  %c31 = arith.constant 31 : i32
  %w = memref.get_global @{name}_w : {w}
  %b = memref.get_global @{name}_b : {b}
  %r = memref.get_global @{name}_r : {r}
  task.nest space(oy = {e["oh"]}, ox = {e["ow"]}, c = {e["c"]}) fold(ky = {e["kh"]}, kx = {e["kw"]})
    where(y0 = oy * {e["s"]} - {e["py"]}, x0 = ox * {e["s"]} - {e["px"]},
          iy = y0 + ky * {e["d"]}, ix = x0 + kx * {e["d"]})
    start (%start = %b[c] : {b}) {{
      task.yield %start : i32
    }}
    step (%v = clip %x[iy, ix, c] : {x}, %u = %w[ky, kx, c] : {w}) into (%acc : i32) {{
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %zp : i32
      %2 = arith.extsi %u : i8 to i32
      %3 = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %3 : i32
      task.yield %next : i32
    }}
    finish (%multiplier = %r[c, 0] : {r}, %nudge = %r[c, 1] : {r}, %right = %r[c, 2] : {r}) of (%sum : i32) {{
      %doubled = arith.muli %sum, %c2 overflow<nsw> : i32
      {sign}
      %high = simd.multiply_high_add %doubled, %multiplier, {"%added" if signed else "%nudge"}
      %shifted = arith.shrsi %high, %right : i32
      %byte = simd.saturate %shifted 8
      %narrow = arith.trunci %byte : i32 to i8
      task.yield %narrow : i8
    }}
    writes (%y[oy, ox, c] : {y})
    schedule <{steps}>
  func.return
}}
"""
    return Window(text, e, weights, bias, records, signed)


def bytes_for(rng: np.random.Generator, one: Window) -> np.ndarray:
    """Random and extreme ones."""
    return rng.choice([*EXTREMES, *rng.integers(-128, 128, 9)], one.shapes()[0]).astype(np.int8)
