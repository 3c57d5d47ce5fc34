"""Run a firmware image in unicorn; a program of its own, started as a separate process.

unicorn is licensed under GPLv2: nothing else in stillpool imports it, and this file imports nothing of stillpool.
Usage: `python unicorn_runner.py JOB.json`; the job names the image, the memory the model owns and the samples; the
answer is one JSON document on standard output, output tensors go to the files that the job names.

The firmware is run to the first call of the model's `run` function; from that very state every sample is executed up
to the function's return, so that counts hold the function alone.
"""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from elftools.elf.elffile import ELFFile
from unicorn import arm_const, riscv_const, unicorn_const
from unicorn.unicorn_py3.unicorn import Uc, UcError, uclib

STACK_PAINT = 0xA5
UINT32, UINT64 = ctypes.c_uint32, ctypes.c_uint64
SYSTEM_CONTROL = (0xE000E000, 0x1000)
"""Address and bytes of Cortex-M's system control space, where start-up code switches the FPU on."""
OUTSIDE = 0xFFFF
"""Marks code outside of the entry function, as in hooks.c."""
NO_SLOT = 0xFFFFFFFF
ENGINE = {
    "read_register": "reg_read",
    "write_register": "reg_write",
    "stop": "emu_stop",
    "add": "hook_add",
    "remove": "hook_del",
}
"""Functions of the engine that hooks.c calls, by its names for them."""
ALIGNMENT_CHECKS = 10_000_000
"""Accesses whose alignment is checked where it matters, shared out evenly among the operators; some seconds' worth."""
WIDEST_ACCESS = 16
"""Most bytes of one access."""
MISALIGNED = 2
"""Value of `violated` in hooks.c."""


