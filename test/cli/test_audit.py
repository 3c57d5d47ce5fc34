"""`stillpool audit` on programs that this machine's compiler links."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from json_schemas import validator

from stillpool.cli import main

NOVELTY = Path(__file__).resolve().parents[2] / "examples" / "novelty" / "novelty.tflite"
MAIN = """\
#include "novelty.h"
#define SIZE NOVELTY_FAST_POOL_SIZE

{array}

int main(void)
{{
    novelty_workspace_pools pools = {{{pointer}}};
    return (int)novelty_run(&pools);
}}
"""
FAST = "__attribute__((aligned(64))) static uint8_t {name}[{size}];"

pytestmark = [
    pytest.mark.extra("emulate"),
    pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, with its sources compiled once."""
    folder = tmp_path_factory.mktemp("audit") / "project"
    made = CliRunner().invoke(main, ["compile", str(NOVELTY), "-q", "-o", str(folder), "--workspace-pool", "fast"])
    assert made.exit_code == 0, made.output
    for source in (folder / "src").glob("*.c"):
        subprocess.run(["gcc", "-std=c99", "-O1", "-Iinclude", "-c", source], cwd=folder, check=True)
    return folder


def link(project: Path, folder: Path, array: str, *, pointer: str = "fast", flags: tuple[str, ...] = ()) -> Path:
    """An application with an array."""
    (folder / "main.c").write_text(MAIN.format(array=array, pointer=pointer))
    program = folder / "app.elf"
    objects = sorted(map(str, project.glob("*.o")))
    include = f"-I{project / 'include'}"
    command = ["gcc", "-std=gnu99", "-O1", include, *flags, str(folder / "main.c"), *objects, "-o", str(program), "-lm"]
    subprocess.run(command, check=True)
    return program


