"""Kernels of Armv7E-M, interpreted, against numpy."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from kernel_runs import CHANNELS, PASSES, RESCALINGS, allocated, machine_of, operands, words

from stillpool.dialects.simd.rescaling import Rescaling
from stillpool.dialects.simd.windows import CLIPPED, Taps
from stillpool.lowering.kernels.armv7em.dual_products import Walk, dual_bytes, dual_bytes_held, dual_products
from stillpool.lowering.kernels.armv7em.unpack_points import unpack_points
from stillpool.lowering.kernels.armv7em.windows import scale_bytes, sum_taps, windows
from stillpool.lowering.kernels.thumb import Counts, KernelOp, fits
from stillpool.lowering.kernels.thumb.interpreter import interpret

WALKS = [Walk(0, 1), Walk(0, 3), Walk(2, 1), Walk(3, 0)]
BLOCKS = 2


def sums_of(lanes: np.ndarray, weights: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """[channel][point]."""
    return starts[:, None] + np.einsum("npl,cnl->cp", lanes.astype(np.int64), weights.astype(np.int64))


@pytest.mark.parametrize(("walk", "points", "shares"), list(product(WALKS, (1, 2), (False, True))))
def test_sums(walk: Walk, points: int, shares: bool) -> None:
    lanes, weights, packed, starts = operands(np.random.default_rng(3), walk, points, shares=shares)
    machine, (x, w, s) = machine_of(lanes, packed, starts)
    kernel = allocated(dual_products(walk, points, shares=shares))
    end = w + packed[: words(walk) - walk.after].nbytes
    found = np.reshape(interpret(kernel, machine, (x, w, s, end)), (CHANNELS, points))
    np.testing.assert_array_equal(found, sums_of(lanes, weights, starts))


def rescaled(sums: np.ndarray, records: np.ndarray, rescaling: Rescaling) -> np.ndarray:
    """Bytes of [channel][point]."""
    if rescaling.zero_point is not None:
        products = sums.astype(np.float32) * records[:, :1].astype(np.int32).view(np.float32)
        least = 0 if rescaling.unsigned else -128
        return np.clip(np.rint(products).astype(int) + rescaling.zero_point, least, least + 255)
    multiplier, added = records[:, :1], records[:, 1:2]
    high = (sums * multiplier + (0 if rescaling.floor else 1 << 31)) >> 32
    high += added + (sums >> 31 if rescaling.signed else 0)
    shifted = high >> (records[:, 2:] if rescaling.shift is None else rescaling.shift)
    return np.clip(shifted, 0, 255) if rescaling.unsigned else np.clip(shifted, -128, 127)


def records_for(rng: np.random.Generator, rescaling: Rescaling) -> np.ndarray:
    """Multipliers, what is added, and shifts if each channel has its own; or factors, and what products start from."""
    if rescaling.started is not None:
        # Many sums lie at halves, which are rounded to even.
        factors = rng.choice(np.array([2.0**-7, 2.0**-8, 3 * 2.0**-9, 0.01], np.float32), CHANNELS).view(np.int32)
        return np.stack([factors, np.full(CHANNELS, rescaling.started)], -1).astype(np.int64)
    parts = [rng.integers(1 << 28, 1 << 31, CHANNELS), rng.integers(-500, 500, CHANNELS)]
    if rescaling.shift is None:
        parts.append(rng.integers(1, 9, CHANNELS))
    return np.stack(parts, -1).astype(np.int64)


def laid_out(records: np.ndarray, rescaling: Rescaling) -> np.ndarray:
    """Records of four channels as they lie in memory."""
    return (records.T if rescaling.is_real else records).astype(np.int32).reshape(-1)


@pytest.mark.parametrize(("walk", "rescaling", "shares"), list(product(WALKS, RESCALINGS, (False, True))))
@pytest.mark.parametrize("apart", [None, 13])
def test_bytes(walk: Walk, rescaling: Rescaling, shares: bool, apart: int | None) -> None:
    rng, points = np.random.default_rng(4), 1 if apart is None else 2
    lanes, *_ = operands(rng, walk, points, shares=shares)
    stream: list[np.ndarray] = []
    expected: list[np.ndarray] = []
    for _ in range(BLOCKS):
        _, weights, packed, starts = operands(rng, walk, points, shares=shares)
        records = records_for(rng, rescaling)
        stream += [starts, packed.reshape(-1).view(np.int32), laid_out(records, rescaling)]
        sums = sums_of(lanes, weights, starts)
        # Shared sums are doubled for products of integers.
        expected.append(rescaled(2 * sums if shares and not rescaling.is_real else sums, records, rescaling))
    kernel = dual_bytes(walk, apart, rescaling, shares=shares)
    check_bytes(kernel, lanes, np.concatenate(stream), np.concatenate(expected), apart, PASSES * walk.passed)


@pytest.mark.parametrize(
    ("count", "rescaling"),
    list(product((1, 2, 3, 4), [one for one in RESCALINGS if not one.signed and not one.is_real])),
)
@pytest.mark.parametrize("apart", [None, 13])
def test_bytes_of_words_in_registers(count: int, rescaling: Rescaling, apart: int | None) -> None:
    rng, points = np.random.default_rng(5), 1 if apart is None else 2
    lanes, *_ = operands(rng, Walk(0, count), points, shares=False)
    stream: list[np.ndarray] = []
    expected: list[np.ndarray] = []
    for _ in range(BLOCKS):
        _, weights, packed, starts = operands(rng, Walk(0, count), points, shares=False)
        records = records_for(rng, rescaling)
        of_channels = packed.reshape(count, -1).view(np.int32).T
        stream.append(np.hstack([starts[:, None], of_channels, records.astype(np.int32)]).reshape(-1))
        expected.append(rescaled(sums_of(lanes, weights, starts), records, rescaling))
    kernel = dual_bytes_held(count, apart, rescaling)
    check_bytes(kernel, lanes, np.concatenate(stream), np.concatenate(expected), apart, None)


def check_bytes(
    kernel: KernelOp, lanes: np.ndarray, stream: np.ndarray, expected: np.ndarray, apart: int | None, looped: int | None
) -> None:
    """Run a kernel over a stream, and compare its bytes; `looped` words of points are read in a loop."""
    allocated(kernel)
    out = np.full(64, 99, np.int8)
    machine, (x, w, y) = machine_of(lanes, stream.astype(np.int32), out)
    inputs = [x, w, y, w + 4 * stream.size, x + 4 * lanes.shape[1] * (looped or 0)]
    interpret(kernel, machine, inputs[: len(kernel.body.block.args)])
    found = np.frombuffer(machine.memory, np.int8)[y : y + 64]
    for point, column in enumerate(expected.T):
        first = point * (apart or 0)
        np.testing.assert_array_equal(found[first : first + column.size], column.astype(np.int8))
        out[first : first + column.size] = column.astype(np.int8)
    np.testing.assert_array_equal(found, out)


@pytest.mark.parametrize(("apart", "unsigned"), list(product((None, 40), (False, True))))
@pytest.mark.parametrize(
    ("places", "passed", "singles"), [((0, 4, 20), 0, ()), ((3,), 0, (30, 31, 2)), ((), 0, (7, 1)), ((0,), 2, ())]
)
def test_points_are_taken_apart(
    places: tuple[int, ...], passed: int, singles: tuple[int, ...], apart: int | None, unsigned: bool
) -> None:
    bytes = np.random.default_rng(6).integers(-128, 128, 96).astype(np.int8)
    machine, (x, lanes) = machine_of(bytes, np.zeros(64, np.int32))
    kernel = allocated(unpack_points(places, singles, passed, apart, unsigned=unsigned))
    second = x + (40 if apart is None else apart)
    inputs = [lanes, x, *([second] if apart is None else []), *([x + 4 * PASSES * passed] if passed else [])]
    interpret(kernel, machine, inputs)
    taken = tuple(4 * n for n in range(PASSES * passed + len(places))) if passed else places
    values = bytes.view(np.uint8) if unsigned else bytes
    pairs = [pair for place in taken for pair in ((place, place + 2), (place + 1, place + 3))]
    pairs += [(one, *singles[n + 1 : n + 2]) for n, one in enumerate(singles) if n % 2 == 0]
    expected = [[values[first + at] for at in pair] for pair in pairs for first in (0, second - x)]
    found = np.frombuffer(machine.memory, np.int16)[lanes // 2 :].reshape(-1, 2)[: len(expected)]
    for word, lane in zip(found, expected, strict=True):
        assert list(word[: len(lane)]) == lane


def window_for(rng: np.random.Generator, taps: int, memrefs: int, signed: bool, far: int) -> tuple[Taps, np.ndarray]:
    """A window, and the bytes of its memrefs: `far` lies between taps."""
    places = [far * int(n) for n in rng.permutation(taps)]
    clipped = (rng.integers(0, 4, taps) == 0) | np.repeat(rng.integers(0, 2, taps) == 0, 2)[:taps]
    places = [CLIPPED if is_clipped and place else place for place, is_clipped in zip(places, clipped, strict=True)]
    owners = [0 if place == 0 else int(rng.integers(memrefs)) for place in places]
    zero = int(rng.choice([0, 127, 128, 255, int(rng.integers(256))]))
    bytes = rng.integers(-128, 128, (memrefs, far * taps + 16)).astype(np.int8)
    zero -= 256 if signed and zero > 127 else 0
    return Taps(tuple(places), zero, owners=tuple(owners), unsigned=not signed), bytes


def stream_for(
    rng: np.random.Generator, window: Taps, bytes: np.ndarray, rescaling: Rescaling, block: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The words of a block of four channels, its sums, and its bytes."""
    taps, channels = len(window.places), slice(4 * block, 4 * block + 4)
    weights = rng.integers(-128, 128, (taps, CHANNELS))
    starts = rng.integers(-1000, 1000, CHANNELS)
    records = records_for(rng, rescaling)
    kind = np.uint8 if window.unsigned else np.int8
    zeros = np.full(CHANNELS, window.zero_point, kind)
    values = [
        zeros if place == CLIPPED else bytes[owner].view(kind)[place:][channels]
        for place, owner in zip(window.places, window.owners or (), strict=True)
    ]
    sums = starts + sum(value.astype(int) * weight for value, weight in zip(values, weights, strict=True))
    lanes = np.zeros((-(-taps // 2), CHANNELS, 2), np.int16)
    for tap, weight in enumerate(weights):
        lone = tap % 2 == 0 and tap + 1 == taps
        for channel, value in enumerate(weight):
            lanes[tap // 2, channel, int(channel >= 2) if lone else tap % 2] = value
    words = np.concatenate([starts.astype(np.int32), lanes.reshape(-1).view(np.int32), laid_out(records, rescaling)])
    return words, sums, rescaled(sums[:, None], records, rescaling)[:, 0]


@pytest.mark.parametrize("memrefs", [1, 2, 3])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize(("taps", "far"), [(1, 8), (2, 8), (5, 8), (9, 700), (3, 70000)])
def test_windows(taps: int, far: int, signed: bool, memrefs: int) -> None:
    rng = np.random.default_rng(8)
    for rescaling in RESCALINGS:
        window, bytes = window_for(rng, taps, memrefs, signed, far)
        made = [stream_for(rng, window, bytes, rescaling, block) for block in range(BLOCKS)]
        words = np.concatenate([one for one, _, _ in made])
        sums, expected = made[0][1], np.concatenate([one for _, _, one in made]).astype(np.int8)
        machine, (w, y, *memories) = machine_of(words, np.full(8, 99, np.int8), *bytes)
        kernel = allocated(sum_taps(window, memrefs))
        np.testing.assert_array_equal(interpret(kernel, machine, (*memories, w)), sums)
        ending = allocated(scale_bytes(made[0][0].size - rescaling.record * CHANNELS, rescaling))
        interpret(ending, machine, (y, w, *map(int, sums)))
        assert list(np.frombuffer(machine.memory, np.int8)[y : y + 4]) == list(expected[:4])
        for backward in (False, True):
            machine.memory[y : y + 8] = b"c" * 8
            kernel = allocated(windows(window, memrefs, rescaling, made[0][0].size, backward=backward))
            last, size = 4 * backward, made[0][0].nbytes
            pointers = [start + window.nearest(owner) + last for owner, start in enumerate(memories)]
            ends = (w + size, w - size) if backward else (w, w + BLOCKS * size)
            interpret(kernel, machine, (*pointers, *ends, y + last))
            np.testing.assert_array_equal(np.frombuffer(machine.memory, np.int8)[y : y + 8], expected)


@pytest.mark.parametrize(
    ("places", "zero_point", "fewer"),
    [
        ((CLIPPED, CLIPPED, 0), -128, 7),
        ((CLIPPED, CLIPPED, 0), 0, 12),
        ((0, 8, CLIPPED), -128, 2),
        ((0, 8, CLIPPED), 0, 7),
        ((0, CLIPPED, 8), 0, 0),
    ],
)
def test_taps_that_are_all_clipped_are_one_word(places: tuple[int, ...], zero_point: int, fewer: int) -> None:
    """Such bytes are neither joined nor extended; zeros are not multiplied either."""
    runs = [
        Counts(windows(Taps(each, zero_point), 1, RESCALINGS[0], 28, backward=False)).run((1,))
        for each in ((0, 8, 16), places)
    ]
    assert runs[0] - runs[1] == fewer


def test_windows_fit_a_string_where_their_sums_do() -> None:
    """Loops of windows are not asked for: it is their sums that lowering asks for."""
    rng, fitting = np.random.default_rng(6), 0
    for _ in range(150):
        count, memrefs, step = rng.integers(18, 30), rng.integers(1, 4), rng.choice([4, 64, 2000, 70000])
        places = [int(step * (n // memrefs)) if n == 0 or rng.random() > 0.1 else CLIPPED for n in range(count)]
        owners = None if memrefs == 1 else tuple(int(n % memrefs) for n in range(count))
        taps = Taps(tuple(places), int(rng.integers(-128, 128)), owners=owners)
        if not fits(sum_taps(taps, int(memrefs))):
            continue
        rescaling = RESCALINGS[rng.integers(len(RESCALINGS))]
        words_of_pass = 4 * (1 + -(-int(count) // 2) + rescaling.record)
        assert fits(windows(taps, int(memrefs), rescaling, words_of_pass, backward=bool(rng.integers(2))))
        fitting += 1
    assert 30 < fitting < 150
