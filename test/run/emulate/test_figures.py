"""Figures add up, bound each other, and agree with what compilers say of the same code."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
import sweeps
from compiled import compiled
from models import public

import stillpool
from stillpool.errors import UsageError
from stillpool.machines.cpus import get_cpu
from stillpool.run.artifact import Artifact
from stillpool.run.emulate.attribution import call_lines
from stillpool.run.emulate.build import build
from stillpool.run.emulate.emulator import Emulation, emulate
from stillpool.run.samples import random_inputs

MODELS = ("ad01_int8", "kws_int8", "hello_world_int8", "resnet8_int8" if sweeps.LONG else "strww_int8")


def _emulated(artifact: Artifact, cpu: str, **options: str) -> Emulation:
    try:
        return emulate(artifact, get_cpu(cpu), random_inputs(artifact.description, 1, 0), **options)
    except UsageError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("cpu", ["cortex-m0plus", "cortex-m4", "rv32imc"])
@pytest.mark.parametrize("name", ["digits", "kws_int8"])
def test_operators_add_up(name: str, cpu: str, digits: Artifact) -> None:
    artifact = digits if name == "digits" else compiled(public(name))
    figures = _emulated(artifact, cpu).figures
    assert figures.operators is not None
    assert sum(entry.instructions for entry in figures.operators) + figures.between == figures.instructions
    # Code between the operators only passes addresses: a few dozen instructions for each call.
    assert 0 < figures.between < 400 * len(figures.operators)
    for entry in figures.operators:
        assert entry.instructions >= entry.operator.macs / 4
        assert sum(entry.stacks.values()) == entry.instructions


def test_equal_operators_cost_about_the_same(arm_compiler: str) -> None:
    """kws_int8 has four equal pairs of depthwise and pointwise convolutions, inlined or shared as compilers like."""
    figures = _emulated(compiled(public("kws_int8")), "cortex-m4", cc=arm_compiler).figures
    assert figures.operators is not None
    for op, macs in (("DEPTHWISE_CONV_2D", 72000), ("CONV_2D", 512000)):
        costs = [
            entry.instructions for entry in figures.operators if (entry.operator.op, entry.operator.macs) == (op, macs)
        ]
        assert len(costs) == 4
        assert max(costs) < 1.02 * min(costs)


def test_cycles_are_estimated_where_a_model_exists(digits: Artifact) -> None:
    m4, m7, m3 = (_emulated(digits, cpu).figures for cpu in ("cortex-m4", "cortex-m7", "cortex-m3"))
    assert m4.cycles is not None
    assert m7.cycles is not None
    assert m3.cycles is None
    assert m4.instructions < m4.cycles < 3 * m4.instructions
    assert m7.instructions / 2 < m7.cycles < m4.cycles
    assert m4.operators is not None
    assert abs(sum(entry.cycles or 0 for entry in m4.operators) - m4.cycles) < 0.01 * m4.cycles


@pytest.mark.parametrize("target", ["cortex-m4", "cortex-m0plus"])
@pytest.mark.parametrize("name", MODELS)
def test_no_run_takes_more_stack_than_the_bound(name: str, target: str, arm_compiler: str) -> None:
    figures = _emulated(compiled(public(name), target=target), target, cc=arm_compiler).figures
    assert figures.worst_case_stack is not None
    assert 0 < figures.stack_bytes <= figures.worst_case_stack < 1024


def test_frames_are_those_that_the_compiler_reports(tmp_path: Path, digits: Artifact, arm_gcc: str) -> None:
    """`-fstack-usage` names a frame for every function it compiled; the image's own must not be smaller."""
    from stillpool.run.emulate.build import FLAGS
    from stillpool.run.emulate.worst_stack import StackBound

    cpu = get_cpu("cortex-m4")
    firmware = build(digits, cpu, tmp_path, cc=arm_gcc)
    compiler = ["arm-none-eabi-gcc", *cpu.gcc_flags, "-O2", *FLAGS, "-fstack-usage", "-Iinclude", "-c"]
    subprocess.run([*compiler, "src/digits.c", "-o", "usage.o"], cwd=tmp_path, check=True)
    reported = {
        line.split("\t")[0].rpartition(":")[2]: int(line.split("\t")[1])
        for line in (tmp_path / "usage.su").read_text().splitlines()
    }
    bound = StackBound(firmware.image, firmware.instructions)
    frames = {f.name: bound.frame(f) for f in firmware.image.functions if f.name in reported}
    assert "digits_run" in frames
    assert frames == {name: reported[name] for name in frames}