def audit(program: Path, project: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, document and prose."""
    done = CliRunner().invoke(main, ["audit", str(program), "--manifest", str(project), "--json", *options])
    document = json.loads(done.stdout)
    validator("audit").validate(document)
    return done.exit_code, document, done.stderr


def test_what_is_as_planned(project: Path, tmp_path: Path) -> None:
    program = link(project, tmp_path, FAST.format(name="fast", size="SIZE"))
    code, document, prose = audit(program, project)
    assert (code, document["faults"], prose) == (0, [], "")
    manifest = json.loads((project / "manifest.json").read_text())
    (pool,) = document["pools"]
    assert pool["planned_bytes"] == pool["linked_bytes"] == manifest["pools"][0]["bytes"]
    assert (pool["symbol"], pool["section"], pool["address"] % 64) == ("fast", ".bss", 0)
    assert document["constants"]["planned_bytes"] == manifest["code"]["weights_bytes"]
    assert document["constants"]["linked_bytes"] == manifest["code"]["weights_bytes"]
    assert list(document["code"]["sections"]) == [".text"]
    # The linker's own list says the same of the functions.
    listed = subprocess.run(["nm", "-S", program], capture_output=True, text=True, check=True).stdout.splitlines()
    own = subprocess.run(["nm", "-S", project / "novelty.o"], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in own.splitlines() if line.split()[-2] in "tT"}
    sizes = [int(line.split()[1], 16) for line in listed if len(line.split()) == 4 and line.split()[-1] in names]
    assert document["code"]["linked_bytes"] == sum(sizes)


def test_an_array_of_another_name(project: Path, tmp_path: Path) -> None:
    program = link(project, tmp_path, FAST.format(name="arena", size="SIZE"), pointer="arena")
    code, document, _ = audit(program, project)
    assert (code, document["pools"][0]["symbol"]) == (0, None)
    code, document, _ = audit(program, project, "--pool", "fast=arena")
    assert (code, document["pools"][0]["symbol"]) == (0, "arena")
    code, _, prose = audit(program, project, "--pool", "fast=areno")
    assert (code, "no variable 'areno'" in prose) == (1, True)


ODD = '__attribute__((section(".odd"), aligned({alignment}))) {declaration} = {{1}};\n'
FAULTS = {
    "small": (FAST.format(name="arena", size="SIZE - 1"), "are planned"),
    "large": (FAST.format(name="arena", size="SIZE + 1"), ""),
    "constant": ("__attribute__((aligned(64))) const uint8_t arena[SIZE];", "is not writable"),
    "odd": (
        ODD.format(alignment=64, declaration="char first[1]")
        + ODD.format(alignment=1, declaration="uint8_t arena[SIZE]"),
        "which is no multiple of",
    ),
}
"""Arrays, and what is wrong with them."""


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_not_as_planned(name: str, project: Path, tmp_path: Path) -> None:
    array, words = FAULTS[name]
    program = link(project, tmp_path, array, pointer="(uint8_t *)arena", flags=("-fno-toplevel-reorder",))
    code, document, prose = audit(program, project, "--pool", "fast=arena")
    assert (code, document["as_planned"]) == ((4, False) if words else (0, True))
    assert words in prose


def test_built_in_pools_of_two_models(tmp_path: Path) -> None:
    models = [str(NOVELTY), str(NOVELTY), "--name", "one", "--name", "two", "--builtin-pools"]
    assert CliRunner().invoke(main, ["compile", *models, "-q", "-o", str(tmp_path / "p")]).exit_code == 0
    (tmp_path / "main.c").write_text(
        '#include "one.h"\n#include "two.h"\nint main(void) { return (int)(one_run() + two_run()); }\n'
    )
    sources = [*map(str, (tmp_path / "p" / "src").glob("*.c")), str(tmp_path / "main.c")]
    include = f"-I{tmp_path / 'p' / 'include'}"
    subprocess.run(["gcc", "-std=c99", include, *sources, "-o", str(tmp_path / "app.elf"), "-lm"], check=True)
    code, document, _ = audit(tmp_path / "app.elf", tmp_path / "p")
    assert (code, document["models"]) == (0, ["one", "two"])
    assert [pool["symbol"] for pool in document["pools"]] == ["one_workspace_pool"]
    # Instances of one model share their constants.
    assert document["constants"]["linked_bytes"] == document["constants"]["planned_bytes"] // 2


BUDGETS = [
    ('code = "64K"\nconstants = "64K"\nworkspace = "64K"\n[pools]\nfast = 70000\n[sections]\n".text" = "1M"\n', 0, ""),
    ("code = 1\n", 3, "is over budget: code by "),
    ("[pools]\nfast = 1\n", 3, "pools.fast by "),
    ('[sections]\n".nothing" = 1\n', 1, "there is no such thing"),
    ("speed = 1\n", 1, "unknown key 'speed'"),
    ("code = true\n", 1, "a budget is a number of bytes"),
    ("", 1, "has no budget"),
]


@pytest.mark.parametrize(("text", "code", "words"), BUDGETS)
def test_budgets(text: str, code: int, words: str, project: Path, tmp_path: Path) -> None:
    program = link(project, tmp_path, FAST.format(name="fast", size="SIZE"))
    (tmp_path / "budget.toml").write_text(text)
    found, document, prose = audit(program, project, "--budget", str(tmp_path / "budget.toml"))
    assert found == code, prose
    assert words in prose
    assert [use["free"] >= 0 for use in document.get("budgets", [])] == (
        [True] * 5 if code == 0 else [False] * (code == 3)
    )


def test_what_is_no_program_of_the_model_is_refused(project: Path, tmp_path: Path) -> None:
    program = link(project, tmp_path, FAST.format(name="fast", size="SIZE"))
    data = program.read_bytes()
    (tmp_path / "stripped").write_bytes(data)
    subprocess.run(["strip", tmp_path / "stripped"], check=True)
    (tmp_path / "other.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", tmp_path / "other.c", "-o", tmp_path / "other"], check=True)
    for name, words in (("stripped", "has no symbols"), ("other", "no function of 'novelty'"), ("none", "cannot read")):
        code, _, prose = audit(tmp_path / name, project)
        assert (code, words in prose) == (1, True), prose
    code, _, prose = audit(program, project, "--pool", "slow=x")
    assert (code, "there is no pool 'slow'" in prose) == (2, True)
    rng = random.Random(1)
    for _ in range(60):
        damaged = bytearray(data[: rng.choice([len(data), rng.randrange(len(data))])])
        for _ in range(rng.randrange(1, 20)):
            damaged[rng.randrange(min(len(damaged), 4096))] = rng.randrange(256)
        (tmp_path / "damaged").write_bytes(damaged)
        assert audit(tmp_path / "damaged", project)[0] in (0, 1, 4)
