"""Sliding windows: the one place that knows which input row (or column) a tap of an output row reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.ir.affine import AffineExpr

from .nest import Nest


@dataclass(frozen=True)
class Window:
    """A 2-D window over NHWC tensors: (height, width) pairs, and pads top, bottom, left, right.

    Output row `oy` and tap `ky` meet at input row `oy * stride - pad + ky * dilation`; columns alike.
    """

    kernel: Sequence[int]
    strides: Sequence[int]
    pads: Sequence[int]
    dilations: Sequence[int] = (1, 1)

    def positions(self, batch: int, output_shape: Sequence[int]) -> Mapping[str, int]:
        """Space dimensions: images, output rows and columns."""
        return {"n": batch, "oy": output_shape[1], "ox": output_shape[2]}

    @property
    def taps(self) -> Mapping[str, int]:
        """Fold dimensions."""
        return {"ky": self.kernel[0], "kx": self.kernel[1]}

    def places(self, nest: Nest) -> list[AffineExpr]:
        """Input row and column of a point of a nest over `positions` and `taps`; they may lie in the padding."""
        found: list[AffineExpr] = []
        for d, name in enumerate("yx"):
            origin = nest.where(f"{name}0", nest.dim(f"o{name}") * self.strides[d] - self.pads[2 * d])
            found.append(nest.where(f"i{name}", origin + nest.dim(f"k{name}") * self.dilations[d]))
        return found
