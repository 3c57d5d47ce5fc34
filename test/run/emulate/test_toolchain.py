"""Which compiler is taken: a GNU compiler without a C library, as distributions pack it, links nothing."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import numpy as np
import pytest
from tflite_build import Tensor, constant, one_operator, options

import stillpool
from stillpool.errors import UsageError
from stillpool.machines.cpus import cpu_names, get_cpu
from stillpool.run.emulate.build import build
from stillpool.run.emulate.figures import measured_sizes
from stillpool.run.emulate.linker_script import extents
from stillpool.run.emulate.qemu_session import run_qemu
from stillpool.run.emulate.toolchain import find_toolchain, reason

CPU = get_cpu("cortex-m4")


@pytest.fixture
def bare_gcc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A compiler that answers, as GNU compilers do, with the name alone of what it does not find."""
    program = tmp_path / "arm-none-eabi-gcc"
    program.write_text("#!/bin/sh\necho libm.a\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return str(program)


def test_zig_stands_in_for_it(bare_gcc: str) -> None:
    pytest.importorskip("ziglang")
    assert find_toolchain(CPU).name == "zig"


@pytest.mark.parametrize("asked", ["gcc", "path"])
def test_it_is_refused_by_name(asked: str, bare_gcc: str) -> None:
    with pytest.raises(UsageError, match="arm-none-eabi-gcc has no C library for cortex-m4") as refused:
        find_toolchain(CPU, "gcc" if asked == "gcc" else bare_gcc)
    assert "libnewlib-arm-none-eabi" in str(refused.value.remedy)


def test_without_zig_the_library_is_what_is_missing(bare_gcc: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="has no C library"):
        find_toolchain(CPU)


@pytest.mark.parametrize("compiler", ["gcc", "zig"])
@pytest.mark.parametrize("name", [name for name in cpu_names() if get_cpu(name).isa == "thumb"])
def test_compilers_know_what_the_processor_has(name: str, compiler: str) -> None:
    """The emitted C asks the preprocessor for it: without an answer it would be right, and slow."""
    cpu = get_cpu(name)
    try:
        toolchain = find_toolchain(cpu, compiler)
    except UsageError as error:
        pytest.skip(str(error))
    command = [*toolchain.command, "-dM", "-E", "-x", "c", "-"]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=True)
    macros = {line.split()[1] for line in done.stdout.splitlines()}
    features = {"__ARM_FEATURE_SIMD32": cpu.dsp, "__ARM_FEATURE_MVE": cpu.vector, "__ARM_FP": cpu.fpu}
    assert {macro: macro in macros for macro in features} == features


def test_functions_that_zig_does_not_bring_are_named(tmp_path: Path) -> None:
    pytest.importorskip("ziglang")
    source, script = tmp_path / "main.c", tmp_path / "all.ld"
    source.write_text(
        "#include <math.h>\nvolatile float x;\nvoid stillpool_start(void) { x = tanhf(x) + roundf(x); }\n"
    )
    script.write_text("SECTIONS { . = 0x8000; .text : { *(.text*) } .data : { *(.data*) *(.bss*) } }\n")
    with pytest.raises(UsageError, match="zig brings no tanhf, which the code calls") as refused:
        find_toolchain(CPU, "zig").compile([source], tmp_path / "a.elf", ["-O2"], script)
    assert "--cc gcc" in str(refused.value.remedy)


def large(rows: int) -> bytes:
    """A model with 1,280 times as many bytes of weights."""
    weights = constant(np.ones((rows, 1280), np.int8), (0.01,))
    data, output = Tensor((1, 1280), "int8", (0.5,), (0,)), Tensor((1, rows), "int8", (0.5,), (0,))
    return one_operator("FULLY_CONNECTED", options("FullyConnected"), [data, weights, None], output)


@pytest.mark.extra("emulate")
@pytest.mark.parametrize("target", ["cortex-m4", "cortex-m55"])
def test_memories_grow_with_the_model(target: str, tmp_path: Path) -> None:
    path = tmp_path / "large.tflite"
    path.write_bytes(large(3600))
    artifact = stillpool.compile(path, target=target, weights="incbin")
    firmware = build(artifact, get_cpu(target), tmp_path, cc="zig")
    assert measured_sizes(firmware).weights == 3600 * 1280
    needed = extents(firmware.cpu, firmware.image.sections)
    if target == "cortex-m4":
        assert needed[0][1] > CPU.memories[0].length
        with pytest.raises(UsageError, match=r"has 4,194,304 bytes of flash, the firmware takes 4,\d{3},\d{3}"):
            run_qemu(firmware, artifact.network_source, {}, tmp_path)
    else:
        assert needed == [(memory.origin, memory.length) for memory in firmware.cpu.memories]


def test_the_reason_of_the_linker_is_said() -> None:
    """And not that there was one: what the compiler says of it comes last."""
    said = (
        "/usr/lib/gcc/arm-none-eabi/12.2.1/../../../arm-none-eabi/bin/ld: firmware.elf section `.rodata' will not fit "
        "in region `FLASH'\n/usr/bin/arm-none-eabi-ld: region `FLASH' overflowed by 20 bytes\n"
        "collect2: error: ld returned 1 exit status\n"
    )
    assert reason(said) == (
        "firmware.elf section `.rodata' will not fit in region `FLASH' | region `FLASH' overflowed by 20 bytes"
    )
    assert reason("a.c:1:2: warning: x\na.c:3:4: error: y\n") == "a.c:3:4: error: y"
    assert (
        reason("ld: a.o: in function `main':\na.c:3: undefined reference to `f'\n")
        == "a.c:3: undefined reference to `f'"
    )
    assert reason("ld.lld: error: undefined symbol: f\n>>> referenced by a.c\n") == "error: undefined symbol: f"
    assert reason("collect2: error: ld returned 1 exit status\n") == "collect2: error: ld returned 1 exit status"
