"""Arm Cortex-M55: ARMv8.1-M with the vector extension; runs in QEMU, since unicorn has no MVE."""

from .cpu import Cpu, Memory

CPU = Cpu(
    name="cortex-m55",
    isa="thumb",
    instruction_sets=("armv7m", "dsp", "fpv5", "mve"),
    gcc_prefix="arm-none-eabi-",
    gcc_flags=("-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard"),
    zig_flags=("-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m55+mve_fp"),
    unicorn_model=None,
    qemu_machine="mps3-an547",
    memories=(
        Memory("itcm", "flash", 0x0000_0000, 0x0008_0000),
        Memory("code_sram", "flash", 0x0100_0000, 0x0020_0000),
        Memory("sram", "ram", 0x2100_0000, 0x0020_0000),
        Memory("ddr_constants", "flash", 0x7000_0000, 0x0800_0000),
        Memory("ddr", "ram", 0x7800_0000, 0x0800_0000),
    ),
)
