"""Random depthwise convolutions to bytes, a window in one operation, against numpy: portable C and assembly."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from libraries import STRICT, UBSAN, library
from random_windows import Window, bytes_for, window

CASES = [(17, 9), pytest.param(18, 24, marks=pytest.mark.sweep)]
"""Seeds, and how many convolutions of each."""


def windows(rng: np.random.Generator, count: int) -> list[Window]:
    return [window(rng, f"f{n}", order="reverse" if n % 3 == 0 else "") for n in range(count)]


@pytest.mark.parametrize(("seed", "count"), CASES)
def test_portable_c_agrees(seed: int, count: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    cases = windows(rng, count)
    text = "".join(one.text for one in cases)
    functions, source = library(tmp_path, text, "lower-tasks,emit-c", (*UBSAN, *STRICT))
    assert source.count("  simd_sum_taps_") > count
    assert source.count("  simd_scale_bytes_") > count
    for number, one in enumerate(cases):
        x, y = bytes_for(rng, one), np.full(one.shapes()[1], 99, np.int8)
        getattr(functions, f"f{number}")(*(ctypes.c_void_p(array.ctypes.data) for array in (x, y)))
        np.testing.assert_array_equal(y, one.expected(x), one.text)


@pytest.mark.extra("emulate")
@pytest.mark.parametrize("compiler", ["gcc", "zig"])
def test_assembly_agrees(compiler: str, tmp_path: Path) -> None:
    from stillpool import compile
    from stillpool.driver.emulate.emulator import emulate
    from stillpool.driver.emulate.toolchain import find_toolchain
    from stillpool.errors import UsageError
    from stillpool.machines.cpus import get_cpu

    cpu = get_cpu("cortex-m4")
    try:
        find_toolchain(cpu, compiler)
    except UsageError as error:
        pytest.skip(str(error))
    rng = np.random.default_rng(19)
    cases = windows(rng, 12)
    calls, arguments = list[str](), list[str]()
    for n, one in enumerate(cases):
        types = [f"memref<{'x'.join(map(str, shape))}xi8>" for shape in one.shapes()]
        arguments += [f"%{name}{n}: {type}" for name, type in zip("xy", types, strict=True)]
        calls.append(f"  func.call @f{n}(%x{n}, %y{n}) : ({', '.join(types)}) -> ()")
    text = "".join(one.text.replace("func.func @", "func.func private @") for one in cases)
    file = tmp_path / "windows.mlir"
    file.write_text(
        f"{text}\nfunc.func @windows({', '.join(arguments)}) {{\n" + "\n".join(calls) + "\n  func.return\n}\n"
    )
    xs = [bytes_for(rng, one) for one in cases]
    result = emulate(compile(file), cpu, {f"x{n}": x[np.newaxis] for n, x in enumerate(xs)}, cc=compiler)
    for n, (one, x) in enumerate(zip(cases, xs, strict=True)):
        np.testing.assert_array_equal(result.outputs[f"y{n}"].reshape(one.shapes()[1]), one.expected(x), one.text)
