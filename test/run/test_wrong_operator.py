"""`verify` names the operator that is wrong, where it runs: here and on an emulated processor."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from models import DIGITS

import stillpool
from stillpool.cli import main
from stillpool.driver.compile.prepare import prepare
from stillpool.errors import UsageError
from stillpool.machines.cpus import get_cpu
from stillpool.report.schemas import schema
from stillpool.run.emulate.qemu_session import qemu_available
from stillpool.run.emulate.self_test import run_self_test
from stillpool.run.wrong_operator import first_wrong_operator

pytestmark = pytest.mark.extra("verify")
NAMED = "position 7 (FULLY_CONNECTED, index 8)"
WRONG = """\
#include "digits_external.h"

int32_t wrong(const stillpool_external_fully_connected *op, const int8_t *input, const int8_t *filter,
    const int32_t *bias, int8_t *output, void *scratch, void *device)
{
    (void)op, (void)input, (void)filter, (void)bias, (void)scratch, (void)device;
    output[0] = 7;
    return 0;
}
"""
emulated = pytest.mark.skipif(not qemu_available(), reason="qemu-system-arm is not installed")


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    """An operator that a function of the application computes, wrongly."""
    (tmp_path / "wrong.c").write_text(WRONG)
    return ["--external", "fully_connected=wrong", "--external-source", str(tmp_path / "wrong.c")]


@pytest.mark.parametrize("target", ["host", pytest.param("cortex-m4", marks=emulated)])
def test_verify_names_the_wrong_operator(target: str, options: list[str]) -> None:
    done = CliRunner().invoke(main, ["verify", str(DIGITS), "--target", target, "--json", *options])
    if done.exit_code == UsageError.exit_code:
        pytest.skip(done.stderr)
    assert done.exit_code == 4, done.output
    document = json.loads(done.stdout)
    jsonschema.validate(document, schema("verify")["anyOf"][0] | {"$defs": schema("verify")["$defs"]})
    assert document["first_wrong_operator"] == NAMED


def test_the_sentence_names_it_too(options: list[str]) -> None:
    done = CliRunner().invoke(main, ["verify", str(DIGITS), *options])
    assert f"first wrong operator: {NAMED}" in done.stdout


def test_a_right_model_has_none() -> None:
    assert first_wrong_operator(prepare(DIGITS), "host") is None


@pytest.mark.parametrize("options", [{"rows": "on"}, {"interface": "tvm"}], ids=str)
def test_where_there_are_no_hooks_nothing_is_named(options: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "wrong.c").write_text(WRONG)
    assert first_wrong_operator(prepare(DIGITS, **options), "host") is None  # pyright: ignore[reportArgumentType]


@emulated
def test_the_self_test_of_a_project_runs_in_qemu() -> None:
    artifact = stillpool.compile(DIGITS, weights="binary", profile_hooks=True)
    try:
        right = run_self_test(artifact, get_cpu("cortex-m4"))
    except UsageError as error:
        pytest.skip(str(error))
    assert (right.passed, right.text) == (True, "PASS: 3 samples equal the golden outputs\n")
    broken = artifact.code["src/digits.c"].replace(b"-128", b"-100")
    sources = replace(artifact.sources, source=broken.decode().partition("*/")[2])
    wrong = run_self_test(replace(artifact, sources=sources), get_cpu("cortex-m4"))
    assert not wrong.passed
    assert wrong.text.startswith("FAIL: sample 0, output scores")
    assert "first wrong operator: position" in wrong.text


def test_processors_without_a_c_library_are_refused() -> None:
    pytest.importorskip("ziglang")
    with pytest.raises(UsageError, match="takes a C library"):
        run_self_test(stillpool.compile(DIGITS), get_cpu("rv32imc"), cc="zig")
