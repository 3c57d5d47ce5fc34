"""The example with state: the application's guesses and the scores of a sequence are TFLite Micro's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import stillpool
from stillpool.run.oracles.worker import tflm

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MODEL = EXAMPLES / "reader" / "reader.tflite"


def scans() -> NDArray[np.int8]:
    """The scans as the model takes them, [scan, row, 1, 1, 8]; quantised in float32 as the application does it."""
    (row,) = stillpool.compile(MODEL).manifest["inputs"]
    with np.load(EXAMPLES / "digits" / "samples.npz") as samples:
        real = samples["pixels"].astype(np.float32) / np.float32(16)
    level = np.floor(real / np.float32(row["scale"][0]) + np.float32(0.5)) + row["zero_point"][0]
    return level.astype(np.int8).reshape(-1, 8, 1, 1, 8)


def sequence(rows: NDArray[np.int8]) -> NDArray[np.int8]:
    """What TFLite Micro answers to rows one after the other, from the initial state: [row, class]."""
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    run = tflm(MODEL.read_bytes(), 1)
    return np.stack([run([row])[0][0] for row in rows])


def test_application_sees_what_tflite_micro_sees_after_a_reset(run_use_case: Callable[[str], str]) -> None:
    expected = [sequence(scan).argmax(1).tolist() for scan in scans()]
    *lines, _ = run_use_case("u10").splitlines()[-49:]
    assert [[int(seen) for seen in line.split(":")[1].split()] for line in lines] == expected


def test_state_is_carried_through_all_scans() -> None:
    given = scans()
    rows = given.reshape(-1, 1, 1, 8)
    expected = sequence(rows)
    scores = stillpool.compile(MODEL).execute({"row": rows}).outputs["scores"]
    np.testing.assert_array_equal(scores[:, 0], expected)
    # Without a reset the second scan is another sequence: that the application does reset, its test sees.
    assert (sequence(given[1]) != expected[8:16]).any()


def test_state_has_a_pool_of_its_own() -> None:
    pools = stillpool.compile(MODEL).manifest["pools"]
    assert [(pool["name"], pool["persistent"]) for pool in pools] == [("workspace", False), ("state", True)]
    hidden, cell = 32, 2 * 32
    assert pools[1]["bytes"] == hidden + cell
