"""Hostile commands about programs: linked ones, those that a verb builds, runners of `tune`, models as C arrays."""

from __future__ import annotations

import functools
import json
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import hostile_texts
from click.testing import CliRunner
from hostile_parts import MODEL, ODD, ROOT, Job, a_verb, damaged_bytes

from stillpool.cli import main
from stillpool.run.host import find_compiler

BUDGET = 'code = "64K"\nconstants = 65536\n[pools]\nfast = 70000\n[sections]\n".text" = "1M"\n'
_RUNNERS = ("17", "-5", "nan", "inf", "1e999", "5 6 7", "x", "", "9" * 400, "0x10", "٣", "1_000", "0", "\\0\\377 3")
"""What a runner prints."""


@functools.cache
def _linked() -> tuple[bytes, bytes]:
    """A program with a model, and the manifest of the model."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        done = CliRunner().invoke(main, ["compile", str(MODEL), "-q", "-o", f"{name}/p", "--workspace-pool", "fast"])
        assert done.exit_code == 0, done.stderr
        (folder / "main.c").write_text(
            '#include "novelty.h"\n'
            "static uint8_t fast[NOVELTY_FAST_POOL_SIZE] __attribute__((aligned(64)));\n"
            "int main(void)\n{\n    novelty_workspace_pools pools = {fast};\n    return (int)novelty_run(&pools);\n}\n"
        )
        sources = [*map(str, (folder / "p/src").glob("*.c")), f"{name}/main.c"]
        command = [*find_compiler(), "-O1", f"-I{name}/p/include", *sources, "-o", f"{name}/app", "-lm"]
        subprocess.run(command, check=True)
        return (folder / "app").read_bytes(), (folder / "p/manifest.json").read_bytes()


def of_audit(rng: random.Random) -> Job:
    """A linked program, its manifest, a file of budgets: one of them damaged."""
    program, manifest = _linked()
    files = {"app": program, "manifest.json": manifest, "budget.toml": BUDGET.encode()}
    words = ["audit", "app", "--manifest", "manifest.json"]
    match rng.randrange(6):
        case 0 | 1:
            # Headers and tables stand at both ends.
            cut = rng.choice((512, 4096, len(program)))
            files["app"] = damaged_bytes(program[:cut], rng) + program[cut:]
            if rng.random() < 0.5:
                files["app"] = program[:-cut] + damaged_bytes(program[-cut:], rng)
        case 2 | 3:
            document = next(hostile_texts.variants(json.loads(manifest), rng, 1))
            files["manifest.json"] = json.dumps(document).encode()
            if rng.random() < 0.3:
                files["manifest.json"] = next(hostile_texts.damaged(manifest.decode(), rng, 1))
        case 4:
            others = list(hostile_texts.with_other_values(BUDGET))
            files["budget.toml"] = rng.choice([*others, next(hostile_texts.damaged(BUDGET, rng, 1))])
        case _:
            words += ["--pool", rng.choice((*ODD, "fast=", "=fast", "fast=fast", "fast=main", f"fast={'a' * 5000}"))]
    if rng.random() < 0.3 or files["budget.toml"] != BUDGET.encode():
        words += ["--budget", "budget.toml"]
    return Job(words + ["--json"] * (rng.random() < 0.3), files)


def of_c_array(rng: random.Random) -> Job:
    """A model as an array in C, as `xxd -i` and others write it, with damage."""
    data = MODEL.read_bytes()
    form = rng.choice(("0x{:02x}, ", "{},", "0X{:X} ,\n", "{:#o},"))
    array = "".join(form.format(byte) for byte in data)
    head = rng.choice(
        ("unsigned char net[] = {", "alignas(16) const unsigned char g_net[] =\n{", "const uint8_t a[9] = {")
    )
    text = f"#include <x.h>\n/* a {{ */ {head}{array}}};\nunsigned int net_len = {len(data)};\n"
    match rng.randrange(5):
        case 0:
            made = damaged_bytes(text.encode(), rng)
        case 1:
            made = text[: rng.randrange(len(text))].encode()
        case 2:
            made = (text + text.replace("net", "other")).encode()
        case 3:
            word = rng.choice(("-1", "256", "0x", "'a'", "9" * 5000, "1.0", "{", "}", "//", "/*", '"', "X", "\\"))
            made = text.replace(", ", f", {word}, ", 1).encode()
        case _:
            made = next(hostile_texts.damaged(text, rng, 1))
    file = f"hostile.{rng.choice(('h', 'c', 'cc', 'cpp', 'hpp'))}"
    return Job(a_verb(rng, file), {file: made})


@functools.cache
def _tosa() -> Sequence[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "test/frontends/tosa").glob("*.tosa"))]


def of_tosa(rng: random.Random) -> Job:
    """A damaged flatbuffer of TOSA."""
    return Job(a_verb(rng, "hostile.tosa"), {"hostile.tosa": damaged_bytes(rng.choice(_tosa()), rng)})


def of_databases(schedules: str, rng: random.Random) -> Job:
    """Schedules that are merged and written, one file damaged."""
    lines = schedules.splitlines()
    match rng.randrange(5):
        case 0:
            data = rng.choice(list(hostile_texts.PLAIN.values()))
        case 1 | 2:
            record = next(hostile_texts.variants(json.loads(rng.choice(lines)), rng, 1))
            data = (json.dumps(record) + "\n").encode()
        case 3:
            data = schedules.rstrip("\n").encode()[rng.choice((0, 0, 1)) :]
        case _:
            data = next(hostile_texts.damaged("\n".join(rng.sample(lines, min(5, len(lines)))), rng, 1))
    words = ["tune", "--schedules", rng.choice(("hostile.jsonl", "all.jsonl"))]
    words += ["--merge", rng.choice(("good.jsonl", "hostile.jsonl"))] * (rng.random() < 0.9)
    words += ["--export", rng.choice(("best.jsonl", "best.jsonl", "hostile.jsonl", ".", "none/best.jsonl"))]
    return Job(words, {"hostile.jsonl": data, "good.jsonl": (lines[0] + "\n").encode()})


def of_runner(rng: random.Random) -> Job:
    """A search whose runner prints what is no cost, ends at once, or for a model that is damaged."""
    model = MODEL.read_bytes() if rng.random() < 0.8 else damaged_bytes(MODEL.read_bytes(), rng)
    script = f"#!/bin/sh\nprintf '{rng.choice(_RUNNERS)}\\n'\n"
    runner = rng.choice(
        ("sh r.sh {elf}", "sh r.sh", "true {elf}", "{elf}", "sh -c 'exit 3' {elf}", "'", "", "none {elf}")
    )
    words = ["tune", "net.tflite", "--target", "cortex-m4", "--trials", "1", "-j", "1", "--schedules", "s.jsonl"]
    words += ["--runner", runner, "--runner-seconds", rng.choice(("1", "0.001", "1e308", "5"))]
    return Job(words, {"net.tflite": model, "r.sh": script.encode()})


def of_builds(rng: random.Random) -> Job:
    """A damaged model that is built and run."""
    files = {"net.tflite": damaged_bytes(MODEL.read_bytes(), rng)}
    words = rng.choice(
        (
            ["verify", "net.tflite", "--samples", "1"],
            ["run", "net.tflite", "--repeat", "0"],
            ["run", "net.tflite", "--target", "cortex-m4"],
            ["profile", "net.tflite", "--target", "cortex-m4"],
            ["fit", "net.tflite", "--board", "single-sram-m4"],
            ["compile", "net.tflite", "-o", "out", "--target", "cortex-m4"],
        )
    )
    return Job(words, files)