class Counter(ctypes.Structure):
    """Mirror of `struct counter` in hooks.c."""

    _fields_ = (
        ("base", UINT32),
        ("halfwords", UINT32),
        ("code", ctypes.c_void_p),
        ("sites", ctypes.c_void_p),
        ("hits", ctypes.c_void_p),
        ("fallthrough", ctypes.c_void_p),
        ("sizes", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("lasts", ctypes.c_void_p),
        ("total", UINT64),
        ("riscv", UINT32),
        ("current", UINT32),
        ("previous_end", UINT32),
        ("watch", ctypes.c_void_p),
    )


class Guard(ctypes.Structure):
    """Mirror of `struct guard` in hooks.c."""

    _fields_ = (
        ("first", ctypes.c_void_p),
        ("end", ctypes.c_void_p),
        ("writable", ctypes.c_void_p),
        ("read_register", ctypes.c_void_p),
        ("write_register", ctypes.c_void_p),
        ("stop", ctypes.c_void_p),
        ("add", ctypes.c_void_p),
        ("remove", ctypes.c_void_p),
        ("unchecked", ctypes.c_void_p),
        ("watching", ctypes.c_size_t),
        ("regions", UINT32),
        ("aligned", UINT32),
        ("slot", UINT32),
        ("all_kinds", ctypes.c_int),
        ("program_counter", ctypes.c_int),
        ("program_status", ctypes.c_int),
        ("write_kind", ctypes.c_int),
        ("recent", UINT32),
        ("violated", UINT32),
        ("address", UINT32),
        ("bytes", UINT32),
        ("writes", UINT32),
        ("pc", UINT32),
    )


class Image:
    """The firmware's loadable segments and symbols."""

    def __init__(self, path: str):
        with open(path, "rb") as file:
            elf = ELFFile(file)
            self.entry = int(elf["e_entry"]) & ~1
            self.segments = [
                (int(s["p_vaddr"]), int(s["p_paddr"]), s.data()) for s in elf.iter_segments("PT_LOAD") if s["p_filesz"]
            ]
            text: Any = elf.get_section_by_name(".text")
            self.code_address, self.code = int(text["sh_addr"]), bytes(text.data())
            table: Any = elf.get_section_by_name(".symtab")
            symbols = {s.name: (int(s["st_value"]), int(s["st_size"])) for s in table.iter_symbols() if s.name}
        self.symbols = symbols

    def function(self, name: str) -> tuple[int, int]:
        """First address and end of a function (without the Thumb bit)."""
        value, size = self.symbols[name]
        return value & ~1, (value & ~1) + size


class Machine:
    """The emulated processor with its memory guard and its counters."""

    def __init__(self, job: dict[str, Any]):
        self.job = job
        self.riscv = job["isa"] == "riscv32"
        self.image = Image(job["elf"])
        self.violation: dict[str, Any] | None = None
        self.guarded = Guard()
        if self.riscv:
            self.uc = Uc(unicorn_const.UC_ARCH_RISCV, unicorn_const.UC_MODE_RISCV32)
            self.uc.ctl_set_cpu_model(getattr(riscv_const, job["model"]))
            self.sp, self.lr, self.pc = (getattr(riscv_const, f"UC_RISCV_REG_{r}") for r in ("SP", "RA", "PC"))
            self.result = riscv_const.UC_RISCV_REG_A0
        else:
            self.uc = Uc(unicorn_const.UC_ARCH_ARM, unicorn_const.UC_MODE_THUMB | unicorn_const.UC_MODE_MCLASS)
            self.uc.ctl_set_cpu_model(getattr(arm_const, job["model"]))
            self.sp, self.lr, self.pc = (getattr(arm_const, f"UC_ARM_REG_{r}") for r in ("SP", "LR", "PC"))
            self.result = arm_const.UC_ARM_REG_R0
        for start, length in job["memories"]:
            self.uc.mem_map(start, length)
        if not self.riscv:
            self.uc.mem_map(*SYSTEM_CONTROL)
        for virtual, physical, data in self.image.segments:
            self.uc.mem_write(virtual, data)
            self.uc.mem_write(physical, data)
        self.uc.reg_write(self.sp, self.image.symbols["stillpool_stack_top"][0])

    def read(self, register: int) -> int:
        """A register's value."""
        value: Any = self.uc.reg_read(register)
        return int(value)

    def execute(self, address: int, until: int) -> None:
        """Run from `address` to `until`; a violation or a processor fault ends the run early."""
        try:
            self.uc.emu_start(address if self.riscv else address | 1, until)
        except UcError as error:
            self.violation = self.violation or {"pc": self.read(self.pc), "message": str(error)}
        found = self.guarded
        if found.violated:
            self.violation = {
                "kind": ("misaligned " if found.violated == MISALIGNED else "") + ("write" if found.writes else "read"),
                "address": found.address,
                "bytes": found.bytes,
                "pc": found.pc,
            }
        if self.violation is None and self.read(self.pc) & ~1 != until:
            self.violation = {"pc": self.read(self.pc), "message": "execution left the firmware"}

    def guard(self, library: ctypes.CDLL, owned: Iterable[tuple[int, int, str]]) -> None:
        """Stop at any access outside `owned` (first address, end, "r" or "rw")."""
        self.uc.hook_add(unicorn_const.UC_HOOK_MEM_UNMAPPED, self._refuse)
        regions = sorted(owned)
        self.regions = (
            np.array([first for first, _, _ in regions], np.uint32),
            np.array([end for _, end, _ in regions], np.uint32),
            np.array([rights == "rw" for _, _, rights in regions], np.uint8),
        )
        slots = self.job["slots"]
        self.unchecked = np.full(slots, ALIGNMENT_CHECKS // slots, np.uint64)
        self.guarded = Guard(
            *(array.ctypes.data for array in self.regions),
            **{name: ctypes.cast(getattr(uclib, f"uc_{full}"), ctypes.c_void_p) for name, full in ENGINE.items()},
            unchecked=self.unchecked.ctypes.data,
            regions=len(regions),
            aligned=int(self.job["aligned"]),
            slot=NO_SLOT,
            all_kinds=unicorn_const.UC_HOOK_MEM_READ | unicorn_const.UC_HOOK_MEM_WRITE,
            program_counter=self.pc,
            program_status=0 if self.riscv else arm_const.UC_ARM_REG_XPSR,
            write_kind=unicorn_const.UC_MEM_WRITE,
        )
        reads, writes = unicorn_const.UC_HOOK_MEM_READ, unicorn_const.UC_HOOK_MEM_WRITE
        # The hooks lie where something can be wrong. They know an access by its first address alone.
        before = 0
        for first, end, rights in [*regions, (1 << 32, 1 << 32, "r")]:
            if before < first:
                self._hook(reads | writes, library.on_access, self.guarded, before, first - 1)
            if rights == "r" and first < end:
                self._hook(writes, library.on_access, self.guarded, first, end - 1)
            before = max(first, end - WIDEST_ACCESS + 1)

    def _refuse(self, uc: Any, access: int, address: int, size: int, value: int, user: Any) -> bool:
        """Unicorn's own complaint about addresses where there is no memory at all."""
        if not self.guarded.violated:
            kind = "write" if access == unicorn_const.UC_MEM_WRITE_UNMAPPED else "read"
            if access == unicorn_const.UC_MEM_FETCH_UNMAPPED:
                kind = "execution"
            self.violation = {"kind": kind, "address": address, "bytes": size, "pc": self.read(self.pc)}
        return False

    def _hook(self, kinds: int, function: Any, user: ctypes.Structure, first: int = 1, last: int = 0) -> None:
        """Install a native callback for addresses from `first` to `last`, or for all if `last` is less.

        The binding would wrap all callbacks in Python.
        """
        handle = ctypes.c_size_t()
        status = uclib.uc_hook_add(
            self.uc._uch,  # pyright: ignore[reportPrivateUsage]
            ctypes.byref(handle),
            kinds,
            ctypes.cast(function, ctypes.c_void_p),
            ctypes.byref(user),
            ctypes.c_uint64(first),
            ctypes.c_uint64(last),
        )
        if status:
            raise UcError(status)

    def count(self, library: ctypes.CDLL) -> None:
        """Attach the native block counter."""
        base, code = self.image.code_address, np.frombuffer(self.image.code, np.uint16)
        halves, slots = len(code), self.job["slots"]
        self.hits, self.fallthrough = np.zeros((slots, halves), np.uint64), np.zeros((slots, halves), np.uint64)
        self.sizes = np.zeros(halves, np.uint32)
        sites = np.full(halves, OUTSIDE, np.uint16)
        for first, end, slot in self.job["sites"]:
            sites[(first - base) // 2 : (end - base) // 2] = slot
        self.arrays = {
            "code": code,
            "sites": sites,
            "hits": self.hits,
            "fallthrough": self.fallthrough,
            "sizes": self.sizes,
            "lengths": np.zeros(halves, np.uint32),
            "lasts": np.zeros(halves, np.uint32),
        }
        addresses = {name: array.ctypes.data for name, array in self.arrays.items()}
        addresses["watch"] = ctypes.addressof(self.guarded)
        self.counter = Counter(base=base, halfwords=halves, riscv=int(self.riscv), **addresses)
        self._hook(unicorn_const.UC_HOOK_BLOCK, library.on_block, self.counter)

    def reset_counts(self) -> None:
        """Begin a new measurement."""
        self.counter.total = self.counter.current = self.counter.previous_end = 0
        self.hits[:] = 0
        self.fallthrough[:] = 0

    def blocks(self) -> list[list[int]]:
        """Executed blocks: slot, address, bytes, executions, of these entered by running on."""
        return [
            [
                int(slot),
                self.counter.base + 2 * int(at),
                int(self.sizes[at]),
                int(self.hits[slot, at]),
                int(self.fallthrough[slot, at]),
            ]
            for slot, at in zip(*np.nonzero(self.hits), strict=True)
        ]


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Execute all samples of the job."""
    machine = Machine(job)
    symbols = machine.image.symbols
    run_first, _ = machine.image.function(job["run"])
    machine.execute(machine.image.entry, run_first)
    if machine.violation:
        return {"violation": {**machine.violation, "slot": 0}, "samples": []}
    top, back = machine.read(machine.sp), machine.read(machine.lr) & ~1
    bottom = symbols["stillpool_stack_bottom"][0]
    owned = [(symbols[name][0], symbols[name][0] + size, "rw") for name, size in job["owned"]]
    owned += [
        (virtual, virtual + len(data), "r")
        for virtual, _, data in machine.image.segments
        if virtual < symbols["stillpool_ram"][0]
    ]
    owned += [
        (symbols[f"stillpool_{part}_start"][0], symbols[f"stillpool_{part}_end"][0], "rw") for part in ("data", "bss")
    ]
    # What lies above the stack pointer is the caller's: the model reads the structs there.
    owned += [(bottom, top, "rw"), (top, symbols["stillpool_stack_top"][0], "r")]
    library = ctypes.CDLL(job["hooks"])
    machine.guard(library, owned)
    machine.count(library)
    context = machine.uc.context_save()
    samples: list[dict[str, Any]] = []
    for sample in job["samples"]:
        machine.uc.context_restore(context)
        machine.uc.mem_write(bottom, bytes([STACK_PAINT]) * (top - bottom))
        for (name, offset, size), path in zip(job["inputs"], sample["inputs"], strict=True):
            content = Path(path).read_bytes()
            assert len(content) == size, f"{path}: {len(content)} bytes for an input of {size}"
            machine.uc.mem_write(symbols[name][0] + offset, content)
        machine.reset_counts()
        machine.execute(run_first, back)
        if machine.violation:
            return {"violation": {**machine.violation, "slot": machine.counter.current}, "samples": samples}
        for (name, offset, size), path in zip(job["outputs"], sample["outputs"], strict=True):
            Path(path).write_bytes(machine.uc.mem_read(symbols[name][0] + offset, size))
        stack = bytes(machine.uc.mem_read(bottom, top - bottom))
        untouched = len(stack) - len(stack.lstrip(bytes([STACK_PAINT])))
        samples.append(
            {
                "status": ctypes.c_int32(machine.read(machine.result)).value,
                "instructions": int(machine.counter.total),
                "stack_bytes": len(stack) - untouched,
            }
        )
    return {"violation": None, "samples": samples, "blocks": machine.blocks() if samples else []}


if __name__ == "__main__":
    json.dump(run(json.loads(Path(sys.argv[1]).read_text())), sys.stdout)
