"""What all hostile commands are made of: damaged bytes, odd words, and verbs that read a model."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "examples/novelty/novelty.tflite"
WAYS = (
    (),
    ("--optimize", "speed"),
    ("--optimize", "ram"),
    ("--optimize", "size"),
    ("--rows", "on"),
    ("--target", "cortex-m4", "--optimize", "speed"),
    ("--target", "cortex-m55"),
    ("--target", "rv32imc"),
    ("--workspace-io", "none"),
    ("--workspace-pool", "a:size=2K", "--workspace-pool", "b"),
    ("--no-views",),
    ("--interface", "tvm"),
    ("--poison",),
    ("--builtin-pools",),
    ("--overlap", "off"),
    ("--winograd",),
)


@dataclass(frozen=True)
class Job:
    """A command and the files that it finds."""

    arguments: Sequence[str]
    """Words behind `stillpool`; behind `stillpool-opt` where the first one is `opt`."""
    files: Mapping[str, bytes] = field(repr=False)


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """A file with a few bytes changed, left out or repeated."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        place = rng.randrange(len(made))
        match rng.randrange(5):
            case 0:
                made[place] ^= 1 << rng.randrange(8)
            case 1:
                made[place] = rng.choice((0, 1, 127, 128, 255))
            case 2:
                del made[place : place + rng.choice((1, 4, 50))]
            case 3:
                made[place : place + 4] = rng.choice(
                    (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80")
                )
            case _:
                made[place:place] = made[place : place + rng.choice((1, 4, 50))]
        made = made or bytearray(b"\0")
    return bytes(made)


def a_verb(rng: random.Random, file: str) -> list[str]:
    """A verb that reads a model and starts no compiler."""
    way = list(rng.choice(WAYS))
    match rng.randrange(6):
        case 0:
            return ["analyze", file, *way]
        case 1:
            return ["analyze", file, "--json", "--explain-peak"]
        case 2:
            return ["ops", file]
        case 3:
            return ["compile", file, "--emit", rng.choice(("nn", "tasks", "memref", "pools", "emitc")), *way]
        case _:
            return ["compile", file, "--emit", "c", *way]


ODD = (
    "",
    " ",
    "-1",
    "0",
    "1",
    "3",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "٣",
    "9" * 5000,
    str(2**63),
    str(10**25),
    "a" * 5000,
    "\udc80",
    "é",
    "a\nb",
    "x=y",
    "x:y",
    "=",
    ":",
    ",",
    "a=b=c",
    "x:size=0",
    "x:size=-1",
    "x:size=99999999999999",
    "x:align=3",
    "x:size=nan",
    "x,x",
    "*",
    "[",
    "net.tflite",
    "none",
    "all",
    "1-0",
    "0-99",
    "1K",
    "4 KiB",
    '"',
    "'",
    "$(",
    "{}",
    "cortex-m4",
    "input",
    "sram:size=4K",
    "sram",
    "0-1",
    "serving_default_x=1",
    "x=1,2,3",
    "net.json",
    "/dev/null",
    "..",
    "*=sram",
)
"""What stands where something else belongs."""
