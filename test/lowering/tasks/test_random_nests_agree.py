"""Random convolutions as no front end makes them, with every step of schedules: their portable C against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
import sweeps
from libraries import UBSAN, library
from random_nests import convolution
from schedule_draws import Draws
from xdsl.parser import Parser

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp, ScheduleAttr
from stillpool.driver import pipeline
from stillpool.lowering.constants import Constants

GUARD = 64
"""Elements around what a function writes."""
CASES = [(2026, 4), pytest.param(2027, sweeps.size(30, long=1000), marks=pytest.mark.sweep)]
"""Seeds, and how many convolutions of each."""


@pytest.mark.parametrize(("seed", "count"), CASES)
def test_every_step_computes_what_the_nest_does(seed: int, count: int, tmp_path: Path) -> None:
    rng, draws, texts = np.random.default_rng(seed), Draws(seed), list[str]()
    cases = [convolution(rng, f"f{number}") for number in range(count)]
    for case in cases:
        module = Parser(pipeline.context(), case.text).parse_module()
        (nest,) = all_of(module, NestOp)
        steps = draws.steps(nest, Constants(module), None, set(), set())
        nest.schedule = ScheduleAttr(tuple(steps or ()))
        module.verify()
        texts.append("\n".join(map(str, module.ops)))
    functions, _ = library(tmp_path, "\n".join(texts), "scale-sums,lower-tasks,usmp,emit-c", ("-O1", *UBSAN))
    for number, (case, text) in enumerate(zip(cases, texts, strict=True)):
        read, written = case.shapes
        x = rng.integers(-128, 128, read).astype(np.int8)
        expected = case.expected(x)
        around = np.full(expected.size + 2 * GUARD, 99, expected.dtype)
        y, workspace = around[GUARD:-GUARD], np.zeros(1 << 16, np.int8)
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in (x, y, workspace)))
        np.testing.assert_array_equal(y.reshape(written), expected, text)
        assert (np.delete(around, slice(GUARD, -GUARD)) == 99).all(), text
