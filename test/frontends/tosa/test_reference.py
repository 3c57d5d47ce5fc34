"""The TOSA reference model itself, where its tools are; and what the page says of operators."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool
from stillpool.driver.compile.prepare import prepare
from stillpool.errors import InputError
from stillpool.frontends.tosa.registry import supported_operators
from stillpool.run.oracles.oracle import OracleMissing
from stillpool.run.oracles.tosa import find
from stillpool.run.wrong_operator import first_wrong_operator

sys.path.insert(0, str(Path(__file__).parent))

from networks import NETWORKS, RECORDED, inputs_of


def test_the_page_names_every_operator() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "tosa.md").read_text()
    listed = re.search(r"^\| operators \| \|\n(.*?)\n\n", page, re.DOTALL | re.MULTILINE)
    assert listed
    assert sorted(re.findall(r"`(\w+)`", listed[1])) == list(supported_operators())


def test_nothing_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("STILLPOOL_TOSA_TOOLS", raising=False)
    with pytest.raises(OracleMissing, match="tosa_reference_model is not installed; python -m venv tosa"):
        find("tosa_reference_model")


def test_tensors_inside(tmp_path: Path) -> None:
    """Every operator's tensor is known to the reference by the name that the compiled model has, and is equal."""
    try:
        find("tosa_reference_model")
    except OracleMissing as missing:
        pytest.skip(str(missing))
    text = tmp_path / "net.mlir"
    text.write_text(NETWORKS["single"]())
    for file in (text, RECORDED.with_name("single.tosa")):
        artifact = stillpool.compile(stillpool.load(file))
        given = inputs_of("single", [(tensor.dtype, tensor.shape) for tensor in artifact.description.inputs])
        names = [operator.name for operator in artifact.description.operators]
        reference = artifact.reference(given, further=names)
        with np.load(RECORDED) as recorded:
            for number, array in enumerate(reference.outputs):
                np.testing.assert_array_equal(array, recorded[f"single/{number}"])
        assert len(set(reference.further)) >= len(set(names)) - 2, "all but inputs and outputs"


@pytest.mark.parametrize("least", [-7, -8])
def test_weights_beyond_four_bits_of_tosa(tmp_path: Path, least: int) -> None:
    """Arm's serialiser writes others for -8, and succeeds; TFLite has them, and stillpool computes with them."""
    try:
        find("tosa_reference_model")
    except OracleMissing as missing:
        pytest.skip(str(missing))
    text = tmp_path / "net.mlir"
    text.write_text(f"""
func.func @main(%x: tensor<1x2x2x1xi8>) -> tensor<1x2x2x2xi8> {{
  %w = "tosa.const"() <{{values = dense<[[[[{least}]]], [[[7]]]]> : tensor<2x1x1x1xi4>}}> : () -> tensor<2x1x1x1xi4>
  %b = "tosa.const"() <{{values = dense<[1, 2]> : tensor<2xi32>}}> : () -> tensor<2xi32>
  %z = "tosa.const"() <{{values = dense<0> : tensor<1xi8>}}> : () -> tensor<1xi8>
  %zw = "tosa.const"() <{{values = dense<0> : tensor<1xi4>}}> : () -> tensor<1xi4>
  %zs = "tosa.const"() <{{values = dense<0> : tensor<1xi32>}}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{{values = dense<1073741824> : tensor<1xi32>}}> : () -> tensor<1xi32>
  %s = "tosa.const"() <{{values = dense<30> : tensor<1xi8>}}> : () -> tensor<1xi8>
  %sums = tosa.conv2d %x, %w, %b, %z, %zw {{acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>,
    stride = array<i64: 1, 1>}} : (tensor<1x2x2x1xi8>, tensor<2x1x1x1xi4>, tensor<2xi32>, tensor<1xi8>, tensor<1xi4>)
    -> tensor<1x2x2x2xi32>
  %y = tosa.rescale %sums, %m, %s, %zs, %z {{input_unsigned = false, output_unsigned = false, per_channel = false,
    rounding_mode = SINGLE_ROUND, scale32 = true}} : (tensor<1x2x2x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>,
    tensor<1xi8>) -> tensor<1x2x2x2xi8>
  return %y : tensor<1x2x2x2xi8>
}}
""")
    artifact, x = stillpool.compile(stillpool.load(text)), np.arange(-2, 2, dtype=np.int8).reshape(1, 1, 2, 2, 1)
    (computed,) = artifact.execute({artifact.description.inputs[0].name: x}).outputs.values()
    np.testing.assert_array_equal(computed.reshape(-1, 2), x.reshape(-1, 1) * [least, 7] + [1, 2])
    if least == -7:
        np.testing.assert_array_equal(artifact.reference([x]).outputs[0].ravel(), computed.ravel())
        return
    with pytest.raises(InputError, match="exceeds int4 range"):
        artifact.reference([x])


WRONG = """\
#include "net_external.h"

int32_t wrong(const stillpool_external_depthwise_conv2d *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    (void)op, (void)input, (void)filter, (void)bias, (void)scratch, (void)device;
    output[0] = 7;
    return 0;
}
"""


def test_the_wrong_operator_is_named(tmp_path: Path) -> None:
    """A function of the application computes one operator of a CNN, wrongly."""
    try:
        find("tosa_reference_model")
    except OracleMissing as missing:
        pytest.skip(str(missing))
    file, source = tmp_path / "net.tosa", tmp_path / "wrong.c"
    file.write_bytes(RECORDED.with_name("executorch.tosa").read_bytes())
    source.write_text(WRONG)
    request = prepare(file, externals=["depthwise_conv2d=wrong"], external_sources=[source])
    assert first_wrong_operator(request, "host") == "position 3 (DEPTHWISE_CONV2D, index 4)"


def test_float64_is_float32(tmp_path: Path) -> None:
    """TOSA has no float64, which torch-mlir writes for variances; the reference computes what is compiled."""
    try:
        find("tosa_reference_model")
    except OracleMissing as missing:
        pytest.skip(str(missing))
    wide, file = "tensor<1x4xf64>", tmp_path / "net.mlir"
    file.write_text(f"""
func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {{
  %zero = "tosa.const"() <{{values = dense<0> : tensor<1xi8>}}> : () -> tensor<1xi8>
  %part = "tosa.const"() <{{values = dense<0.3> : {wide}}}> : () -> {wide}
  %each = "tosa.const"() <{{values = dense<[[0.1, 0.2, 0.7, 1.1]]> : {wide}}}> : () -> {wide}
  %a = tosa.cast %x : (tensor<1x4xf32>) -> {wide}
  %b = tosa.mul %a, %part, %zero : ({wide}, {wide}, tensor<1xi8>) -> {wide}
  %c = tosa.add %b, %each : ({wide}, {wide}) -> {wide}
  %y = tosa.cast %c : ({wide}) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}}
""")
    artifact = stillpool.compile(stillpool.load(file))
    given = np.random.default_rng(1).normal(size=(5, 1, 4)).astype(np.float32)
    (name,) = (tensor.name for tensor in artifact.description.inputs)
    (made,) = artifact.execute({name: given}).outputs.values()
    np.testing.assert_array_equal(made, artifact.reference([given]).outputs[0])
    assert len({sample.tobytes() for sample in np.asarray(made)}) == 5
