"""RISC-V RV32IMC: integer multiply, compressed instructions, no FPU."""

from .cpu import Cpu, Tile

CPU = Cpu(
    name="rv32imc",
    isa="riscv32",
    instruction_sets=("rv32imc",),
    gcc_prefix="riscv64-unknown-elf-",
    gcc_flags=("-march=rv32imc", "-mabi=ilp32"),
    zig_flags=("-target", "riscv32-freestanding", "-mcpu=generic_rv32+m+c"),
    unicorn_model="UC_CPU_RISCV32_ANY",
    qemu_machine=None,
    tile=Tile(channels=4, pixels=2, unroll=1),
)
