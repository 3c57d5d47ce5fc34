"""Hostile commands for every verb, each made from a seed and a number: damaged models, damaged texts, odd options."""

from __future__ import annotations

import functools
import io
import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import hostile_programs
import hostile_texts
import numpy as np
from hostile_parts import MODEL, ODD, ROOT, Job, a_verb, damaged_bytes

from stillpool.cli import VERBS, main

sys.path[:0] = [str(ROOT / "test" / folder) for folder in ("frontends", "conformance")]

PIPELINES = (
    "usmp",
    "usmp,emit-c",
    "emit-c",
    "usmp-io-allocs,usmp,emit-c",
    "lower-nn,lower-tasks,usmp,emit-c",
    "usmp-check",
    "lower-tasks",
    "lower-nn",
    "nn-clean-up",
    "schedule{target=cortex-m4},lower-tasks",
    "usmp-views,usmp-plan",
    "split-rows",
    "roll-rows,usmp,emit-c",
    "lower-to-loops,emit-c",
)


def job(seed: int, number: int, *, quick: bool = False) -> Job:
    """The command of a number; `quick` leaves out what takes long to prepare."""
    rng = random.Random(f"{seed}:{number}")
    kinds = [kind for kind in KINDS if not (quick and kind in SLOW)]
    return rng.choices(kinds, [KINDS[kind] for kind in kinds])[0](rng)


def prepare(*, quick: bool = False) -> None:
    """Read once what jobs start from."""
    _mlir()
    if not quick:
        _trees()
        _onnx()


@functools.cache
def _mlir() -> Sequence[str]:
    """Modules of the lit tests."""
    texts = [path.read_text() for path in sorted((ROOT / "test").rglob("*.mlir"))]
    chunks = [chunk for text in texts for chunk in text.split("// -----")]
    return [
        "\n".join(line for line in chunk.splitlines() if line.strip() and not line.lstrip().startswith("//"))
        for chunk in chunks
        if 40 < len(chunk) < 8000
    ]


WORDS = tuple(
    """i1 i8 i16 i32 i64 f16 f32 f64 index ui8 memref<4xi8> memref<?xi8> memref<f32> tensor<2xf32> vector<4xi8> 0 1 -1 2
    3 7 64 1000 2147483647 9223372036854775808 99999999999999999999 1.0 0x7FC00000 nan %x @f ^bb1 dense<1> unit
    true""".split()
)


def damaged_mlir(text: str, rng: random.Random) -> str:
    """A module with a few words or lines changed."""
    lines = text.splitlines() or [""]
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.randrange(len(lines))
        match rng.randrange(7):
            case 0:
                del lines[place]
            case 1:
                lines.insert(rng.randrange(len(lines)), lines[place])
            case 2:
                other = rng.randrange(len(lines))
                lines[place], lines[other] = lines[other], lines[place]
            case 3:
                donor = rng.choice(_mlir()).splitlines()
                lines.insert(place, rng.choice(donor) if donor else "")
            case _:
                words = lines[place].split(" ")
                number = rng.randrange(len(words))
                found = [word for line in lines for word in line.split(" ") if word]
                word = rng.choice(WORDS if rng.random() < 0.5 else found or [""])
                digits = [n for n, c in enumerate(words[number]) if c.isdigit()]
                if digits and rng.random() < 0.5:
                    at = rng.choice(digits)
                    word = (
                        words[number][:at] + rng.choice(("0", "1", "3", "9", "17", "-1", "?")) + words[number][at + 1 :]
                    )
                words[number] = word
                lines[place] = " ".join(words)
        lines = lines or [""]
    return "\n".join(lines)


def _of_mlir(rng: random.Random) -> Job:
    text = damaged_mlir(rng.choice(_mlir()), rng)
    data = next(hostile_texts.damaged(text, rng, 1)) if rng.random() < 0.1 and text else text.encode(errors="replace")
    files = {"hostile.mlir": data}
    match rng.randrange(8):
        case 0 | 1 | 2:
            target = ["-t", "c"] if rng.random() < 0.5 else []
            return Job(["opt", "hostile.mlir", "-p", rng.choice(PIPELINES), *target, "-o", "out"], files)
        case 3:
            return Job(["opt", "hostile.mlir", "--split-input-file", "-p", rng.choice(PIPELINES)], files)
        case _:
            return Job(a_verb(rng, "hostile.mlir"), files)


@functools.cache
def _bases() -> Sequence[bytes]:
    from mutations import bases  # type: ignore[import-not-found]

    return bases()


@functools.cache
def _trees() -> Sequence[Any]:
    from mutations import trees  # type: ignore[import-not-found]

    return trees(_bases())


def _of_fields(rng: random.Random) -> Job:
    from mutations import mutant  # type: ignore[import-not-found]

    _, data = mutant(_trees(), rng)
    return Job(a_verb(rng, "hostile.tflite"), {"hostile.tflite": data})


