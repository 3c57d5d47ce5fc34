"""Arm Cortex-M7: ARMv7E-M with DSP and single-precision FPU, dual issue."""

from .cpu import Cpu

CPU = Cpu(
    name="cortex-m7",
    isa="thumb",
    instruction_sets=("armv7m", "dsp", "fpv5"),
    gcc_prefix="arm-none-eabi-",
    gcc_flags=("-mcpu=cortex-m7", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"),
    zig_flags=("-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m7+fp_armv8d16sp"),
    unicorn_model="UC_CPU_ARM_CORTEX_M7",
    qemu_machine="mps2-an500",
    # Public models of integers in `machines.cycles`: 0.9 to 1.2.
    cycles_per_instruction=1.0,
)
