"""The TOSA reference model itself, where its tools are; and what the page says of operators."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest

import stillpool
from stillpool.driver.compile.prepare import prepare
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
