"""The package of docs/extending.md, one addition of each kind, is installed as it stands there, and used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from tflite_build import Operator, Tensor, write_model

PAGE = Path(__file__).parents[2] / "docs" / "extending.md"
STILLPOOL = Path(sys.executable).with_name("stillpool")


def install(folder: Path, name: str, groups: dict[str, dict[str, str]]) -> None:
    """Leave in `folder` what `pip install` notes of a package."""
    information = folder / f"{name}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [
        line for group, points in groups.items() for line in (f"[{group}]", *(f"{k} = {v}" for k, v in points.items()))
    ]
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the page's package."""
    folder = tmp_path_factory.mktemp("packages")
    text = PAGE.read_text()
    (project,) = re.findall(r"```toml[^\n]*\n(.*?)```", text, re.DOTALL)
    install(folder, "acme", tomllib.loads(project)["project"]["entry-points"])
    (folder / "acme").mkdir()
    (folder / "acme" / "__init__.py").touch()
    for name, code in re.findall(
        r"^`acme/(\w+\.(?:py|c))`\n\n```(?:python|c)[^\n]*\n(.*?)```", text, re.DOTALL | re.MULTILINE
    ):
        (folder / "acme" / name).write_text(code)
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two operators that only the package knows."""
    path = tmp_path_factory.mktemp("model") / "softsign.tflite"
    tensors = [Tensor((4,), "float32", name=name) for name in ("x", "between", "y")]
    operators = [Operator("CUSTOM Softsign", (at,), (at + 1,)) for at in (0, 1)]
    path.write_bytes(write_model(tensors, operators, [0], [2]))
    return path


def run(packages: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """`stillpool` with the packages installed."""
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    return subprocess.run([STILLPOOL, *arguments], capture_output=True, text=True, check=False, env=environment)


def test_the_page_compiles(packages: Path, model: Path, tmp_path: Path) -> None:
    (command,) = re.findall(r"^stillpool (compile softsign.*)$", PAGE.read_text(), re.MULTILINE)
    given = {"softsign.tflite": model, "tree": tmp_path / "tree"}
    done = run(packages, *(given.get(word, word) for word in command.split()))
    assert done.returncode == 0, done.stderr
    tree = tmp_path / "tree"
    assert "ACME_NETWORK" in (tree / "softsign.h").read_text()
    assert "fabsf(" in (tree / "softsign.c").read_text()
    assert '"algorithm": "stack"' in (tree / "manifest.json").read_text()
    assert '"name": "tcm"' in (tree / "manifest.json").read_text()
    sources = [path for path in tree.iterdir() if path.suffix == ".c"]
    subprocess.run(["cc", "-I", tree, *sources, "-o", tree / "test", "-lm"], check=True)
    assert subprocess.run([tree / "test"], capture_output=True, check=False).stdout.startswith(b"PASS")


def test_its_operator_computes(packages: Path, model: Path, tmp_path: Path) -> None:
    x = np.array([-3, -0.5, 0, 0.25, 7], np.float32)
    np.save(tmp_path / "x.npy", x)
    shape, array = ("--input-shape", "x=5"), ("--input", tmp_path / "x.npy")
    done = run(packages, "run", model, *shape, *array, "--output-dir", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    once = x / (1 + np.abs(x))
    np.testing.assert_allclose(np.load(tmp_path / "out" / "output_0.npy"), once / (1 + np.abs(once)), rtol=1e-6)


def test_its_task_runs_with_a_schedule_by_hand(packages: Path, tmp_path: Path) -> None:
    tensors = [Tensor((3, 4), "float32", name="x"), Tensor((3,), "float32", name="y")]
    (tmp_path / "energy.tflite").write_bytes(write_model(tensors, [Operator("CUSTOM Energy", (0,), (1,))], [0], [1]))
    x = np.arange(12, dtype=np.float32).reshape(3, 4) / 8
    np.save(tmp_path / "x.npy", x)
    shown = run(packages, "compile", tmp_path / "energy.tflite", "--emit", "tasks")
    assert "task.nest space(row = 3) ordered fold(column = 4)" in shown.stdout, shown.stderr
    written = "writes (%output[row] : memref<3xf32>)"
    assert written in shown.stdout
    (tmp_path / "energy.mlir").write_text(shown.stdout.replace(written, f"{written} schedule <jam row>"))
    for name in ("energy.tflite", "energy.mlir"):
        given = ("--input", tmp_path / "x.npy", "--output-dir", tmp_path / "out")
        done = run(packages, "run", tmp_path / name, *given)
        assert done.returncode == 0, done.stderr
        np.testing.assert_array_equal(np.load(tmp_path / "out" / "output_0.npy"), (x * x).sum(axis=1))
    assert "sum_2" in run(packages, "compile", tmp_path / "energy.mlir", "--emit", "c").stdout, "three sums at once"


NEST = """
func.func @transpose(%x: memref<3x5xi8>, %y: memref<5x3xi8>) {
  task.nest space(row = 3, column = 5)
    finish (%value = %x[row, column] : memref<3x5xi8>) of () {
      task.yield %value : i8
    }
    writes (%y[column, row] : memref<5x3xi8>)
    schedule <SCHEDULE>
  func.return
}
"""


def lowered(
    packages: Path, path: Path, schedule: str, passes: str = "lower-tasks", text: str = NEST
) -> subprocess.CompletedProcess[str]:
    path.write_text(text.replace("SCHEDULE", schedule))
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    command = [STILLPOOL.with_name("stillpool-opt"), path, "-p", passes]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_its_step_is_one_of_a_schedule(packages: Path, tmp_path: Path) -> None:
    swapped, ordered = (
        lowered(packages, tmp_path / "t.mlir", schedule) for schedule in ("swap row column", "order (column, row)")
    )
    assert swapped.returncode == 0, swapped.stderr
    assert swapped.stdout == ordered.stdout
    assert "scf.for" in swapped.stdout
    for schedule, why in (
        ("swap row depth", "there is no dimension depth"),
        ("swop row", "fold_zero_point, chains, halve, strips, swap)"),
    ):
        refused = lowered(packages, tmp_path / "t.mlir", schedule)
        assert refused.returncode != 0
        assert why in refused.stderr


def test_its_macro_is_short_for_steps(packages: Path, tmp_path: Path) -> None:
    done = lowered(packages, tmp_path / "t.mlir", "strips column 2", "canonicalize")
    assert "schedule <split column 2, order (column_o, row, column_i)>" in done.stdout, done.stderr
    (prose,) = re.findall(r"`schedule <strips column 2>` is then `(.*?)`", PAGE.read_text())
    assert prose in done.stdout
    refused = lowered(packages, tmp_path / "t.mlir", "strips column 7", "canonicalize")
    assert refused.returncode != 0
    assert "split column 7: blocks have from 2 to 5 points" in refused.stderr


def test_its_step_makes_two_nests_of_one(packages: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.mlir"
    refused = lowered(packages, path, "halve row", "apply-steps")
    assert refused.returncode != 0
    assert "halve row: row is no space dimension with two halves" in refused.stderr
    made = lowered(packages, path, "block column 1, halve column_i", "apply-steps")
    assert "halve column_i: column_i is no space dimension with two halves" in made.stderr
    wide = NEST.replace("3x5", "4x5").replace("5x3", "5x4").replace("row = 3", "row = 4")
    done = lowered(packages, path, "halve row, reverse row", "apply-steps", wide)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("space(row = 2, column = 5)") == 2
    assert done.stdout.count("schedule <reverse row>") == 2
    assert "%y[column, row + 2]" in done.stdout
    asks = wide.replace("of () {", 'of () {\n      %place = task.index "row"')
    refused = lowered(packages, path, "halve row", "apply-steps", asks)
    assert "halve row: the place along row is asked for" in refused.stderr


SUMS = """
func.func @sums(%x: memref<3x5xi32>, %y: memref<3xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(row = 3) fold(column = 5)
    start () {
      task.yield %zero : i32
    }
    step (%value = %x[row, column] : memref<3x5xi32>) into (%acc : i32) {
      %next = arith.addi %acc, %value : i32
      task.yield %next : i32
    }
    finish () of (%sum : i32) {
      task.yield %sum : i32
    }
    writes (%y[row] : memref<3xi32>)
    schedule <SCHEDULE>
  func.return
}
"""


def test_its_step_has_loops_of_its_own(packages: Path, tmp_path: Path) -> None:
    path, (shown,) = tmp_path / "s.mlir", re.findall(r"`schedule <(.*chains.*?)>`", PAGE.read_text())
    done = lowered(packages, path, shown, text=SUMS)
    assert re.search(r"scf.for .* iter_args\(\S+ = %zero, \S+ = %\S+\) -> \(i32, i32\)", done.stdout), done.stderr
    x = np.arange(15, dtype=np.int32).reshape(3, 5) ** 3
    np.save(tmp_path / "x.npy", x)
    for schedule in (
        shown,
        "unroll column, chains column",
        "jam row, split column 3, unroll column_i, chains column_i",
    ):
        path.write_text(SUMS.replace("SCHEDULE", schedule))
        done = run(packages, "run", path, "--input", tmp_path / "x.npy", "--output-dir", tmp_path / "out")
        assert done.returncode == 0, done.stderr
        np.testing.assert_array_equal(np.load(tmp_path / "out" / "output_0.npy"), x.sum(axis=1))
    for schedule, why in (
        ("chains column", "chains column: it is no loop of the fold that is unrolled"),
        ("split column 2, unroll column_o, chains column_o", "chains column_o: it is no loop of the fold"),
        ("unroll column, chains column, collect", "collect: it does not go with chains column"),
    ):
        assert why in lowered(packages, path, schedule, text=SUMS).stderr


def test_its_layout_has_a_name(packages: Path, tmp_path: Path) -> None:
    named, written = (
        lowered(packages, tmp_path / "s.mlir", f"stage 0 {order}", "apply-steps", SUMS)
        for order in ('"acme.columns"', "(column, row)")
    )
    assert named.returncode == 0, named.stderr
    assert named.stdout == written.stdout
    assert "writes (%staged[column, row] : memref<5x3xi32>)" in named.stdout
    kept = lowered(packages, tmp_path / "s.mlir", 'stage 0 "acme.columns", reverse row', "canonicalize", SUMS)
    assert 'schedule <stage 0 "acme.columns", reverse row>' in kept.stdout, kept.stderr
    refused = lowered(packages, tmp_path / "s.mlir", 'stage 0 "acme.rows"', "apply-steps", SUMS)
    assert "there is no layout acme.rows (acme.columns installed)" in refused.stderr


def test_its_accelerator_computes_both_operators(packages: Path, model: Path, tmp_path: Path) -> None:
    x = np.array([-3, -0.5, 0.25, 7], np.float32)
    np.save(tmp_path / "x.npy", x)
    asked = ("--external", "acme-npu", "--external-source", packages / "acme" / "accelerator.c")
    done = run(packages, "run", model, *asked, "--input", tmp_path / "x.npy", "--output-dir", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    once = x / (1 + np.abs(x))
    np.testing.assert_allclose(np.load(tmp_path / "out" / "output_0.npy"), once / (1 + np.abs(once)), rtol=1e-6)
    shown = run(packages, "compile", model, "--emit", "pools", "--external", "acme-npu")
    assert shown.stdout.count("func.call") == 1, "one job stands for both"
    assert "memref<16xi8>" in shown.stdout, "four bytes of scratch for each element"


def test_its_pass_runs_at_its_stage(packages: Path, model: Path) -> None:
    planned = run(packages, "compile", model, "--emit", "pools")
    assert planned.returncode == 0, planned.stderr
    assert f"acme.buffers = {planned.stdout.count('memref.alloc()')} : i64" in planned.stdout
    assert "acme.buffers" not in run(packages, "compile", model, "--emit", "memref").stdout


BROKEN = {
    "stillpool.formats": {"lost": "nowhere:Lost", "number": "math:pi"},
    "stillpool.processors": {"lost": "nowhere:CPU", "other": "stillpool.machines.cpus:HOST"},
    "stillpool.operators": {"Unused": "nowhere:unused"},
    "stillpool.planner": {"lost": "nowhere:place"},
}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--format", "lost"],
            "entry point 'lost = nowhere:Lost' of stillpool.formats in package broken 1.0 cannot",
        ),
        (["--format", "number"], "is not a subclass of stillpool.targets.projects.format.Format"),
        (["--usmp-algorithm", "lost"], "mend or uninstall broken"),
        (["--target", "other"], "of stillpool.processors in package broken 1.0 calls itself host"),
    ],
)
def test_what_fails_is_named(model: Path, packages: Path, tmp_path: Path, arguments: list[str], message: str) -> None:
    install(tmp_path / "broken", "broken", BROKEN)
    both = Path(f"{packages}{os.pathsep}{tmp_path / 'broken'}")
    done = run(both, "compile", model, "-o", tmp_path / "tree", *arguments)
    assert done.returncode == 2, done.stderr
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "tree").exists()


def test_what_nobody_asks_for_is_not_loaded(model: Path, packages: Path, tmp_path: Path) -> None:
    install(tmp_path / "broken", "broken", BROKEN)
    both = Path(f"{packages}{os.pathsep}{tmp_path / 'broken'}")
    done = run(both, "compile", model, "--emit", "nn")
    assert done.returncode == 0, done.stderr
    assert "acme.softsign" in done.stdout


@pytest.mark.parametrize(
    ("point", "problem"),
    [
        ("after.pools", "is not named before.STAGE.PASS or after.STAGE.PASS"),
        ("after.pool.tidy", "names the stage 'pool', which does not exist (did you mean 'pools'?"),
        ("after.pools.usmp-check", "names its pass 'usmp-check' as one of stillpool's own"),
        ("after.nn.tidy", "cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_misplaced_passes_are_named(model: Path, packages: Path, tmp_path: Path, point: str, problem: str) -> None:
    install(tmp_path / "broken", "broken", {"stillpool.passes": {point: "nowhere:Tidy"}})
    done = run(Path(f"{packages}{os.pathsep}{tmp_path / 'broken'}"), "compile", model, "--emit", "nn")
    assert done.returncode == 2, done.stderr
    assert problem in " ".join(done.stderr.split())
