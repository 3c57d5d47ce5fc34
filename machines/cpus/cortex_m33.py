"""Arm Cortex-M33: ARMv8-M mainline with DSP and single-precision FPU."""

from .cpu import Cpu

CPU = Cpu(
    name="cortex-m33",
    isa="thumb",
    instruction_sets=("armv7m", "dsp", "fpv5"),
    gcc_prefix="arm-none-eabi-",
    gcc_flags=("-mcpu=cortex-m33", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv5-sp-d16"),
    zig_flags=("-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m33+dsp+fp_armv8d16sp"),
    unicorn_model="UC_CPU_ARM_CORTEX_M33",
    # mps2-an505 has the core, but starts in secure memory at other addresses.
    qemu_machine=None,
)