def _of_bytes(rng: random.Random) -> Job:
    return Job(a_verb(rng, "hostile.tflite"), {"hostile.tflite": damaged_bytes(rng.choice(_bases()), rng)})


def _of_model_bytes(rng: random.Random) -> Job:
    return Job(a_verb(rng, "hostile.tflite"), {"hostile.tflite": damaged_bytes(MODEL.read_bytes(), rng)})


@functools.cache
def _onnx() -> Sequence[bytes]:
    shared = ROOT.parent / "shared/onnx"
    found = sorted(shared.glob("*.onnx")) if shared.is_dir() else []
    return [path.read_bytes() for path in found if path.stat().st_size < 200_000]


def _of_onnx(rng: random.Random) -> Job:
    if not _onnx():
        return _of_mlir(rng)
    data = rng.choice(_onnx())
    made = damaged_bytes(data, rng) if rng.random() < 0.3 else damaged_onnx(data, rng)
    return Job(a_verb(rng, "hostile.onnx"), {"hostile.onnx": made})


def damaged_onnx(data: bytes, rng: random.Random) -> bytes:
    """A model with one field changed, somewhere in the tree of its messages."""
    import onnx

    model = onnx.load_from_string(data)
    for _ in range(rng.choice((1, 1, 2))):
        message: Any = model
        while True:
            fields = message.ListFields()
            if not fields:
                break
            # Graphs have thousands of fields and models a dozen.
            described, value = rng.choice([one for one in fields if one[0].name == "graph"] or fields)
            many = isinstance(value, Sequence) and not isinstance(value, str | bytes)
            inner = value[rng.randrange(len(value))] if many and len(value) else value
            if hasattr(inner, "ListFields") and rng.random() < 0.9:
                message = inner
                continue
            _change_field(message, described.name, value, many, rng)
            break
    return model.SerializeToString()


_WHOLE = (0, 1, -1, 2, 3, 7, 1000, 2**31 - 1, -(2**31), 2**62)


def _change_field(message: Any, name: str, value: Any, many: bool, rng: random.Random) -> None:
    if many:
        number = rng.randrange(len(value))
        match rng.randrange(3):
            case 0:
                del value[number]
            case 1:
                value.append(value[number])
            case _ if isinstance(value[number], int):
                value[number] = rng.choice(_WHOLE[:8])
            case _ if isinstance(value[number], str):
                value[number] = rng.choice(("", "x", "Conv", "Y\n", value[0]))
            case _ if isinstance(value[number], float):
                value[number] = rng.choice((0.0, -1.0, 1e30, float("inf"), float("nan")))
            case _:
                del value[number]
    elif isinstance(value, bool | int):
        try:
            setattr(message, name, rng.choice(_WHOLE))
        except ValueError:
            message.ClearField(name)
    elif isinstance(value, str):
        setattr(message, name, rng.choice(("", "x", "Conv", "Add", "Relu", "QLinearConv", "Y\n", "\u00e9")))
    elif isinstance(value, bytes):
        setattr(message, name, damaged_bytes(value or b"x", rng))
    elif isinstance(value, float):
        setattr(message, name, rng.choice((0.0, -1.0, 1e30, float("inf"), float("nan"))))
    else:
        message.ClearField(name)


SCHEDULES = '{"task": "x", "target": "cortex-m4", "cost": 10, "schedule": "schedule <split ox 2, jam ox_i>"}\n'


def _of_text(rng: random.Random) -> Job:
    name = rng.choice(("csv", "json", "manifest", "board", "pools", "project", "schedules", "cycles"))
    texts = {
        "csv": f"{hostile_texts.HEAD}a,0,3,40\nb,1,4,8\nc,2,9,16\n",
        "json": json.dumps(hostile_texts.PROBLEM),
        "manifest": json.dumps(hostile_texts.MANIFEST),
        "board": hostile_texts.BOARD,
        "pools": hostile_texts.POOLS,
        "project": hostile_texts.PROJECT,
        "schedules": _schedules(),
        "cycles": "0 17\n1 90\n2 5\n",
    }
    text = texts[name]
    match rng.randrange(4):
        case 0:
            data = rng.choice([*hostile_texts.PLAIN.values(), *hostile_texts.CSV.values()])
        case 1 if name in ("json", "manifest", "schedules"):
            first = text.splitlines()[0]
            document = next(hostile_texts.variants(json.loads(first), rng, 1))
            data = json.dumps(document).encode() + b"\n"
        case 1 if name in ("board", "pools", "project"):
            data = rng.choice(list(hostile_texts.with_other_values(text)))
        case _:
            data = next(hostile_texts.damaged(text, rng, 1))
    suffix = {"csv": "csv", "json": "json", "manifest": "json", "schedules": "jsonl", "cycles": "txt"}.get(name, "toml")
    file, model = f"hostile.{suffix}", "net.tflite"
    commands = {
        "csv": ["plan", file, "--planner-seconds", "0.1", "-o", "plan"],
        "json": ["plan", file, "--planner-seconds", "0.1", "--json"],
        "manifest": rng.choice(
            (["diff", file, file], ["profile", file, "--from", "cycles.txt"], ["diff", file, "good.json"])
        ),
        "board": ["fit", model, "-q", "--board", file],
        "pools": ["compile", model, "--emit", "pools", "--pool-file", file],
        "project": ["compile", "-c", file, "--emit", "pools"],
        "schedules": ["compile", model, "--emit", "tasks", "--target", "cortex-m4", "--schedules", file],
        "cycles": ["profile", "good.json", "--from", file],
    }
    good = {"good.json": json.dumps(hostile_texts.MANIFEST).encode(), "cycles.txt": b"0 17\n"}
    return Job(commands[name], {file: data, model: MODEL.read_bytes(), **good})


