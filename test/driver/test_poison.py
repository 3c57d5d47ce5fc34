"""`--poison`: the same results, mistakes of plans and applications come to light."""

from __future__ import annotations

import subprocess
from pathlib import Path

import models
import numpy as np
import pytest
import toolchain
from xdsl.dialects import func, memref

import stillpool
from stillpool.driver import pipeline
from stillpool.driver.compile.describe import Signature
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.models.entry import entry_function
from stillpool.driver.options.options import Request
from stillpool.run.artifact import Artifact
from stillpool.run.samples import random_inputs
from stillpool.run.system import System
from stillpool.run.verify import verify

FORMS = [
    {"workspace_io": "all"},
    {"workspace_io": "none"},
    {"workspace_io": "all", "builtin_pools": True},
    {"workspace_io": "all", "pools": ["fast:size=900", "slow"]},
]


@pytest.mark.parametrize("options", FORMS, ids=str)
def test_outputs_stay_exact(options: dict[str, object]) -> None:
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    assert verify(models.compiled(poison=True, **options), samples=10).exact


def test_outputs_of_a_public_model_stay_exact() -> None:
    pytest.importorskip("tflite_micro", reason="the reference interpreter is not installed: stillpool[verify]")
    assert verify(models.compiled(models.public("kws_int8"), poison=True), samples=3).exact


@pytest.mark.parametrize("options", FORMS, ids=str)
@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
def test_compiles_silently(options: dict[str, object], compiler: str, dialect: tuple[str, ...], tmp_path: Path) -> None:
    files = models.compiled(poison=True, **options).files
    toolchain.unpack(files, tmp_path)
    sources = [path for path in files if path.endswith(".c")]
    program = toolchain.build(tmp_path, compiler, (*dialect, "-O1", *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_models_that_share_a_pool_agree_on_its_guards() -> None:
    system = stillpool.compile(
        [Request(models.example(), name) for name in ("one", "two")], poison=True, concurrency="exclusive"
    )
    assert isinstance(system, System), "two models were given"
    for artifact in system.artifacts:
        inputs = random_inputs(artifact.description, 3, 0)
        expected = models.compiled().execute(inputs).outputs
        np.testing.assert_array_equal(artifact.execute(inputs).outputs["scores"], expected["scores"])
    sizes = {artifact.description.workspace_pools[0].bytes for artifact in system.artifacts}
    assert len(sizes) == 1


def test_a_wrong_plan_gives_wrong_results(monkeypatch: pytest.MonkeyPatch) -> None:
    compilation = prepare(models.example(), poison=True)
    module = compilation.module("memref")
    signature = Signature.of(module)
    compilation.place(module)
    inputs = random_inputs(compilation.result().description, 3, 0)
    expected = Artifact.of(compilation.result()).execute(inputs).outputs["scores"]
    first, second, *_ = (op for op in entry_function(module).body.block.ops if isinstance(op, func.CallOp))
    kept, made = (call.operands[-1].owner for call in (first, second))
    assert isinstance(kept, memref.AllocOp), "the first operator writes a buffer"
    assert isinstance(made, memref.AllocOp), "the second operator writes a buffer"
    made.attributes["pool.offset"] = kept.attributes["pool.offset"]
    monkeypatch.setattr(pipeline, "to_materialised", lambda: pipeline.parsed("usmp-materialize-offsets"))
    wrong = Artifact.of(compilation.finish(signature, module)).execute(inputs).outputs["scores"]
    assert (wrong != expected).any()


CALLER = """\
#include "digits.h"
int main(void)
{
    STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN) static uint8_t memory[DIGITS_WORKSPACE_WORKSPACE_POOL_SIZE];
    digits_workspace_pools pools = { memory };
    digits_inputs inputs = digits_map_inputs(&pools);
    int8_t *image = inputs.image;
    int32_t i, code, poisoned = 0;
    for (i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        image[i] = (int8_t)i;
    }
    code = digits_run(&pools);
    /* Nothing but the output is left: an application that goes on using its input notices. */
    for (i = 0; i < DIGITS_INPUT_IMAGE_COUNT; ++i) {
        poisoned += image[i] == -11;
    }
    if (poisoned != DIGITS_INPUT_IMAGE_COUNT) {
        return 100;
    }
    return code == DIGITS_OK ? 0 : code == DIGITS_ERROR_DAMAGED_POOL ? 1 : 2;
}
"""


def exit_code(folder: Path, written: str) -> int:
    """Of an application whose network also does `written` somewhere on its way."""
    files = dict(models.compiled(poison=True).code)
    source = files["src/digits.c"].decode()
    before = "  max_pool2d_0("
    assert source.count(before) == 1
    files["src/digits.c"] = source.replace(before, f"  {written}\n{before}").encode()
    toolchain.unpack({**files, "main.c": CALLER.encode()}, folder)
    sources = ["main.c", *(path for path in files if path.endswith(".c"))]
    program = toolchain.build(folder, "gcc", ("-std=c99", *toolchain.SANITISERS), sources)
    return subprocess.run([program], check=False).returncode


def test_a_write_beside_the_buffers_is_reported(tmp_path: Path) -> None:
    size = models.compiled(poison=True).description.workspace_pools[0].bytes
    for number, (written, code) in enumerate(
        [("", 0), ("workspace[15] = 0;", 1), ("workspace[0] = 0;", 1), (f"workspace[{size - 16}] = 0;", 1)]
    ):
        assert exit_code(tmp_path / str(number), written) == code, written
