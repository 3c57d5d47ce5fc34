"""Truncated and corrupted files: an error of one line, or a model; never anything else, never for long."""

from __future__ import annotations

import random
import resource
import time
from pathlib import Path

import pytest
import shared_models
import sweeps
from small_models import Parts

from stillpool.errors import InputError, UnsupportedError
from stillpool.frontends.tflite import import_tflite

SECONDS = 600
"""Far more than any machine under any load takes: a loop without an end takes longer."""
BYTES = 2 << 30


def attempt(data: bytes) -> str:
    """`imported`, `malformed` or `unsupported`; anything else fails the test."""
    start, message = time.monotonic(), ""
    try:
        import_tflite(data, "net")
        outcome = "imported"
    except InputError as error:
        outcome, message = "malformed", str(error)
    except UnsupportedError:
        outcome = "unsupported"
    assert time.monotonic() - start < SECONDS
    assert "\n" not in message
    return outcome


def truncations(data: bytes, count: int) -> None:
    """Cut at evenly spaced places; no prefix is a model."""
    for step in range(count):
        assert attempt(data[: step * len(data) // count]) == "malformed"


def flips(data: bytes, count: int, seed: int) -> None:
    """Flip one random bit at a time."""
    rng = random.Random(seed)
    outcomes: list[str] = []
    for _ in range(count):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        outcomes.append(attempt(bytes(changed)))
    assert {"imported", "malformed"} <= set(outcomes)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < BYTES


def test_kws_truncated() -> None:
    truncations(shared_models.named("kws_int8"), 300)


def test_kws_flipped() -> None:
    flips(shared_models.named("kws_int8"), 200, seed=1)


@pytest.mark.sweep
def test_sweep_kws_flipped() -> None:
    flips(shared_models.named("kws_int8"), sweeps.size(250, long=2000), seed=2)


def test_every_byte_of_a_small_model() -> None:
    """Nearly every byte of this file is structure: overwrite each by extremes."""
    data = Parts().write()
    outcomes: set[str] = set()
    for place in range(len(data)):
        for value in (0x00, 0x7F, 0x80, 0xFF):
            outcomes.add(attempt(data[:place] + bytes([value]) + data[place + 1 :]))
    assert {"imported", "malformed"} <= outcomes


@pytest.mark.sweep
@pytest.mark.parametrize("path", shared_models.PATHS, ids=lambda path: path.stem)
def test_sweep_every_model(path: Path) -> None:
    data = path.read_bytes()
    rng = random.Random(7)
    for step in range(50):
        attempt(data[: step * len(data) // 50])
    for _ in range(150):
        changed = bytearray(data)
        for _ in range(rng.choice((1, 1, 4))):
            changed[rng.randrange(len(data))] = rng.randrange(256)
        attempt(bytes(changed))
