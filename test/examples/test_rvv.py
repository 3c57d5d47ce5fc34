"""The package of `examples/rvv`, installed: an instruction set that stillpool lacks, on an emulated processor."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PACKAGE = EXAMPLES / "rvv"
STILLPOOL = Path(sys.executable).with_name("stillpool")
ZIG = [sys.executable, "-m", "ziglang"]
START = Path(__file__).with_name("start_linux_riscv.c")
"""In place of a C library, which zig would build first."""
FLAGS = [
    *("-target", "riscv32-linux-musl", "-mcpu=generic_rv32+m+a+f+d+c+v", "-O2", "-Wall", "-Wextra", "-Werror"),
    # It would be `puts` at times.
    "-fno-builtin-printf",
]

with_qemu = pytest.mark.skipif(
    shutil.which("qemu-riscv32") is None or importlib.util.find_spec("ziglang") is None,
    reason="qemu-riscv32 or zig is not installed",
)


def installed(package: Path, folder: Path) -> dict[str, str]:
    """Variables with which stillpool finds a package, of which `folder` notes what `pip install` notes."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    information = folder / "acme_rvv-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0\n")
    groups = project["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{name} = {at}\n" for name, at in points.items()) for group, points in groups]
    (information / "entry_points.txt").write_text("".join(lines))
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(package)])}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return installed(PACKAGE, tmp_path_factory.mktemp("packages"))


def stillpool(environment: dict[str, str], *arguments: str | Path) -> str:
    done = subprocess.run([STILLPOOL, *arguments], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def shown(environment: dict[str, str], model: str, level: str, target: str = "acme-rv32imcv") -> str:
    path = EXAMPLES / model / f"{model}.tflite"
    return stillpool(environment, "compile", path, "--target", target, "--optimize", "speed", "--emit", level)


def project(environment: dict[str, str], folder: Path, model: str, rows: str) -> Path:
    """What is compiled of a model."""
    path = EXAMPLES / model / f"{model}.tflite"
    given = ("--target", "acme-rv32imcv", "--optimize", "speed", "--rows", rows, "-o", folder / model)
    stillpool(environment, "compile", path, *given)
    return folder / model


def self_tests(written: Path, *flags: str) -> list[str]:
    """What the self-test of a project prints, with vectors of 128 bits and of 512."""
    sources = [*written.glob("src/*.c"), *written.glob("test/*.c"), START]
    compiled, program = written.with_name("program.o"), written.with_name("program")
    for command in (
        ["cc", *FLAGS, *flags, "-I", written / "include", "-c", *sources, "-o", compiled],
        ["ld.lld", compiled, "-o", program],
    ):
        built = subprocess.run([*ZIG, *command], capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr
    runs = [["qemu-riscv32", "-cpu", f"rv32,v=true,vlen={bits}", program] for bits in (128, 512)]
    return [subprocess.run(run, capture_output=True, text=True, check=False).stdout for run in runs]


def test_loops_become_calls(environment: dict[str, str]) -> None:
    schedules = [line.strip() for line in shown(environment, "digits", "tasks").splitlines() if "tensorize" in line]
    assert 'schedule <tensorize "rvv.window" (oc, ky, kx)>' in schedules
    assert 'schedule <tensorize "rvv.dot" (ic)>' in schedules


def test_other_processors_call_none(environment: dict[str, str]) -> None:
    assert "rvv_dot(" in shown(environment, "novelty", "c")
    assert "rvv" not in shown(environment, "novelty", "c", "rv32imc")


@pytest.mark.parametrize("name", ["__init__.py", "dot.mlir", "dot.c"])
def test_the_guide_shows_what_there_is(name: str) -> None:
    page = (EXAMPLES.parent / "docs" / "extending.md").read_text()
    kind = {".py": "python", ".mlir": "mlir", ".c": "c"}[Path(name).suffix]
    found = re.search(
        rf"^`examples/rvv/acme_rvv/{re.escape(name)}`\n\n(?:<!--[^\n]*-->\n)?```{kind}\n(.*?)```", page, re.M | re.S
    )
    assert found is not None
    assert found[1] == (PACKAGE / "acme_rvv" / name).read_text()


@with_qemu
@pytest.mark.sweep
@pytest.mark.parametrize(("model", "rows"), [("digits", "on"), ("digits", "off"), ("novelty", "off")])
def test_computes_the_same(model: str, rows: str, environment: dict[str, str], tmp_path: Path) -> None:
    """The golden outputs are the reference's."""
    written = project(environment, tmp_path, model, rows)
    for flags in ([], ["-DSTILLPOOL_PORTABLE"]):
        found = self_tests(written, *flags)
        assert all(text.startswith("PASS") for text in found), found


@with_qemu
@pytest.mark.sweep
def test_the_kernels_run(tmp_path: Path) -> None:
    """One that is wrong makes other numbers."""
    package = tmp_path / "package"
    shutil.copytree(PACKAGE, package)
    code = package / "acme_rvv" / "dot.c"
    code.write_text(code.read_text().replace("(int16_t)zero", "(int16_t)(zero + 1)"))
    found = self_tests(project(installed(package, tmp_path), tmp_path, "digits", "off"))
    assert all(text.startswith("FAIL: sample") for text in found), found
