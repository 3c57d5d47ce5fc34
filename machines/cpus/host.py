"""The machine that compiles: x86-64, AArch64 or whatever else has a C compiler that finds vectors in loops."""

from .cpu import Cpu

CPU = Cpu(
    name="host",
    isa="host",
    instruction_sets=("host",),
    gcc_prefix="",
    gcc_flags=(),
    zig_flags=(),
    unicorn_model=None,
    qemu_machine=None,
)
