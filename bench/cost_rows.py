"""Functions of operators with what they cost on an emulated processor, for `schedule_costs.py`.

What was measured is kept in a folder with the text of the functions, so that how operations are counted can change
without measuring again; what the C and the compiler are the same of is not run again.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from stillpool.dialects.func_keys import NO_INLINE
from stillpool.driver.compile.prepare import prepare
from stillpool.driver.options.options import Options
from stillpool.driver.pipeline import context
from stillpool.lowering.emit_c import func_ops, hints
from stillpool.lowering.schedule import schedule_pass
from stillpool.lowering.schedule.variants import Variant
from stillpool.machines.cpus import Cpu
from stillpool.run.artifact import Artifact
from stillpool.run.emulate.attribution import entry_functions
from stillpool.run.emulate.build import Firmware, build
from stillpool.run.emulate.figures import measure
from stillpool.run.emulate.qemu_session import QEMU
from stillpool.run.emulate.session import raw_inputs
from stillpool.run.emulate.toolchain import find_toolchain
from stillpool.run.emulate.unicorn_session import run_unicorn
from stillpool.run.samples import Array, random_inputs
from stillpool.transforms.tasks.choose import choose_forms
from stillpool.transforms.usmp.analysis.structure import entries, functions

WAYS = ("speed", "balanced", "size")
"""Goals of `--optimize`."""
PLAIN = "plain"
"""Without schedules."""
VARIANTS = {"compact": Variant.COMPACT, "fast": Variant.FAST, "winograd": Variant.WINOGRAD}
"""One form for all tasks, without what was measured by `tune`."""


@dataclass(frozen=True)
class Row:
    """A function as it is run and measured."""

    function: str
    """Its text, at level `memref` once memory is planned."""
    calls: int
    instructions: int
    """Sum over all calls."""
    code: int
    """Bytes; 0 where the compiler put it into another one."""


@dataclass(frozen=True)
class Measured:
    """One way to compile a model."""

    model: str
    way: str
    key: str
    """Key of what was run."""
    instructions: int
    """Instructions of the whole run."""
    between: int
    """Instructions of these outside of all operators."""
    code: int
    """Bytes of all functions of the model."""
    rows: list[Row] = field(default_factory=lambda: [])


@contextmanager
def kept_apart() -> Iterator[None]:
    """Let no function that has memrefs be put into its caller."""

    def specifiers(op: Operation) -> tuple[str, ...]:
        types = op.function_type.inputs if isinstance(op, func.FuncOp) else ()
        if any(isinstance(type, MemRefType) for type in types):
            NO_INLINE.put(op.attributes, True)
        return specified(op)

    specified = hints.specifiers
    hints.specifiers = func_ops.specifiers = specifiers
    try:
        yield
    finally:
        hints.specifiers = func_ops.specifiers = specified


def prepared(path: Path, cpu: Cpu, way: str) -> tuple[Artifact, ModuleOp]:
    """A model compiled one way, and its functions once memory is planned."""
    if way == PLAIN:
        options = Options()
    else:
        options = Options(target=cpu.name, optimize=way if way in WAYS else "speed")
    with only(VARIANTS.get(way)):
        compilation = prepare(path, **options).decided
        signature, module = compilation.planned()
        kept = module.clone()
        return Artifact.of(compilation.finish(signature, module)), kept


@contextmanager
def only(variant: Variant | None) -> Iterator[None]:
    """Let all tasks have one form; those that there are without one."""
    if variant is None:
        yield
        return
    chosen, known = choose_forms.variants, schedule_pass.known_schedules
    choose_forms.variants = lambda cpu, *, winograd=False: (variant,)
    choose_forms.known_schedules = schedule_pass.known_schedules = lambda *_, **__: None
    try:
        yield
    finally:
        choose_forms.variants = chosen
        choose_forms.known_schedules = schedule_pass.known_schedules = known


def measured(path: Path, cpu: Cpu, way: str, cc: str | None, folder: Path) -> Measured:
    """A model, one way: from the folder where what would run is the same, else measured and written there."""
    with nullcontext() if way in WAYS and cpu.unicorn_model else kept_apart():
        artifact, module = prepared(path, cpu, way)
        key = _key(artifact, cpu, cc)
        kept = folder / cpu.name / f"{path.stem}.{way}.json"
        if kept.exists() and (known := json.loads(kept.read_text(encoding="utf-8")))["key"] == key:
            return Measured(**{**known, "rows": [Row(**row) for row in known["rows"]]})
        found = _measured(path.stem, artifact, module, cpu, way, key, cc)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(asdict(found)), encoding="utf-8")
    return found


def read(folder: Path, cpu: Cpu) -> list[Measured]:
    """Everything that was measured on a processor."""
    found: list[Measured] = []
    for path in sorted((folder / cpu.name).glob("*.json")):
        known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        found.append(Measured(**{**known, "rows": [Row(**row) for row in known["rows"]]}))
    return found


def parsed(row: Row) -> func.FuncOp:
    """The function of a row."""
    module = Parser(context(), row.function).parse_module()
    return next(op for op in module.walk() if isinstance(op, func.FuncOp))


def _key(artifact: Artifact, cpu: Cpu, cc: str | None) -> str:
    texts = [
        find_toolchain(cpu, cc).version.encode(),
        *(artifact.program_code[name] for name in sorted(artifact.program_code)),
    ]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()


def _measured(
    model: str, artifact: Artifact, module: ModuleOp, cpu: Cpu, way: str, key: str, cc: str | None
) -> Measured:
    calls, table = calls_of(module), functions(module)
    stacked = random_inputs(artifact.description, 1, 0)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        firmware = build(artifact, cpu, root, cc=cc)
        if cpu.unicorn_model is None:
            total, by_function = traced(firmware, stacked, root, list(calls))
        else:
            figures = measure(
                firmware, artifact, run_unicorn(firmware, artifact.network_source, stacked, root), "unicorn"
            )
            total, by_function = figures.instructions, dict.fromkeys(calls, 0)
            for one, function in zip(figures.operators or (), called(module), strict=True):
                by_function[function] += one.instructions
        # GCC adds what it did to a function, as in `conv2d_0.constprop.0`.
        sizes = {name.partition(".")[0]: symbol.bytes for name, symbol in firmware.image.by_name.items()}
    rows = [
        Row(str(table[name]), calls[name], by_function[name], sizes.get(name, 0)) for name in calls if by_function[name]
    ]
    return Measured(model, way, key, total, total - sum(by_function.values()), sum(row.code for row in rows), rows)


def called(module: ModuleOp) -> list[str]:
    """The functions that entry functions call, in order."""
    table = functions(module)
    names = [
        op.callee.string_value() for entry in entries(module) for op in entry.walk() if isinstance(op, func.CallOp)
    ]
    return [name for name in names if name in table and table[name].body.blocks]


def calls_of(module: ModuleOp) -> dict[str, int]:
    """How often they call each."""
    names = called(module)
    return {name: names.count(name) for name in names}


_TRACE = re.compile(rb"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/")


def traced(
    firmware: Firmware, stacked: Mapping[str, Array], root: Path, names: list[str]
) -> tuple[int, dict[str, int]]:
    """Instructions of a run in QEMU, in all and by function: every one is written down as it runs, and read here."""
    run, network = entry_functions(firmware.interface)
    symbols = {name.partition(".")[0]: symbol for name, symbol in firmware.image.by_name.items()}
    starts = {symbols[name].address & ~1: name for name in names if name in symbols}
    glue = [
        range(symbol.address & ~1, (symbol.address & ~1) + symbol.bytes)
        for symbol in (symbols.get(run), symbols.get(network))
        if symbol is not None
    ]
    places = {address for each in glue for address in each}
    model = firmware.interface.model
    (root / "samples.bin").write_bytes(b"\1" + b"".join(raw_inputs(model, stacked, 0)))
    command = [QEMU, "-M", firmware.cpu.qemu_machine or "", "-display", "none", "-monitor", "none", "-serial", "none"]
    command += ["-icount", "shift=0,sleep=off,align=off", "-semihosting-config", "enable=on,target=native"]
    command += ["-singlestep", "-d", "exec,nochain", "-D", "/dev/stdout", "-kernel", str(firmware.path)]
    found, current = dict.fromkeys([*names, ""], 0), None
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None, "it is piped"
        for line in process.stdout:
            if (match := _TRACE.match(line)) is None:
                continue
            place = int(match[1], 16)
            if place in starts:
                current = starts[place]
            elif place in places:
                current = ""
            elif current == "" and not any(place in each for each in glue):
                # What the run returned to; helpers that glue calls itself are few.
                current = None
            if current is not None:
                found[current] += 1
    return sum(found.values()), {name: found[name] for name in names}
