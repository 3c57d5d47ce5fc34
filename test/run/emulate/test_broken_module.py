"""A buffer's offset, moved by hand 16 bytes past its pool's end: the proof refuses it, and the emulator catches it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner
from models import example
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from stillpool.cli import main
from stillpool.driver import pipeline
from stillpool.driver.compile.compilation import Compilation
from stillpool.driver.compile.describe import Signature
from stillpool.driver.compile.prepare import prepare
from stillpool.errors import StillpoolError, UsageError, VerificationError
from stillpool.machines.cpus import get_cpu
from stillpool.run.artifact import Artifact
from stillpool.run.emulate.emulator import emulate

BUFFER = "digits/max_pooling2d/MaxPool"
BYTES = 4 * 4 * 12


def _moved(module: ModuleOp, past: int) -> ModuleOp:
    """The module with the buffer's end moved `past` bytes behind its pool's end."""
    text = str(module)
    found = re.search(r"pool\.declare @workspace workspace size (\d+)", text)
    assert found
    offset = int(found[1]) - BYTES + past
    text, edits = re.subn(rf'("{BUFFER}",.*pool\.offset = )\d+', rf"\g<1>{offset}", text, count=1)
    assert edits == 1
    return Parser(pipeline.context(), text).parse_module()


def _artifact(past: int) -> Artifact:
    compilation = prepare(example())
    module = compilation.module("memref")
    signature = Signature.of(module)
    compilation.place(module)
    return Artifact.of(compilation.finish(signature, _moved(module, past)))


@pytest.mark.parametrize("past", [1, 16])
def test_the_proof_refuses_it(past: int) -> None:
    module = _moved(prepare(example()).module("pools"), past)
    with pytest.raises(StillpoolError, match=f"'{BUFFER}' takes bytes .* of pool @workspace, which has"):
        pipeline.apply(module, pipeline.parsed("usmp-check"), where="edited")
    # Once offsets are views, it is the view that leaves the pool's bytes.
    with pytest.raises(StillpoolError, match=r"'memref.view' op takes bytes \d+ to \d+ of a memref of \d+ bytes"):
        _artifact(past)


@pytest.mark.parametrize("past", [1, 16])
@pytest.mark.parametrize("cpu", ["cortex-m0plus", "cortex-m4", "rv32imc"])
def test_the_emulator_stops_where_it_happens(
    cpu: str, past: int, images: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "to_materialised", lambda: pipeline.parsed("usmp-materialize-offsets"))
    broken = _artifact(past)
    try:
        with pytest.raises(VerificationError) as caught:
            emulate(broken, get_cpu(cpu), {"image": images})
    except UsageError as error:
        pytest.skip(str(error))
    message = str(caught.value)
    assert (
        f"model 'digits' on {cpu}: position 4 (MAX_POOL_2D, index 5) '{BUFFER}' left its memory: write of 1 bytes"
        in message
    )
    assert "(0 bytes behind the end of pool 'workspace')" in message
    assert re.search(r" in max_pool2d_0 at digits\.c:\d+$", message)


@pytest.mark.parametrize("cpu", ["cortex-m3", "cortex-m4", "rv32imc"])
def test_verify_names_operator_address_and_line(cpu: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tflite_micro")
    monkeypatch.setattr(pipeline, "to_materialised", lambda: pipeline.parsed("usmp-materialize-offsets"))
    broken = _artifact(16)
    monkeypatch.setattr(Compilation, "result", lambda self: broken)
    done = CliRunner().invoke(main, ["verify", str(example()), "--target", cpu])
    if done.exit_code == UsageError.exit_code:
        pytest.skip(done.stderr)
    assert done.exit_code == VerificationError.exit_code
    where = rf"position 4 \(MAX_POOL_2D, index 5\) '{BUFFER}' left its memory: write of 1 bytes at 0x[0-9a-f]{{8}} \("
    assert re.search(
        rf"^error: model 'digits' on {cpu}: {where}.* in max_pool2d_0 at digits\.c:\d+$", done.stderr, re.M
    )