@functools.cache
def _schedules() -> str:
    return "".join(path.read_text() for path in sorted((ROOT / "test").rglob("*.jsonl"))[:2]) or SCHEDULES


def _of_array(rng: random.Random) -> Job:
    stream = io.BytesIO()
    shape = rng.choice(((1, 640), (640,), (2, 640), (), (0,), (1, 1, 640)))
    kind = rng.choice(("i1", "u1", "f4", "f8", "c8", "M8[s]", "U3", "?", ">i4", "i8"))
    np.save(stream, np.zeros(shape, kind))
    data = stream.getvalue()
    made = damaged_bytes(data[:128], rng) + data[128:] if rng.random() < 0.7 else data
    words = ["run", "net.tflite", "--input", "hostile.npy", "--output-dir", "out"]
    if rng.random() < 0.5:
        words = ["verify", "net.tflite", "--input", "hostile.npy"]
    return Job(words, {"hostile.npy": made, "net.tflite": MODEL.read_bytes()})


_STARTS_SOMETHING = frozenset(("cc", "emulator", "runner", "scheduler", "output_dir", "export", "schedules"))
"""Options that start programs or wait for another machine, and files that tell one job of another."""
_QUICK_VERBS = ("analyze", "compile", "ops", "plan", "diff", "fit", "profile", "tune", "verify", "run")
_REFUSED_EARLY = ("tune", "verify", "run")
"""Verbs that start programs where nothing refuses the options: their model is one that no one can read."""


def _of_options(rng: random.Random) -> Job:
    verb = rng.choice(_QUICK_VERBS)
    command = main.get_command(click.Context(main), verb)
    assert command is not None, "the verb is one of the list"
    starts = {"plan": ["plan", "net.csv"], "diff": ["diff", "net.json", "net.json"]}
    starts["profile"] = ["profile", "net.json", "--from", "net.txt"]
    words = starts.get(verb, [verb, "net.tflite"])
    if verb == "tune":
        words += ["--target", rng.choice(("cortex-m4", "host", "x"))]
    if verb == "compile":
        words = [*words, "--emit", rng.choice(("c", "pools"))]
    options = [p for p in command.params if isinstance(p, click.Option) and p.name not in _STARTS_SOMETHING]
    for option in rng.sample(options, rng.choice((1, 1, 2, 3))):
        words.append(rng.choice([*option.opts, *option.secondary_opts]))
        if not option.is_flag:
            choices = option.type.choices if isinstance(option.type, click.Choice) else ODD
            words.append(str(rng.choice(choices if rng.random() < 0.9 else ODD)))
    if verb == "plan" and "--planner-seconds" not in words:
        words += ["--planner-seconds", "0.1"]
    files = {
        "net.tflite": MODEL.read_bytes()[: 200 if verb in _REFUSED_EARLY else None],
        "net.csv": f"{hostile_texts.HEAD}a,0,3,40\nb,1,4,8\n".encode(),
        "net.json": json.dumps(hostile_texts.MANIFEST).encode(),
        "net.txt": b"0 17\n",
    }
    return Job(words, files)


def _of_databases(rng: random.Random) -> Job:
    return hostile_programs.of_databases(_schedules(), rng)


KINDS: Mapping[Callable[[random.Random], Job], float] = {
    _of_mlir: 5,
    _of_fields: 5,
    _of_bytes: 1,
    _of_model_bytes: 1,
    _of_onnx: 3,
    _of_text: 3,
    _of_array: 0.15,
    _of_options: 3,
    hostile_programs.of_audit: 1.5,
    hostile_programs.of_c_array: 0.5,
    hostile_programs.of_tosa: 1,
    _of_databases: 1,
    hostile_programs.of_runner: 0.05,
    hostile_programs.of_builds: 0.1,
}
"""How jobs are made, and how often."""
SLOW = (
    _of_fields,
    _of_bytes,
    _of_array,
    hostile_programs.of_audit,
    hostile_programs.of_runner,
    hostile_programs.of_builds,
)
assert set(_QUICK_VERBS) < set(VERBS)
