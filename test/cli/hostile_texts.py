"""Text files that nobody should write, for every verb that reads some."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

DEEP = 100_000
"""Levels of brackets: more than recursion bears."""

PLAIN: Mapping[str, bytes] = {
    "empty": b"",
    "zeros": b"\0" * 64,
    "not UTF-8": b"\xff\xfe\xfa" * 20,
    "one bracket": b"[",
    "deep lists": b"[" * DEEP,
    "deep lists closed": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"a":' * DEEP,
    "deep keys": b"a" + b".a" * 20_000 + b" = 1",
    "long number": b"9" * 10_000,
    "long key": b"a" * 10_000 + b" = 1",
    "byte order mark": b"\xef\xbb\xbf{}",
    "not a number": b"NaN",
    "text": b'"text"',
    "null": b"null",
    "surrogate": b'{"\\ud800": "\\udfff"}',
    "line ends": b"\r\r\n\n\x0b\x0c\x85",
}
"""Files for every reader."""

_NUMBERS = (-1, 0, 2**31, 2**63, 2**70, 1e308, float("inf"), float("nan"))
ODD: tuple[Any, ...] = (None, True, *_NUMBERS, "", "x\n", "\0", [], {}, [[]])
"""What stands where something else belongs."""

HEAD = "id,lower,upper,size\n"
CSV: Mapping[str, bytes] = {
    "head alone": HEAD.encode(),
    "no head": b"0,0,1,4\n",
    "negative size": f"{HEAD}0,0,1,-4\n".encode(),
    "no life": f"{HEAD}0,5,5,4\n".encode(),
    "backwards": f"{HEAD}0,9,2,4\n".encode(),
    "huge": f"{HEAD}0,0,1,{2**70}\n".encode(),
    "sum of huge ones": HEAD.encode() + b"".join(b"%d,0,9,%d\n" % (n, 2**62) for n in range(9)),
    "long digits": f"{HEAD}0,0,1,{'9' * 5000}\n".encode(),
    "float": f"{HEAD}0,0.5,1,4\n".encode(),
    "spaces": f"{HEAD} 0 , 0 , 1 , 4 \n".encode(),
    "other digits": f"{HEAD}0,0,1,٤\n".encode(),
    "twice": f"{HEAD}0,0,1,4\n0,0,1,4\n".encode(),
    "too few": f"{HEAD}0,0,1\n".encode(),
    "too many": f"{HEAD}0,0,1,4,5,6,7\n".encode(),
    "open quote": f'{HEAD}"0,0,1,4\n'.encode(),
    "long field": f"{HEAD}{'a' * 200_000},0,1,4\n".encode(),
    "zero byte": f"{HEAD}0\0,0,1,4\n".encode(),
    "column twice": b"id,id,lower,upper,size,size\n0,0,0,1,4,4\n",
}

PROBLEM: Mapping[str, Any] = {
    "buffers": [
        {"id": "a", "size": 4, "alignment": 4, "pools": ["p", "q"], "conflicts": ["b"]},
        {"id": "b", "size": 8, "alignment": 1, "pools": ["p"], "conflicts": ["a"]},
    ]
}
MANIFEST: Mapping[str, Any] = {
    "schema": 1,
    "model": "net",
    "pools": [{"name": "p", "kind": "workspace", "bytes": 8}],
    "buffers": [{"name": "a", "pool": "p", "offset": 0, "bytes": 8}],
    "operators": [{"index": 0, "name": "a", "op": "RELU", "macs": 0}],
    "code": {"weights_bytes": 0},
}
BOARD = """\
name = "one"
description = "a board"
cpu = "z80"
clock_hz = 4000000
[[memory]]
name = "ram"
kind = "ram"
bytes = 4096
section = ".ram"
read_bandwidth = 4.0
write_latency = 2
burst = 4
[[memory]]
name = "flash"
kind = "flash"
bytes = 65536
"""
"""A board whose processor has no profile: nothing is linked for it."""
TOML_VALUES = ("-1", "0", "1", str(2**63 - 1), "1e308", "inf", "nan", '""', '"\\n"', '"\\u0000"', "[]", "{}", "true")
POOLS = '[[pool]]\nname = "sram"\nsize = 1000\nalign = 8\n'
PROJECT = 'model = "net.tflite"\noutput = "out"\nworkspace-pool = ["sram:size=4096"]\n'
MLIR = """func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  func.return
}
"""


def variants(document: Any, rng: random.Random, count: int) -> Iterator[Any]:
    """Copies of a JSON document with one value replaced, left out or repeated."""
    text = json.dumps(document)
    for _ in range(count):
        made: Any = json.loads(text)
        holder: Any = made
        while True:
            keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            key = rng.choice(keys)
            inner = holder[key]
            if isinstance(inner, dict | list) and inner and rng.random() < 0.8:
                holder = inner
                continue
            match rng.randrange(3):
                case 0:
                    del holder[key]
                case _:
                    holder[key] = rng.choice(ODD)
            break
        yield made


def with_other_values(toml: str) -> Iterator[bytes]:
    """Copies of a TOML document with one value replaced, or its line repeated or left out."""
    lines = toml.splitlines()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        for other in (*(f"{key} = {value}" for value in TOML_VALUES if equals), f"{line}\n{line}", ""):
            yield "\n".join([*lines[:number], other, *lines[number + 1 :]]).encode()


def damaged(text: str, rng: random.Random, count: int) -> Iterator[bytes]:
    """Copies of a text with a few characters replaced, left out or repeated."""
    for _ in range(count):
        data = bytearray(text.encode())
        for _ in range(rng.choice((1, 1, 2, 5))):
            if not data:
                break
            place = rng.randrange(len(data))
            match rng.randrange(4):
                case 0:
                    del data[place]
                case 1:
                    data[place] = rng.randrange(256)
                case 2:
                    data[place:place] = rng.choice((b"[", b"]", b'"', b"=", b"\n", b"{", b",", b"-", b"9" * 40, b"\0"))
                case _:
                    data[place : place + rng.randrange(20)] = b""
        yield bytes(data)
