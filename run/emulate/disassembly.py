"""The instructions of a firmware image, decoded by capstone, of the extra `emulate`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...machines.instruction import Instruction
from .image import Image

_CALLS = ("bl", "blx", "jal", "jalr", "c.jal", "c.jalr")


def disassemble(image: Image) -> dict[int, Instruction]:
    """The instructions of `.text` by address, in order; what capstone does not know is left out."""
    capstone: Any = import_module("capstone")
    if image.is_riscv:
        decoder: Any = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC)
    else:
        decoder = capstone.Cs(capstone.CS_ARCH_ARM, capstone.CS_MODE_THUMB | capstone.CS_MODE_MCLASS)
    decoder.detail = True
    groups = (capstone.CS_GRP_JUMP, capstone.CS_GRP_CALL)
    result: dict[int, Instruction] = {}
    before: Instruction | None = None
    # What does not branch is the same everywhere; compilers write the same few thousand instructions again and again.
    known: dict[bytes, Instruction] = {}
    position = 0
    while position + 2 <= len(image.code):
        address = image.code_address + position
        if not image.is_code(address):
            position += 2
            continue
        size = _length(image, position)
        code = image.code[position : position + size]
        if code in known:
            result[address] = before = known[code].at(address)
            position += size
            continue
        found: Any = next(decoder.disasm(code, address, 1), None)
        if found is not None and found.size == size:
            before = _riscv(found, before) if image.is_riscv else _thumb(found, groups)
            result[address] = before
            if not before.leaves:
                known[code] = before
        position += size
    return result


def _length(image: Image, position: int) -> int:
    """Bytes of an instruction, from its first halfword alone (Arm ARM A5.1, RISC-V unprivileged ISA 1.5)."""
    halfword = int.from_bytes(image.code[position : position + 2], "little")
    wide = (halfword & 3) == 3 if image.is_riscv else halfword >> 11 >= 0x1D
    return 4 if wide else 2


def _thumb(found: Any, groups: tuple[int, ...]) -> Instruction:
    name = found.mnemonic.removesuffix(".w")
    reads, writes = ({found.reg_name(r) for r in registers} for registers in found.regs_access())
    branch = any(found.group(group) for group in groups) or "pc" in writes
    leaves = branch or name in ("cbz", "cbnz", "tbb", "tbh")
    target = int(found.op_str.rpartition("#")[2], 16) if leaves and "#0x" in found.op_str and "[" not in name else None
    if name.startswith(("ldr", "pop", "ldm", "tb")):
        target = None
    calls = name in _CALLS
    returns = (name.startswith("bx") and found.op_str == "lr") or name.startswith(("pop", "ldm", "ldr"))
    # Calls and tail calls through pointers are blx and bx: what moves a register into the program counter is a table of
    # branches within the function, as tbb and tbh are.
    table = name in ("tbb", "tbh") or (name in ("mov", "add") and found.op_str.startswith("pc,"))
    indirect = leaves and target is None and not returns and not table
    return Instruction(
        found.address,
        found.size,
        name,
        found.op_str,
        frozenset(reads),
        frozenset(writes),
        target,
        leaves,
        calls,
        indirect,
    )


def _riscv(found: Any, before: Instruction | None) -> Instruction:
    name = found.mnemonic
    jumps = name.removeprefix("c.")
    branches = ("beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez", "blez", "bgez", "bltz", "bgtz")
    leaves = jumps in ("j", "jal", "jr", "jalr", "ret", *branches)
    target = None
    if leaves and jumps not in ("jr", "jalr", "ret"):
        target = found.address + int(found.op_str.rpartition(",")[2].strip(), 0)
    elif before is not None and before.mnemonic == "auipc" and jumps in ("jr", "jalr"):
        # A far call: auipc puts the upper part of the distance into the register that jalr adds the rest to.
        register, _, upper = before.operands.partition(", ")
        parts = [part.strip() for part in found.op_str.split(",")]
        if register in parts[:2]:
            low = int(parts[-1], 0) if len(parts) == 3 else 0
            target = (before.address + (int(upper, 0) << 12) + low) & 0xFFFFFFFF
    calls = (jumps == "jal" and not found.op_str.startswith("zero")) or jumps == "jalr"
    indirect = jumps in ("jr", "jalr") and target is None and found.op_str.strip() != "ra"
    return Instruction(
        found.address, found.size, name, found.op_str, frozenset(), frozenset(), target, leaves, calls, indirect
    )
