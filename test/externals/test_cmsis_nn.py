"""The adapter for CMSIS-NN: its signatures, against declarations and functions written by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from branches import DIGITS, EXAMPLES
from click.testing import CliRunner
from toolchain import CASES, SANITISERS, build, unpack

import stillpool
from stillpool.cli import main
from stillpool.errors import StillpoolError

HERE = Path(__file__).parent / "cmsis_nn"
SOURCES = [EXAMPLES / "cmsis_nn" / "cmsis_nn.c", HERE / "arm_nnfunctions.h", HERE / "arm_nn.c"]
ASKED = [
    "conv_2d=cmsis_nn_conv:scratch=1024",
    "depthwise_conv_2d=cmsis_nn_depthwise_conv:scratch=1024",
    "fully_connected=cmsis_nn_fully_connected:scratch=1024",
]


def test_digits_by_cmsis_nn_are_those_of_tflite_micro() -> None:
    words = ["verify", str(DIGITS), "--json", "--samples", "3"]
    words += [word for asked in ASKED for word in ("--external", asked)]
    words += [word for source in SOURCES for word in ("--external-source", str(source))]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["exact"]


def test_every_operator_that_cmsis_nn_has_is_its_own() -> None:
    made = stillpool.compile(DIGITS, externals=ASKED, external_sources=SOURCES)
    source = made.files["src/digits.c"].decode()
    assert [source.count(f"cmsis_nn_{name}(&") for name in ("conv", "depthwise_conv", "fully_connected")] == [3, 1, 1]
    assert "fx_rescale_right(acc" not in source


def test_too_little_scratch_is_an_error_of_the_run() -> None:
    asked = ["conv_2d=cmsis_nn_conv:scratch=16"]
    made = stillpool.compile(DIGITS, externals=asked, external_sources=SOURCES)
    with pytest.raises(StillpoolError):
        made.run({"image": np.zeros((1, 8, 8), np.int8)})


@pytest.mark.parametrize(("compiler", "dialect"), CASES)
def test_the_adapter_compiles_without_warnings(tmp_path: Path, compiler: str, dialect: tuple[str, ...]) -> None:
    made = stillpool.compile(DIGITS, externals=ASKED, external_sources=SOURCES)
    unpack({**made.files, "main.c": b"int main(void) { return 0; }\n"}, tmp_path)
    sources = ["main.c", *(name for name in made.files if name.startswith("src/") and name.endswith(".c"))]
    build(tmp_path, compiler, (*dialect, *SANITISERS), sources)
