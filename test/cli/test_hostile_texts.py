"""Hostile CSV, JSON, TOML and MLIR: one line and an exit code that says whose fault it is, never a bug's."""

from __future__ import annotations

import json
import random
import shutil
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import hostile_texts
import pytest
import sweeps
from click.testing import CliRunner

from stillpool.cli import main

NOVELTY = Path(__file__).parents[2] / "examples" / "novelty" / "novelty.tflite"
SECONDS = 20


def attempt(*arguments: str) -> int:
    """Run the command; anything but an answer or one line of error fails."""
    start = time.process_time()
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code in (0, 1, 2, 3, 5), f"{done.exit_code}: {done.stderr[-600:]}"
    assert time.process_time() - start < SECONDS
    if done.exit_code in (1, 3):
        assert done.stderr.startswith("error: "), done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
    return done.exit_code


def texts(name: str, rng: random.Random) -> Iterator[bytes]:
    """Files for one reader, more and more of them."""
    yield from hostile_texts.PLAIN.values()
    if name == "csv":
        yield from hostile_texts.CSV.values()
        text = hostile_texts.HEAD + "a,0,3,40\nb,1,4,8\nc,2,9,16\n"
    elif name in ("json", "manifest"):
        document = hostile_texts.PROBLEM if name == "json" else hostile_texts.MANIFEST
        for variant in hostile_texts.variants(document, rng, 60):
            yield json.dumps(variant).encode()
        text = json.dumps(document)
    elif name in ("board", "pools"):
        text = hostile_texts.BOARD if name == "board" else hostile_texts.POOLS
        others = list(hostile_texts.with_other_values(text))
        yield from rng.sample(others, len(others))
    else:
        text = {"project": hostile_texts.PROJECT, "mlir": hostile_texts.MLIR}[name]
    yield from hostile_texts.damaged(text, rng, 1_000_000)


def run(name: str, count: int, seed: int, folder: Path) -> None:
    """Give files to the verb that reads them."""
    shutil.copy(NOVELTY, folder / "net.tflite")
    for data in islice(texts(name, random.Random(seed)), count):
        suffix = {"board": "toml", "pools": "toml", "project": "toml", "manifest": "json"}.get(name, name)
        file = folder / f"hostile.{suffix}"
        file.write_bytes(data)
        match name:
            case "csv" | "json":
                arguments = ["plan", str(file), "--planner-seconds", "0.1", "-o", str(folder / "plan")]
            case "manifest":
                arguments = ["diff", str(file), str(file)]
            case "board":
                arguments = ["fit", str(folder / "net.tflite"), "-q", "--board", str(file)]
            case "pools":
                arguments = ["compile", str(folder / "net.tflite"), "--emit", "pools", "--pool-file", str(file)]
            case "project":
                arguments = ["compile", "-c", str(file)]
            case _:
                arguments = ["compile", str(file), "--emit", "c"]
        attempt(*arguments)


@pytest.mark.parametrize("name", ["csv", "json", "manifest", "board", "pools", "project", "mlir"])
def test_hostile_texts(name: str, tmp_path: Path) -> None:
    run(name, 40, 1, tmp_path)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["csv", "json", "manifest", "board", "pools", "project", "mlir"])
def test_sweep_hostile_texts(name: str, tmp_path: Path) -> None:
    run(name, sweeps.size(150, long=10000), 2, tmp_path)
