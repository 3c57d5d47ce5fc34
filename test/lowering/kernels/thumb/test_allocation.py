"""Registers of kernels: which ones values are given."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from kernel_runs import RESCALINGS, allocated
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from stillpool.dialects.operations import all_of
from stillpool.dialects.simd.windows import CLIPPED, Taps
from stillpool.lowering.kernels.armv7em.dual_products import Walk, dual_bytes, dual_products
from stillpool.lowering.kernels.armv7em.instructions import asr, ldrd, mov, mvn, ssub8_sel, sub
from stillpool.lowering.kernels.armv7em.unpack_points import unpack_points
from stillpool.lowering.kernels.armv7em.windows import windows
from stillpool.lowering.kernels.thumb import KernelOp, allocate, allocation, check_registers, text
from stillpool.lowering.kernels.thumb.control import LoopOp
from stillpool.lowering.kernels.thumb.instruction import Instruction
from stillpool.lowering.kernels.thumb.memory import ldm, str_
from stillpool.lowering.kernels.thumb.registers import GENERAL, number_of


def test_kernels_that_differ_in_constants_have_the_registers_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[object, object] = {}
    monkeypatch.setattr(allocation, "_GIVEN", given)

    def made(first: int) -> str:
        places = tuple(first * n for n in range(9))
        kernel = windows.__wrapped__(Taps(places, 0), 1, RESCALINGS[0], 40, backward=False)
        return text(allocated(kernel))

    one, other = made(200), made(300)
    assert one != other
    assert len(given) == 1
    given.clear()
    assert made(300) == other


def test_kernels_of_few_registers() -> None:
    """What is read last leaves its register to a result; where there is none left, that is said."""
    for room in (2, 3):
        kernel = KernelOp("r4", writes=GENERAL[:room])
        with kernel.filled() as (pointer,):
            one, other = ldrd(pointer, by=0).loaded
            str_(pointer, sub(mvn(by=1).result, asr(sub(one, other).result, by=1).result).result, by=0)
            str_(pointer, one, by=4)
        if room == 2:
            with pytest.raises(DiagnosticException, match="Out of registers"):
                allocate(kernel)
        else:
            allocated(kernel)


def test_what_is_written_early_is_not_in_the_register_of_what_is_read_later() -> None:
    """SEL reads both words again behind SSUB8, which writes to its result."""
    kernel = KernelOp("r4")
    with kernel.filled() as (pointer,):
        one, other = ldrd(pointer, by=0).loaded
        larger = ssub8_sel(one, other).result
        str_(pointer, larger, by=0)
    assert len({number_of(value) for value in (*allocated(kernel).body.block.args, one, other, larger)}) == 4
    larger._type = one.type  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(VerifyException, match="writes to a register before it has read it"):
        check_registers(kernel)


@pytest.mark.parametrize("shares", [False, True])
def test_words_have_low_registers(shares: bool) -> None:
    """Sums, which are longest in registers, leave the low ones to loads of 16 bits."""
    for kernel in (
        dual_products(Walk(2, 1), 2, shares=shares),
        dual_bytes(Walk(2, 1), 13, RESCALINGS[0], shares=shares),
    ):
        for op in all_of(allocated(kernel), LoopOp)[-1].body.block.ops:
            assert not isinstance(op, ldm) or all(number_of(value) < 8 for value in op.results)


@pytest.mark.skipif(shutil.which("arm-none-eabi-as") is None, reason="arm-none-eabi-as is not installed")
def test_instructions_that_are_short_have_16_bits(tmp_path: Path) -> None:
    """What says that it is short is so where its registers are low, and no other instruction but MOV is."""
    window = Taps((0, 8, 200, CLIPPED, 16), 5, owners=(0, 0, 0, 0, 1), unsigned=True)
    kernels = [dual_bytes(Walk(2, 1), 13, one, shares=shares) for one in RESCALINGS for shares in (False, True)]
    kernels += [
        unpack_points((0,), (4, 5), 0, 40, unsigned=True),
        windows(window, 2, RESCALINGS[0], 9, backward=False),
    ]
    ops = [op for one in map(allocated, kernels) for op in one.body.walk() if isinstance(op, Instruction)]
    ops = [op for op in ops if not isinstance(op, mov) and all(number_of(value) >= 0 for value in op.operands)]
    program = tmp_path / "kernels.o"
    text = "\n".join([".syntax unified", *(op.assembly_line() or "" for op in ops), ""])
    command = ["arm-none-eabi-as", "-mcpu=cortex-m4", "-mfpu=fpv4-sp-d16", "-mthumb", "-o", program]
    subprocess.run(command, input=text, text=True, check=True)
    shown = subprocess.run(["arm-none-eabi-objdump", "-d", program], capture_output=True, text=True, check=True).stdout
    codes = re.findall(r"^ +[0-9a-f]+:\t([0-9a-f ]+?) *\t", shown, re.MULTILINE)
    low = [op.is_short and all(number_of(value) < 8 for value in (*op.operands, *op.results)) for op in ops]
    assert [len(code) == 4 for code in codes] == low
    assert {op.name for op, is_low in zip(ops, low, strict=True) if is_low} >= {"thumb.ldm", "thumb.ldr"}
