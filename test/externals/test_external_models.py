"""External functions where several models are compiled at once: each has those that match it, all are one project."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from branches import ACCELERATOR, ASYNCHRONOUS, DIGITS, images, two_branches
from click.testing import CliRunner
from toolchain import CASES, SANITISERS, build, unpack

import stillpool
from stillpool.cli import main
from stillpool.driver.compile.prepare import prepare_all
from stillpool.driver.options.options import Request
from stillpool.errors import UsageError
from stillpool.run.system import System

CONV = "conv_2d=accelerator_conv:scratch=256,align=16"
DEVICE = "conv_2d=device_conv:scratch=256,align=16,device=npu,async"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The model of two branches."""
    path = tmp_path / "branches.tflite"
    path.write_bytes(two_branches())
    return path


def system(requests: Any, **options: Any) -> System:
    made = stillpool.compile(requests, **options)
    assert isinstance(made, System)
    return made


def functions(made: System) -> list[list[str]]:
    """Names of the external functions of each model."""
    found = [artifact.description.externals for artifact in made.artifacts]
    return [[] if one is None else [function.name for function in one.functions] for one in found]


@pytest.mark.parametrize("concurrency", ["exclusive", "concurrent"])
@pytest.mark.parametrize("asked", [CONV, DEVICE])
def test_all_models_compute_what_they_do_alone(model: Path, concurrency: str, asked: str) -> None:
    sources = [ACCELERATOR, ASYNCHRONOUS] if asked == DEVICE else [ACCELERATOR]
    made = system([model, DIGITS], externals=[asked], external_sources=sources, concurrency=concurrency)
    branches, digits = made.artifacts
    for image in images(2):
        assert (branches.run(image)["sum"] == stillpool.compile(model).run(image)["sum"]).all()
    alone = stillpool.compile(DIGITS)
    (tensor,) = digits.description.inputs
    image = {tensor.name: images(1)[0]["x"].reshape(-1)[:64].reshape(tensor.shape)}
    for name, values in alone.run(image).items():
        assert (digits.run(image)[name] == values).all()


def test_a_request_concerns_the_models_that_it_matches(model: Path) -> None:
    asked = [CONV, "mean=my_sum", "fully_connected=my_dense"]
    made = system([model, DIGITS], externals=asked)
    assert functions(made) == [["accelerator_conv", "my_sum"], ["accelerator_conv", "my_dense"]]


def test_a_model_may_have_requests_of_its_own(model: Path, tmp_path: Path) -> None:
    made = system([Request(model, externals=["mean=my_sum"]), DIGITS], externals=[CONV])
    assert functions(made) == [["my_sum"], ["accelerator_conv"]]
    made = system([Request(model, externals=[]), DIGITS], externals=[CONV])
    assert functions(made) == [[], ["accelerator_conv"]]
    (tmp_path / "p.toml").write_text(
        f"[[model]]\npath = '{model}'\nexternal = ['mean=my_sum']\n[[model]]\npath = '{DIGITS}'\n"
    )
    words = ["compile", "-c", str(tmp_path / "p.toml"), "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "my_sum(&external_0" in (tmp_path / "out" / "src" / "branches.c").read_text()
    assert "external" not in (tmp_path / "out" / "src" / "digits.c").read_text().partition("Options:")[2]


def test_the_common_levels_have_the_functions(model: Path) -> None:
    prepared = prepare_all([model, DIGITS], externals=["mean=my_sum:device=npu"])
    text = prepared.text("c")
    assert text.count("external_npu_active = false") == 1, "one of the models has no device"
    assert "my_sum(&external_0" in text


@pytest.mark.parametrize(("compiler", "dialect"), CASES)
def test_the_project_compiles_and_tests_itself(
    model: Path, tmp_path: Path, compiler: str, dialect: tuple[str, ...]
) -> None:
    made = system([model, DIGITS], externals=[CONV], external_sources=[ACCELERATOR])
    unpack(made.files, tmp_path / "c")
    for name in ("branches", "digits"):
        sources = [path for path in made.files if path.startswith("src/") and path.endswith(".c")]
        folder = tmp_path / name
        unpack(made.files, folder)
        program = build(folder, compiler, (*dialect, *SANITISERS), [f"test/test_{name}.c", *sources])
        assert subprocess.run([program], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (["dense=f"], "model 'branches': external 'dense=f' matches none of the 4 operators"),
        (["dense=f"], "model 'digits': external 'dense=f' matches none of the"),
        (["*pool*=f"], "f would be called in two ways"),
    ],
)
def test_what_matches_no_model_is_refused(model: Path, asked: list[str], words: str) -> None:
    with pytest.raises(Exception, match="external") as caught:
        stillpool.compile([model, DIGITS], externals=asked)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_models_must_call_a_function_in_one_way(model: Path) -> None:
    requests = [Request(model, externals=["max_pool_2d=f"]), Request(DIGITS, externals=["fully_connected=f"])]
    with pytest.raises(UsageError) as caught:
        stillpool.compile(requests)
    for word in ("f would be called in two ways", "max_pool2d(", "by model 'branches'", "by model 'digits'"):
        assert word in str(caught.value)


def test_sources_without_functions_are_refused(model: Path) -> None:
    with pytest.raises(UsageError, match="--source has no effect"):
        stillpool.compile([model, DIGITS], external_sources=[ACCELERATOR])


def test_keys_of_a_model_table_are_checked(model: Path, tmp_path: Path) -> None:
    (tmp_path / "p.toml").write_text(f"[[model]]\npath = '{model}'\nexternal = 'max_pool_2d=f'\n")
    done = CliRunner().invoke(main, ["compile", "-c", str(tmp_path / "p.toml"), "-o", str(tmp_path / "out")])
    assert done.exit_code == 1
    assert "external (list of texts)" in " ".join(done.output.split())