def test_recursion_and_pointers_have_no_bound(tmp_path: Path, digits: Artifact, arm_gcc: str) -> None:
    from stillpool.run.emulate.build import FLAGS
    from stillpool.run.emulate.disassembly import disassemble
    from stillpool.run.emulate.image import Image
    from stillpool.run.emulate.worst_stack import StackBound

    text = """
    int leaf(int x) { volatile int a[8]; a[x & 7] = x; return a[0] + 1; }
    int outer(int x) { volatile int a[4]; a[x & 3] = x; return leaf(x) + a[1]; }
    int endless(int x) { volatile int a = x; return x ? endless(x - 1) * a + 1 : 0; }
    int through(int (*f)(int), int x) { return f(x) + 1; }
    int variable(int n) { volatile int a[n]; a[0] = n; return leaf(n) + a[0]; }
    int main(void) { return outer(1) + endless(3) + through(leaf, 2) + variable(4); }
    """
    (tmp_path / "c.c").write_text(text)
    flags = [*get_cpu("cortex-m4").gcc_flags, "-O2", *FLAGS, "-fno-inline", "-fno-ipa-cp", "-nostdlib", "-Wl,-e,main"]
    subprocess.run(["arm-none-eabi-gcc", *flags, "c.c", "-o", "c.elf"], cwd=tmp_path, check=True)
    image = Image(tmp_path / "c.elf", frozenset({"c.c"}))
    bound = StackBound(image, disassemble(image))
    assert bound.worst_case("leaf") == 32
    outer, leaf = image.by_name["outer"], bound.worst_case("leaf")
    assert leaf is not None
    assert bound.worst_case("outer") == (bound.frame(outer) or 0) + leaf
    assert [bound.worst_case(name) for name in ("endless", "through", "variable", "main")] == [None] * 4


def test_sizes_are_the_images(digits: Artifact, tmp_path: Path, arm_gcc: str) -> None:
    sizes = _emulated(digits, "cortex-m4", cc=arm_gcc).figures.sizes
    (pool,) = digits.description.pools
    assert (sizes.pools, sizes.arrays, sizes.data, sizes.bss) == (pool.bytes, 0, 0, 0)
    constants = digits.description.constants
    assert (sizes.weights, sizes.tables) == (constants.weights, constants.tables)
    assert 0 <= sizes.padding < 64
    cpu = get_cpu("cortex-m4")
    build(digits, cpu, tmp_path, cc=arm_gcc)
    compiler = ["arm-none-eabi-gcc", *cpu.gcc_flags, "-O2", "-std=c99", "-Iinclude", "-c"]
    subprocess.run([*compiler, "src/digits.c", "-o", "size.o"], cwd=tmp_path, check=True)
    listed = subprocess.run(
        ["arm-none-eabi-size", "size.o"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    assert abs(int(listed.splitlines()[1].split()[0]) - sizes.code) < 64


def test_calls_are_found_in_order() -> None:
    source = "static void f(int a) {\n}\n"
    source += "static void net(int8_t *w) {\n  f(1);\n  g(2);\n  x = w + f_1;\n  f(3);\n}\n  g(4);\n"
    assert call_lines(source, "net", ["f", "g", "f"]) == [4, 5, 7]
    assert call_lines(source, "net", ["f", "g", "g"]) == [4, 5, 0]


def test_outputs_equal_the_hosts_without_inputs_in_the_workspace(digits: Artifact) -> None:
    """Inputs and outputs that the caller owns are arrays of the firmware."""
    from models import example

    artifact = stillpool.compile(example(), workspace_io="none")
    stacked = random_inputs(artifact.description, 2, 1)
    got = _emulated_with(artifact, stacked)
    np.testing.assert_array_equal(got.outputs["scores"], digits.execute(stacked).outputs["scores"])
    assert got.figures.sizes.arrays == 64 + 10


def _emulated_with(artifact: Artifact, stacked: dict[str, np.ndarray]) -> Emulation:
    try:
        return emulate(artifact, get_cpu("cortex-m4"), stacked)
    except UsageError as error:
        pytest.skip(str(error))
