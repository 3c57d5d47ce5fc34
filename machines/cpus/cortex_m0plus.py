"""Arm Cortex-M0+: ARMv6-M, no DSP, no FPU, aligned accesses only."""

from .cpu import Cpu, Tile

CPU = Cpu(
    name="cortex-m0plus",
    isa="thumb",
    instruction_sets=("armv6m",),
    gcc_prefix="arm-none-eabi-",
    gcc_flags=("-mcpu=cortex-m0plus", "-mthumb"),
    zig_flags=("-target", "thumb-freestanding-eabi", "-mcpu=cortex_m0plus"),
    unicorn_model="UC_CPU_ARM_CORTEX_M0",
    qemu_machine="mps2-an385",
    # Eight registers hold four sums.
    tile=Tile(channels=4, pixels=1, unroll=2),
)
