"""Sliding windows: the one place that knows which input row (or column) a tap of an output row reads."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ..builder import Loops, Value


@dataclass(frozen=True)
class Taps:
    """The taps of one window position that lie inside the input: numbers `begin` up to `end` (excluded)."""

    origin: Value
    """Input index of tap 0; it may lie in the padding."""
    begin: Value
    end: Value


@dataclass(frozen=True)
class IndexMap:
    """Maps output index `o` and tap `k` to the input index `o * stride - pad + k * dilation`, along one dimension."""

    name: str
    """`y` or `x`, for the names of indices."""
    extent: int
    """Elements of the input."""
    positions: int
    """Elements of the output."""
    kernel: int
    stride: int
    pad: int
    """Elements of padding before the input."""
    dilation: int = 1

    @property
    def clips_begin(self) -> bool:
        """Whether some window starts before the input."""
        return self.pad > 0

    @property
    def clips_end(self) -> bool:
        """Whether some window ends behind the input."""
        last = (self.positions - 1) * self.stride - self.pad + (self.kernel - 1) * self.dilation
        return last >= self.extent

    def taps(self, k: Loops, position: Value) -> Taps:
        """Emit the valid tap range of the window at `position`; constant where no window is clipped."""
        origin = k.sub(k.mul(position, self.stride), self.pad, f"{self.name}0")
        begin: Value = 0
        end: Value = self.kernel
        if self.clips_begin:
            begin = k.max(self._taps_within(k, k.sub(0, origin)), 0, f"k{self.name}_begin")
        if self.clips_end:
            end = k.min(self._taps_within(k, k.sub(self.extent, origin)), self.kernel, f"k{self.name}_end")
        return Taps(origin, begin, end)

    def index(self, k: Loops, taps: Taps, tap: Value) -> Value:
        """Emit the input index that `tap` reads."""
        return k.add(taps.origin, k.mul(tap, self.dilation), f"i{self.name}")

    def _taps_within(self, k: Loops, elements: Value) -> Value:
        """`ceil(elements / dilation)`, but for negative elements only something not positive (division truncates)."""
        return k.div(k.add(elements, self.dilation - 1), self.dilation)


@dataclass(frozen=True)
class Window:
    """A 2-D window: an index map for rows and one for columns."""

    rows: IndexMap
    columns: IndexMap

    @staticmethod
    def of(
        input_shape: Sequence[int],
        output_shape: Sequence[int],
        kernel: Sequence[int],
        strides: Sequence[int],
        pads: Sequence[int],
        dilations: Sequence[int] = (1, 1),
    ) -> Window:
        """From NHWC shapes, (height, width) pairs, and pads top, bottom, left, right."""
        return Window(
            *(
                IndexMap(
                    name, input_shape[1 + d], output_shape[1 + d], kernel[d], strides[d], pads[2 * d], dilations[d]
                )
                for d, name in enumerate("yx")
            )
        )

    @contextmanager
    def positions(self, k: Loops, batch: int) -> Generator[Pixel]:
        """Loop over images, output rows and output columns."""
        with k.loop("n", 0, batch) as n, k.loop("oy", 0, self.rows.positions) as oy:
            rows = self.rows.taps(k, oy)
            with k.loop("ox", 0, self.columns.positions) as ox:
                yield Pixel(self, k, n, oy, ox, rows, self.columns.taps(k, ox))


@dataclass(frozen=True)
class Tap:
    """One tap of the window: its place in the kernel and in the input."""

    ky: Value
    kx: Value
    iy: Value
    ix: Value


@dataclass(frozen=True)
class Pixel:
    """One output position and the part of the window inside the input."""

    window: Window
    k: Loops
    n: Value
    oy: Value
    ox: Value
    rows: Taps
    columns: Taps

    def reduce(self, initial: SSAValue, step: Callable[[Tap, SSAValue], SSAValue]) -> SSAValue:
        """Fold `step(tap, accumulator)` over the taps inside the input, row by row."""
        rows, columns, k = self.window.rows, self.window.columns, self.k

        def over_row(ky: Value, acc: SSAValue) -> SSAValue:
            iy = rows.index(k, self.rows, ky)

            def over_tap(kx: Value, acc: SSAValue) -> SSAValue:
                return step(Tap(ky, kx, iy, columns.index(k, self.columns, kx)), acc)

            return k.reduce("kx", self.columns.begin, self.columns.end, acc, over_tap)

        return k.reduce("ky", self.rows.begin, self.rows.end, initial, over_row)

    def count(self) -> Value:
        """The number of taps inside the input, an index."""
        k = self.k
        height = k.sub(self.rows.end, self.rows.begin)
        return k.mul(height, k.sub(self.columns.end, self.columns.begin), "taps")
