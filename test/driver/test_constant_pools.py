"""Constants in pools of their own: the application places them, or the artefact does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import models
import numpy as np
import pytest
import toolchain

from stillpool.driver.options.pool_spec import parse_pool
from stillpool.errors import BudgetError

POOLS = (
    parse_pool("sram"),
    parse_pool("itcm:size=1K", "constant"),
    parse_pool("flash:align=32", "constant"),
)


@pytest.mark.parametrize("builtin", [False, True])
@pytest.mark.parametrize(("compiler", "dialect"), toolchain.CASES)
def test_self_test_passes_without_warnings(
    compiler: str, dialect: tuple[str, ...], builtin: bool, tmp_path: Path
) -> None:
    artifact = models.compiled(pools=POOLS, builtin_pools=builtin)
    toolchain.unpack(artifact.files, tmp_path)
    sources = ["test/test_digits.c", "src/digits.c", "src/digits_data.c"]
    program = toolchain.build(tmp_path, compiler, (*dialect, *toolchain.SANITISERS), sources)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_constants_fall_back_to_the_next_pool_and_keep_its_limit() -> None:
    artifact = models.compiled(pools=POOLS)
    pools = {pool["name"]: pool for pool in artifact.manifest["pools"]}
    plain = models.compiled()
    weights = plain.manifest["code"]["weights_bytes"]
    assert 0 < pools["itcm"]["bytes"] <= 1024
    assert pools["itcm"]["bytes"] + pools["flash"]["bytes"] >= weights
    assert {b["pool"] for b in artifact.manifest["buffers"] if b["kind"] == "constant"} == {"itcm", "flash"}
    sample = {t["name"]: np.zeros(t["shape"], t["dtype"]) for t in plain.manifest["inputs"]}
    for name, values in plain.run(sample).items():
        np.testing.assert_array_equal(artifact.run(sample)[name], values)


def test_constants_that_do_not_fit_are_over_budget() -> None:
    with pytest.raises(BudgetError, match="flash"):
        models.compiled(pools=[parse_pool("flash:size=100", "constant")])
