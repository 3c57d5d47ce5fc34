"""The windows of an image, of which convolutions and pools compute a result each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..tflite.padding import SAME, VALID, explicit_pads
from .body import Body

Padding = Literal["same", "valid"]


@dataclass(frozen=True)
class Window:
    """Where the windows of an image lie."""

    pads: tuple[int, int, int, int]
    """Zeros around the image: top, bottom, left, right."""
    results: tuple[int, int]
    """How many windows there are along rows and columns."""

    @staticmethod
    def of(
        body: Body,
        what: str,
        shape: Sequence[int],
        size: Sequence[int],
        strides: tuple[int, int],
        padding: Padding,
        dilations: tuple[int, int],
    ) -> Window:
        """Return the window of a size.

        Args:
            body: makes errors.
            what: the operator, for messages.
            shape: the image's.
            size: rows and columns.
            strides: along rows and columns.
            padding: `same` or `valid`.
            dilations: along rows and columns.

        Raises:
            InputError: there is no such padding, a number is not positive, or no window fits.
        """
        if padding not in ("same", "valid"):
            raise body.wrong(f"{what}: padding is same or valid, not '{padding}'")
        extents = shape[1:3]
        if min(*strides, *dilations, *size) < 1:
            raise body.wrong(f"{what}: sizes, strides and dilations are at least 1")
        pads = explicit_pads(extents, size, strides, dilations, SAME if padding == "same" else VALID)
        rows, columns = (
            (extent + before + after - (taps - 1) * dilation - 1) // stride + 1
            for extent, before, after, taps, dilation, stride in zip(
                extents, pads[::2], pads[1::2], size, dilations, strides, strict=True
            )
        )
        if rows < 1 or columns < 1:
            raise body.wrong(f"{what}: windows {list(size)} do not fit {list(shape)}")
        return Window(pads, (rows, columns))
