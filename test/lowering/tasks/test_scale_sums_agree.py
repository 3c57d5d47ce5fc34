"""Nests whose sums are scaled compute the same bytes, also in plain loops that pack nothing: their C against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
import sweeps
from libraries import library
from random_windows import bytes_for, tile, window
from xdsl.parser import Parser

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp
from stillpool.driver import pipeline


@pytest.mark.parametrize(
    ("seed", "count"), [(5, 8), pytest.param(6, sweeps.size(24, long=120), marks=pytest.mark.sweep)]
)
def test_scaled_nests_in_plain_loops(seed: int, count: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    cases = [window(rng, f"f{n}") if n % 2 else tile(rng, f"f{n}", 12) for n in range(count)]
    module = Parser(pipeline.context(), "".join(one.text for one in cases)).parse_module()
    pipeline.apply(module, pipeline.parsed("scale-sums"), where="cases")
    scaled, ends = 0, set[str]()
    for nest in all_of(module, NestOp):
        nest.schedule = None
        types = [str(access.type.element_type) for access in nest.accesses("step_reads")]
        scaled += types == ["i8", "i16"]
        ends.add(next(op.name for op in nest.finish.walk() if "multiply_high" in op.name) + str(len(nest.finish_reads)))
    assert scaled > count // 2
    if count > 8:
        assert ends == {f"simd.multiply_high_{end}" for end in ("floor_add2", "add2", "add3")}
    functions, _ = library(tmp_path, str(module), "lower-tasks,usmp,emit-c")
    for number, one in enumerate(cases):
        x, y = bytes_for(rng, one), np.full(one.shapes()[1], 99, np.int8)
        arguments = [*map(np.ascontiguousarray, one.inputs(x)), y, np.zeros(1 << 12, np.int8)]
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in arguments))
        np.testing.assert_array_equal(y, one.expected(x), one.text)
