"""Arm Cortex-M4F: ARMv7E-M with DSP and single-precision FPU."""

from .cpu import Cpu

CPU = Cpu(
    name="cortex-m4",
    isa="thumb",
    instruction_sets=("armv7m", "dsp", "fpv4"),
    gcc_prefix="arm-none-eabi-",
    gcc_flags=("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"),
    zig_flags=("-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m4+vfp4d16sp"),
    unicorn_model="UC_CPU_ARM_CORTEX_M4",
    qemu_machine="mps2-an386",
    # Public models of integers in `machines.cycles`: 1.4 to 1.8.
    cycles_per_instruction=1.5,
)
