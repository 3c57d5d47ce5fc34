"""`verify` names the operator of an ONNX file that is wrong, and none before it."""

from __future__ import annotations

from pathlib import Path

import pytest
from quantised_networks import STYLES, cnn, depthwise, quantised

from stillpool.driver.compile.prepare import prepare
from stillpool.run.wrong_operator import first_wrong_operator

pytestmark = pytest.mark.extra("onnx")
WRONG = """\
#include "net_external.h"

int32_t wrong(const stillpool_external_{kind} *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{{
    (void)op, (void)input, (void)filter, (void)bias, (void)scratch, (void)device;
    output[0] = 7;
    return 0;
}}
"""


def _named(file: Path, kind: str) -> str | None:
    """The operator that is named where a function of the application computes all of a kind, wrongly."""
    source = file.with_name("wrong.c")
    source.write_text(WRONG.format(kind=kind))
    return first_wrong_operator(prepare(file, externals=[f"{kind}=wrong"], external_sources=[source]), "host")


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("network", "kind", "wanted"),
    [
        (cnn, "fully_connected", "Gemm"),
        (cnn, "conv2d", "Conv"),
        (depthwise, "depthwise_conv2d", "Conv"),
        (depthwise, "fully_connected", "Gemm"),
    ],
)
def test_of_onnx(network: object, kind: str, wanted: str, style: str, tmp_path: Path) -> None:
    """Tensors before it are as the reference has them, which holds channels first and bytes without a sign."""
    data, _ = quantised(network, style, per_channel=True)  # pyright: ignore[reportArgumentType]
    file = tmp_path / "net.onnx"
    file.write_bytes(data)
    named = _named(file, kind)
    assert named is not None, "some tensors have a checksum"
    assert f"({wanted}, index " in named
    first = {"conv2d": 2, "depthwise_conv2d": 2}.get(kind)
    assert first is None or named.startswith(f"position {first} ")
