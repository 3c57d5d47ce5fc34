"""Arm Cortex-M55: ARMv8.1-M with the vector extension; runs in QEMU, since unicorn has no MVE."""

from .cpu import Cpu

CPU = Cpu(
    name="cortex-m55",
    isa="thumb",
    gcc_prefix="arm-none-eabi-",
    gcc_flags=("-mcpu=cortex-m55", "-mthumb", "-mfloat-abi=hard"),
    zig_flags=("-target", "thumb-freestanding-eabihf", "-mcpu=cortex_m55"),
    unicorn_model=None,
    qemu_machine="mps3-an547",
    dsp=True,
    fpu=True,
    vector=True,
)
