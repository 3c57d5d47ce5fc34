"""The oracle's answer does not hang on what its process did before."""

from __future__ import annotations

import importlib.util
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tflite_micro") is None, reason="TFLite Micro's wheel is not installed"
)


def test_memory_used_before_reaches_no_result() -> None:
    """TFLite Micro takes that margin from a place of its arena that nobody wrote."""
    from used_memory import margins

    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert set(pool.submit(margins).result()) == {0}
