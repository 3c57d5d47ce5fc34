"""RISC-V's vector extension for stillpool: an instruction set, two kernels, and a processor that has it."""

from dataclasses import replace
from importlib.resources import files

from stillpool.lowering.kernels import InstructionSet, Kernel
from stillpool.machines.cpus import get_cpu


def _text(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _of_dot(k: int) -> float:
    return 6 + 10 * -(-k // 32)


def _of_window(c: int, ky: int, kx: int) -> float:
    return -(-c // 16) * (9 + ky * (4 + 9 * kx))


DOT = Kernel("dot", _text("dot.mlir"), _text("dot.c"), _of_dot)
WINDOW = Kernel("window", _text("window.mlir"), _text("window.c"), _of_window)
RVV = InstructionSet("defined(__riscv_vector)", (DOT, WINDOW), "#include <riscv_vector.h>")
CPU = replace(get_cpu("rv32imc"), name="acme-rv32imcv", instruction_sets=("rv32imc", "rvv"))
