"""Kernels in assembly on emulated processors: the same bits as the C beside them, which the host runs."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sweeps
from known_networks import KnownBuilder
from tflite_build import NONE, SAME, Tensor, options, write_model

import stillpool
from stillpool.errors import UsageError
from stillpool.lowering.schedule.variants import Variant
from stillpool.machines.cpus import get_cpu
from stillpool.run.emulate.emulator import emulate
from stillpool.run.samples import random_inputs
from stillpool.transforms.tasks.choose import choose_forms

pytestmark = pytest.mark.extra("emulate")

CHANNELS = (2, 3, 8, 20, 33, 34, 36, 62, 4, 5)
"""From one word of lanes to more than two rounds of a loop, with and without what is left over."""


def network(rng: np.random.Generator) -> bytes:
    """Convolutions of images with an odd number of pixels, and a single point: tiles, and what is left beside them."""
    graph = KnownBuilder(rng, "int8")
    source = graph.tensor((1, 3, 5, CHANNELS[0]))
    for count in CHANNELS[1:]:
        graph.convolve_by(count, 1, 1, activation=NONE)
    graph.convolve_by(6, 3, 1, activation=NONE)
    graph.convolve_by(6, 3, 1, each=True, activation=NONE)
    graph.convolve_by(7, 5, 2, activation=NONE)
    graph.dense(38)
    return write_model(graph.tensors, graph.operators, [source], [graph.made[-1]])


def compiled(data: bytes, **options: Any) -> stillpool.Artifact:
    """What a model's bytes become."""
    with tempfile.NamedTemporaryFile(suffix=".tflite") as file:
        Path(file.name).write_bytes(data)
        return stillpool.compile(file.name, optimize="speed", planner_seconds=0.05, **options)


@cache
def in_variant(target: str, variant: Variant) -> stillpool.Artifact:
    """The network of tiles in one variant; compilers take it in turns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose_forms, "variants", lambda _: (variant,))
        return compiled(network(np.random.default_rng(3)), target=target)


@pytest.mark.parametrize("variant", [Variant.FAST, Variant.COMPACT, Variant.SMALL])
@pytest.mark.parametrize("cc", ["gcc", "zig"])
@pytest.mark.parametrize("target", ["cortex-m4", "cortex-m0plus"])
def test_assembly_agrees_with_portable_c(target: str, cc: str, variant: Variant) -> None:
    artifact, rng = in_variant(target, variant), np.random.default_rng(5)
    (name,) = (tensor.name for tensor in artifact.description.inputs)
    inputs = {name: rng.choice([-128, 127, -1, 0, 77], (4, 1, 3, 5, CHANNELS[0])).astype(np.int8)}
    try:
        result = emulate(artifact, get_cpu(target), inputs, cc=cc)
    except UsageError as error:
        pytest.skip(str(error))
    for output, values in artifact.execute(inputs).outputs.items():
        assert len(np.unique(values)) > 9
        np.testing.assert_array_equal(result.outputs[output], values)


@pytest.mark.parametrize(("variant", "kernel"), [(Variant.FAST, "simd_dual_products_"), (Variant.COMPACT, "bytes_")])
def test_the_network_has_tiles(variant: Variant, kernel: str) -> None:
    lines = in_variant("cortex-m4", variant).sources.source.splitlines()
    found = {line.partition("(")[0].strip() for line in lines if kernel in line}
    assert len(found) > 4, found


class LegacyBuilder(KnownBuilder):
    """A graph of bytes without a sign, whose weights have one scale and a zero point."""

    def parameters(self, shape: tuple[int, ...], count: int, axis: int) -> list[int]:
        weights = self.rng.integers(0, 256, shape).astype(np.uint8)
        bias = self.rng.integers(-99, 99, count, np.int32)
        self.tensors += [
            Tensor(shape, "uint8", (0.01,), (int(self.rng.integers(100, 150)),), data=weights),
            Tensor((count,), "int32", (0.0025,), (0,), data=bias),
        ]
        return [len(self.tensors) - 2, len(self.tensors) - 1]


BUILDERS = {"int8": KnownBuilder, "uint8": LegacyBuilder}
EXTREMES = {"int8": (-128, 127, -1, 0, 77), "uint8": (0, 255, 127, 128, 200)}


def image_network(rng: np.random.Generator, dtype: str) -> bytes:
    """Windows over three rows, with strides and borders, and points in odd numbers."""
    graph = BUILDERS[dtype](rng, dtype)
    source = graph.tensor((1, 14, 5, 1))
    graph.convolve_by(16, 3, 1)
    for count, stride in ((16, 1), (24, 2), (24, 1))[: sweeps.size(2, long=3)]:
        graph.convolve_by(graph.newest()[1][3], 3, stride, each=True)
        graph.convolve_by(count, 1, 1)
    graph.mean()
    graph.dense(20)
    return write_model(graph.tensors, graph.operators, [source], [graph.made[-1]])


@cache
def both_ways(dtype: str) -> tuple[stillpool.Artifact, stillpool.Artifact]:
    """The network on images whole and by rows."""
    data = image_network(np.random.default_rng(4), dtype)
    return compiled(data, target="cortex-m4", rows="off"), compiled(data, target="cortex-m4", rows="on")


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
@pytest.mark.parametrize("cc", ["gcc", "zig"])
def test_rows_agree_with_the_whole(cc: str, dtype: str) -> None:
    (whole, rows), rng = both_ways(dtype), np.random.default_rng(5)
    assert "[%[bytes_1]" in rows.sources.source
    take = "sxtb16" if dtype == "int8" else "uxtb16"
    assert re.search(rf'"{take} (%\[t\d\]),\1,ror#8', whole.sources.source)
    (name,) = (tensor.name for tensor in rows.description.inputs)
    inputs = {name: rng.choice(EXTREMES[dtype], (4, 1, 14, 5, 1)).astype(dtype)}
    expected = whole.execute(inputs).outputs
    found = [rows.execute(inputs).outputs]
    try:
        found.append(emulate(rows, get_cpu("cortex-m4"), inputs, cc=cc).outputs)
    except UsageError as error:
        pytest.skip(str(error))
    for outputs in found:
        for output, values in expected.items():
            assert len(np.unique(values)) > 9
            np.testing.assert_array_equal(outputs[output], values)


def test_the_only_operator_is_what_runs(tmp_path: Path) -> None:
    """GCC makes a copy of a function with one call and does not say the line of that any more."""
    graph = KnownBuilder(np.random.default_rng(5), "float32")
    source = graph.tensor((1, 8, 8, 32))
    result = (1, 16, 16, 16)
    weights, bias = graph.parameters((16, 3, 3, 32), 16, 0)
    made = options("TransposeConv", padding=SAME, strideW=2, strideH=2)
    graph.add("TRANSPOSE_CONV", [graph.numbers(result), weights, source, bias], [result], made)
    path = tmp_path / "network.tflite"
    path.write_bytes(write_model(graph.tensors, graph.operators, [source], [graph.made[-1]]))
    artifact = stillpool.compile(stillpool.load(path), target="cortex-m4", optimize="speed")
    try:
        figures = emulate(artifact, get_cpu("cortex-m4"), random_inputs(artifact.description, 1, 0), cc="gcc").figures
    except UsageError as error:
        pytest.skip(str(error))
    assert figures.operators is not None
    assert figures.operators[0].instructions > 0.9 * figures.instructions
