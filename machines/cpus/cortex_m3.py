"""Arm Cortex-M3: ARMv7-M."""

from .cpu import Cpu, Tile

CPU = Cpu(
    name="cortex-m3",
    isa="thumb",
    instruction_sets=("armv7m",),
    gcc_prefix="arm-none-eabi-",
    gcc_flags=("-mcpu=cortex-m3", "-mthumb"),
    zig_flags=("-target", "thumb-freestanding-eabi", "-mcpu=cortex_m3"),
    unicorn_model="UC_CPU_ARM_CORTEX_M3",
    qemu_machine="mps2-an385",
    tile=Tile(channels=4, pixels=2, unroll=4),
)
