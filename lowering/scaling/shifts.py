"""One distance to shift by for the results of all channels: multipliers, what is added, what sums are scaled by.

`byte(sum) = saturate((round(x) + nudge) >> right)` with `x = 2 * sum * multiplier / 2**32` (`rescaling.records`) has a
`right` for each channel. For `d >= 1` it is

    saturate((floor(x * 2**d) + nudge * 2**d + 2**(d - 1)) >> (right + d))

since rounding down twice is rounding down once. Where the record rounds `x` down, what is added for `d >= 0` is
`nudge * 2**d` alone. `x * 2**d` costs nothing where weights and biases are `2**d` times as
large, which 16-bit lanes mostly allow up to `d = 7`, so that every channel may have `right + d` alike.

Where a channel's `right` is too large for that, a smaller multiplier may do as well, with sums that start from a little
more. Both forms grow with the sum, so that they are equal if they reach each of the 255 steps between bytes at the same
sum; one for which they do not is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..constants.elements import Wide

_BITS = 32
_MOST = 2**31 - 1
_LARGEST_LANE = 2**15 - 1
_MOST_SHIFTED = 31
_USUAL = 12
"""A distance that most networks' channels may have, so that different nests share functions."""
_STEPS = 255
"""Between one byte and another."""


@dataclass(frozen=True)
class Channels:
    """Known numbers of each channel; arrays of `[channel]`."""

    multiplier: Wide
    """Zero where the sum does not matter."""
    nudge: Wide
    right: Wide
    low: Wide
    """The least sum."""
    high: Wide
    """The largest one."""
    weight: Wide
    """The largest magnitude of its weights."""
    floor: bool = False
    """Whether records round down."""

    @property
    def settled(self) -> npt.NDArray[np.bool_]:
        """Channels whose results do not depend on their sums."""
        return self.multiplier == 0

    def some(self, which: npt.NDArray[np.bool_]) -> Channels:
        """Some of them."""
        return Channels(**{name: each[which] for name, each in vars(self).items() if name != "floor"}, floor=self.floor)

    def results(self, sums: Wide) -> Wide:
        """Before they are saturated, of sums `[channel, step]` whose sign is not added."""
        half = 0 if self.floor else 1 << (_BITS - 1)
        rounded = (2 * sums * self.multiplier[:, None] + half) >> _BITS
        return (rounded + self.nudge[:, None]) >> self.right[:, None]


@dataclass(frozen=True)
class Shifted:
    """Channels with one distance for all of them; arrays of `[channel]`."""

    shift: int
    floor: bool
    """Whether high halves are rounded down."""
    multiplier: Wide
    added: Wide
    """To high halves."""
    scale: Wide
    """Scale of sums, before they are multiplied."""
    more: Wide
    """Numbers that are added to scaled sums."""


