"""Random convolutions as no front end makes them, and what numpy says they give.

Places, taps and channels may be counted from the last one on, dimensions stand in any order, and windows begin
anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from random_convolutions import ADD_PRODUCT, TO_BYTES, bytes_of, constant


@dataclass(frozen=True)
class Axis:
    """A dimension of an image, along which place `point` reads elements `step * point + apart * tap + first`."""

    extent: int
    points: int
    taps: int
    step: int
    apart: int
    first: int

    @staticmethod
    def drawn(rng: np.random.Generator) -> Axis:
        """One along which each place has a tap inside."""
        while True:
            extent, points, taps = (int(rng.integers(1, most)) for most in (10, 9, 4))
            step, apart = (int(rng.choice([1, 1, 1, 2, -1, -1, -2])) for _ in range(2))
            axis = Axis(extent, points, taps, step, apart, int(rng.integers(-6, 16)))
            # What is clipped and counts down must begin at an element.
            begins = axis.apart > 0 or axis.places()[:, 0].min() >= 0
            if begins and axis.inside().any(axis=1).all():
                return axis

    def places(self) -> np.ndarray:
        """[points, taps]: the elements, those that are outside too."""
        return self.step * np.arange(self.points)[:, None] + self.apart * np.arange(self.taps) + self.first

    def inside(self) -> np.ndarray:
        """[points, taps]: whether elements are there."""
        return (self.places() >= 0) & (self.places() < self.extent)

    def index(self, point: str, tap: str) -> str:
        """The element in the text of a nest."""
        return f"{self.step} * {point} + {self.apart} * {tap} + {self.first}"


@dataclass(frozen=True)
class Convolution:
    """A function of an image of bytes and of what it writes: sums, or bytes of them."""

    text: str
    rows: Axis
    columns: Axis
    constants: dict[str, np.ndarray]
    zero_point: int
    channels: int
    turned: bool
    """Whether channels that are read are counted from the last one on."""
    narrow: bool

    @property
    def shapes(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Of what it reads, and of what it writes."""
        read = self.rows.extent, self.columns.extent, self.channels
        return read, (self.rows.points, self.columns.points, len(self.constants["b"]))

    def expected(self, x: np.ndarray) -> np.ndarray:
        """What it writes."""
        rows, columns, weights = self.rows, self.columns, self.constants["w"].astype(np.int64)
        values = x.astype(np.int64)[..., :: -1 if self.turned else 1] - self.zero_point
        inside = rows.inside()[:, :, None, None] & columns.inside()
        windows = values[rows.places().clip(0, rows.extent - 1)][:, :, columns.places().clip(0, columns.extent - 1)]
        windows = np.where(inside[..., None], windows, 0)
        sums = np.einsum("akblc,klc->abc" if weights.ndim == 3 else "akbli,ckli->abc", windows, weights)
        sums = sums + self.constants["b"]
        return bytes_of(sums, self.constants, self.zero_point) if self.narrow else sums.astype(np.int32)


_WIDE = """\
finish () of (%sum : i32) {{
      task.yield %sum : i32
    }}"""


def convolution(rng: np.random.Generator, name: str) -> Convolution:
    """A function without a schedule, depthwise or dense."""
    rows, columns, depthwise = Axis.drawn(rng), Axis.drawn(rng), bool(rng.integers(0, 2))
    co = int(rng.choice([1, 2, 3, 4, 5, 8, 11, 12]))
    ci = co if depthwise else int(rng.choice([1, 2, 3, 4, 5, 8, 12, 16, 20]))
    shape = (rows.taps, columns.taps, co) if depthwise else (co, rows.taps, columns.taps, ci)
    most = int(rng.choice([8, 128]))
    constants = {
        "w": rng.integers(-most, most, shape).astype(np.int8),
        "b": rng.integers(-9999, 9999, co).astype(np.int32),
        "m": rng.integers(0, 1 << 31, co).astype(np.int32),
        "n": rng.integers(0, 12, co).astype(np.int8),
    }
    zero_point, turned, narrow = int(rng.integers(-128, 128)), rng.random() < 0.2, rng.random() < 0.5
    types = {key: f"memref<{'x'.join(map(str, one.shape))}xi{8 * one.itemsize}>" for key, one in constants.items()}
    x = f"memref<{rows.extent}x{columns.extent}x{ci}xi8>"
    y = f"memref<{rows.points}x{columns.points}x{co}x{'i8' if narrow else 'i32'}>"
    channel = "c" if depthwise else "k"
    fold = [("ky", rows.taps), ("kx", columns.taps), *([] if depthwise else [("k", ci)])]
    space = [("oy", rows.points), ("ox", columns.points), ("c", co)]
    gets = "".join(f"  %{key} = memref.get_global @{name}_{key} : {type}\n" for key, type in types.items())
    text = "".join(constant(f"{name}_{key}", value) for key, value in constants.items())
    text += f"""
func.func @{name}(%x: {x}, %y: {y}) {{
  %zp = arith.constant {zero_point} : i32
  %two = arith.constant 2 : i32
{gets}
  task.nest space({_dims(rng, space)}) fold({_dims(rng, fold)})
    where(iy = {rows.index("oy", "ky")}, ix = {columns.index("ox", "kx")})
    start (%bias = %b[c] : {types["b"]}) {{
      task.yield %bias : i32
    }}
    step (%v = clip %x[iy, ix, {f"{ci - 1} - {channel}" if turned else channel}] : {x},
        %u = %w[{"ky, kx, c" if depthwise else "c, ky, kx, k"}] : {types["w"]}) into (%acc : i32) {{
      {ADD_PRODUCT}
    }}
    {(TO_BYTES if narrow else _WIDE).format(**types)}
    writes (%y[oy, ox, c] : {y})
  func.return
}}
"""
    return Convolution(text, rows, columns, constants, zero_point, ci, turned, narrow)


def _dims(rng: np.random.Generator, dims: Iterable[tuple[str, int]]) -> str:
    """Dimensions in their order, or in any."""
    listed = [f"{name} = {extent}" for name, extent in dims]
    return ", ".join(rng.permutation(listed) if rng.random() < 0.25 else listed)