def scaled(channels: Channels, least: int) -> Shifted | None:
    """One distance, of sums that are scaled by at least two; None if there is none.

    Args:
        channels: whose signs are not added.
        least: the least byte.
    """
    used = ~channels.settled
    size = np.maximum(np.maximum(np.abs(channels.low), np.abs(channels.high)), 1)
    room = np.minimum(_LARGEST_LANE // np.maximum(channels.weight, 1), _MOST // size)
    further = np.floor(np.log2(np.maximum(room, 1))).astype(np.int64) - 1
    if not used.any() or (further[used] < 0).any():
        return None
    most = min(int((channels.right + further)[used].min()), _MOST_SHIFTED)
    # The nearest distance of those that need no proof; with a smaller one what is added may fit where it did not.
    wanted = min(most, max(_USUAL, int(channels.right[used].max()) + (not channels.floor)))
    for shift in range(wanted, 0, -1):
        if (found := _shifted(channels, least, shift, further)) is not None:
            return found
    return None


def alike(channels: Channels) -> Shifted | None:
    """The one distance of channels that are rounded, whether signs are added or not; None if there are several."""
    if channels.floor:
        return None
    used = ~channels.settled
    shifts = {*channels.right[used].tolist()}
    if len(shifts) != 1 or 0 in shifts:
        return None
    (shift,) = shifts
    # What no sum changes is kept away from where a sign would.
    settled = ((channels.nudge >> channels.right) << shift) + (1 << (shift - 1))
    added, nothing = np.where(used, channels.nudge, settled), np.zeros_like(channels.nudge)
    if (np.abs(added) > _MOST).any():
        return None
    return Shifted(shift, False, channels.multiplier, added, nothing + 2, nothing)


def _shifted(channels: Channels, least: int, shift: int, further: Wide) -> Shifted | None:
    """Return the channels for one distance, with sums that are scaled by up to `2 << further`."""
    distance = np.where(channels.settled, 0, shift - channels.right)
    up, down = np.maximum(distance, 0), np.maximum(-distance, 0)
    half = np.zeros_like(up) if channels.floor else (1 << up) >> 1
    added = np.where(up > 0, (channels.nudge << up) + half, channels.nudge >> down)
    added = np.where(channels.settled, np.clip(channels.nudge >> channels.right, least, least + _STEPS) << shift, added)
    multiplier, scale, more = channels.multiplier.copy(), 2 << up, np.zeros_like(added)
    doubtful = ~(channels.settled | (distance >= (0 if channels.floor else 1)))
    if doubtful.any():
        tried = _tried(channels.some(doubtful), least, shift, added[doubtful], further[doubtful])
        if tried is None:
            return None
        multiplier[doubtful], scale[doubtful], more[doubtful] = tried
    found = Shifted(shift, True, multiplier, added, scale, more)
    return found if _fits(channels, found) else None


def _fits(channels: Channels, found: Shifted) -> bool:
    """Whether nothing that is computed leaves 32 bits."""
    used = ~channels.settled
    sums = [end * used * found.scale + found.more for end in (channels.low, channels.high)]
    ends = [((each * found.multiplier) >> _BITS) + found.added for each in sums]
    return all((np.abs(each) <= _MOST).all() for each in (found.added, *sums, *ends))


def _tried(channels: Channels, least: int, shift: int, added: Wide, further: Wide) -> tuple[Wide, Wide, Wide] | None:
    """Multiplier, scale and what is added to scaled sums, with which every step is reached at the same sum; or None."""
    steps = least + 1 + np.arange(_STEPS, dtype=np.int64)[None, :]
    first, low, high = _reached(channels, steps), channels.low[:, None], channels.high[:, None]
    wanted = ((steps << shift) - added[:, None]) << _BITS
    multiplier, scale, more = (np.zeros_like(channels.low) for _ in range(3))
    left = np.ones(len(scale), np.bool_)
    # The larger the multiplier the nearer it is, and the larger the scale the finer is what is added.
    for up in range(int(further.max()) + 1):
        down = channels.right - shift + up
        tried = (channels.multiplier + ((1 << down) >> 1)) >> down
        reached = -((-wanted) // np.maximum(tried, 1)[:, None])
        lowest = np.where(first <= high, reached - first * (2 << up), -_MOST).max(axis=1)
        highest = np.where(first > low, reached - 1 - (first - 1) * (2 << up), _MOST).min(axis=1)
        fits = left & (lowest <= highest) & (tried > 0) & (up <= further)
        multiplier[fits], scale[fits] = tried[fits], 2 << up
        more[fits] = ((lowest + highest) >> 1)[fits]
        left &= ~fits
    return None if left.any() else (multiplier, scale, more)


def _reached(channels: Channels, steps: Wide) -> Wide:
    """The least sum of each channel that gives a step of `[1, step]` or more; one above the largest if none does."""
    shape = (len(channels.low), steps.shape[1])
    low = np.broadcast_to(channels.low[:, None], shape).copy()
    high = np.broadcast_to(channels.high[:, None] + 1, shape).copy()
    while (low < high).any():
        middle = (low + high) >> 1
        reaches = channels.results(middle) >= steps
        high = np.where(reaches, middle, high)
        low = np.where(reaches, low, np.minimum(middle + 1, high))
    return low
