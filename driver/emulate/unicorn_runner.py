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

from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from unicorn import arm_const, riscv_const, unicorn_const
from unicorn.unicorn_py3.unicorn import Uc, UcError, uclib

STACK_PAINT = 0xA5
UINT8, UINT32, UINT64 = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64
WRITES = (unicorn_const.UC_MEM_WRITE, unicorn_const.UC_MEM_WRITE_UNMAPPED, unicorn_const.UC_MEM_WRITE_PROT)
SYSTEM_CONTROL = (0xE000E000, 0x1000)
"""Address and bytes of Cortex-M's system control space, where start-up code switches the FPU on."""
LONGEST_ACCESS = 8
"""Bytes of the widest single memory access of the supported processors."""


class Counter(ctypes.Structure):
    """Mirror of `struct counter` in block_counter.c."""

    _fields_ = (
        ("base", UINT32),
        ("halfwords", UINT32),
        ("code", ctypes.c_void_p),
        ("riscv", UINT32),
        ("glue_first", UINT32),
        ("glue_end", UINT32),
        ("entry", ctypes.c_void_p),
        ("total", UINT64),
        ("calls", ctypes.c_void_p),
        ("slots", UINT32),
        ("next_call", UINT32),
        ("current", UINT32),
        ("hits", ctypes.c_void_p),
        ("fallthrough", ctypes.c_void_p),
        ("sizes", ctypes.c_void_p),
        ("lengths", ctypes.c_void_p),
        ("previous_end", UINT32),
    )


class Image:
    """The firmware's loadable segments and symbols."""

    def __init__(self, path: str):
        with open(path, "rb") as file:
            elf = ELFFile(file)
            self.entry = int(elf["e_entry"]) & ~1
            self.segments = [
                (int(s["p_vaddr"]), int(s["p_paddr"]), s.data(), bool(s["p_flags"] & P_FLAGS.PF_X))
                for s in elf.iter_segments("PT_LOAD")
            ]
            table: Any = elf.get_section_by_name(".symtab")
            symbols = {s.name: (int(s["st_value"]), int(s["st_size"])) for s in table.iter_symbols() if s.name}
        self.symbols = symbols

    def function(self, name: str) -> tuple[int, int]:
        """First address and end of a function (without the Thumb bit)."""
        value, size = self.symbols[name]
        return value & ~1, (value & ~1) + size

    def code(self) -> tuple[int, bytearray]:
        """Address and bytes of everything executable."""
        executable = [(virtual, data) for virtual, _, data, runs in self.segments if runs]
        base = min(virtual for virtual, _ in executable)
        code = bytearray(max(virtual + len(data) for virtual, data in executable) - base + 2)
        for virtual, data in executable:
            code[virtual - base : virtual - base + len(data)] = data
        return base, code


class Machine:
    """The emulated processor with its memory guard and its counters."""

    def __init__(self, job: dict[str, Any]):
        self.job = job
        self.riscv = job["isa"] == "riscv32"
        self.image = Image(job["elf"])
        self.violation: dict[str, Any] | None = None
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
        for virtual, physical, data, _ in self.image.segments:
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
            self.violation = self.violation or {"kind": "fault", "pc": self.read(self.pc), "message": str(error)}
        if self.violation is None and self.read(self.pc) & ~1 != until:
            self.violation = {"kind": "fault", "pc": self.read(self.pc), "message": "execution left the firmware"}

    def guard(self, owned: Iterable[tuple[int, int, str]]) -> None:
        """Stop at any access outside `owned` (first address, end, "r" or "rw")."""
        owned = sorted(owned)
        self.uc.hook_add(unicorn_const.UC_HOOK_MEM_UNMAPPED, self._refuse)
        for kind, hook in (("r", unicorn_const.UC_HOOK_MEM_READ), ("w", unicorn_const.UC_HOOK_MEM_WRITE)):
            allowed = [(first, end) for first, end, rights in owned if kind in rights]
            for start, length in self.job["memories"]:
                at = start
                for first, end in [*(a for a in allowed if start <= a[0] < start + length), (start + length, 0)]:
                    if first > at:
                        self._guard_gap(hook, at, first)
                    at = max(at, end)

    def _refuse(self, uc: Any, access: int, address: int, size: int, value: int, user: Any) -> bool:
        if self.violation is None:
            kind = "write" if access in WRITES else "read"
            self.violation = {"kind": kind, "address": address, "bytes": size, "pc": self.read(self.pc)}
        uc.emu_stop()
        return False

    def _guard_gap(self, hook: int, first: int, end: int) -> None:
        def straddling(uc: Any, access: int, address: int, size: int, value: int, user: Any) -> bool:
            return address + size <= first or self._refuse(uc, access, address, size, value, user)

        self.uc.hook_add(hook, self._refuse, begin=first, end=end - 1)
        if any(first == start for start, _ in self.job["memories"]):
            return
        # A range hook looks at an access's first byte only.
        self.uc.hook_add(hook, straddling, begin=max(0, first - LONGEST_ACCESS + 1), end=first - 1)

    def count(self, library: str) -> None:
        """Attach the native block counter."""
        base, code = self.image.code()
        halves, operators = len(code) // 2, self.job["operators"]
        self.slots = len(operators) + 1
        glue_first, glue_end = self.image.function(self.job["run"])
        self.arrays = {
            "code": (ctypes.c_char * len(code)).from_buffer(code),
            "entry": (UINT8 * halves)(),
            "calls": (UINT64 * self.slots)(),
            "hits": (UINT64 * halves)(),
            "fallthrough": (UINT64 * halves)(),
            "sizes": (UINT32 * halves)(),
            "lengths": (UINT32 * halves)(),
        }
        for name in operators:
            self.arrays["entry"][(self.image.function(name)[0] - base) // 2] = 1
        self.counter = Counter(
            base=base,
            halfwords=halves,
            riscv=int(self.riscv),
            glue_first=glue_first,
            glue_end=glue_end,
            slots=self.slots,
            **{name: ctypes.addressof(array) for name, array in self.arrays.items()},
        )
        callback = ctypes.cast(ctypes.CDLL(library).on_block, ctypes.c_void_p)
        handle = ctypes.c_size_t()
        # The binding wraps callbacks in Python; the native one goes straight to the C interface.
        status = uclib.uc_hook_add(
            self.uc._uch,  # pyright: ignore[reportPrivateUsage]
            ctypes.byref(handle),
            unicorn_const.UC_HOOK_BLOCK,
            callback,
            ctypes.byref(self.counter),
            ctypes.c_uint64(1),
            ctypes.c_uint64(0),
        )
        if status:
            raise UcError(status)

    def reset_counts(self) -> None:
        """Begin a new measurement."""
        self.counter.total = self.counter.next_call = self.counter.current = self.counter.previous_end = 0
        for name in ("calls", "hits", "fallthrough"):
            ctypes.memset(self.arrays[name], 0, ctypes.sizeof(self.arrays[name]))

    def blocks(self) -> list[list[int]]:
        """Executed blocks: address, bytes, executions, of these entered by running on."""
        hits = self.arrays["hits"]
        base = self.counter.base
        return [
            [base + 2 * i, self.arrays["sizes"][i], hits[i], self.arrays["fallthrough"][i]]
            for i in range(self.counter.halfwords)
            if hits[i]
        ]


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Execute all samples of the job."""
    machine = Machine(job)
    symbols = machine.image.symbols
    run_first, _ = machine.image.function(job["run"])
    machine.execute(machine.image.entry, run_first)
    if machine.violation:
        return {"violation": machine.violation, "samples": []}
    top, back = machine.read(machine.sp), machine.read(machine.lr) & ~1
    bottom = symbols["stillpool_stack_bottom"][0]
    owned = [
        (symbols[name][0] + offset, symbols[name][0] + offset + size, rights)
        for name, offset, size, rights in job["owned"]
    ]
    owned += [
        (virtual, virtual + len(data), "r")
        for virtual, _, data, _ in machine.image.segments
        if virtual < symbols["stillpool_ram"][0]
    ]
    owned.append((bottom, symbols["stillpool_stack_top"][0], "rw"))
    machine.guard(owned)
    machine.count(job["counter"])
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
            return {"violation": {**machine.violation, "call": machine.counter.current}, "samples": samples}
        for (name, offset, size), path in zip(job["outputs"], sample["outputs"], strict=True):
            Path(path).write_bytes(machine.uc.mem_read(symbols[name][0] + offset, size))
        stack = bytes(machine.uc.mem_read(bottom, top - bottom))
        untouched = len(stack) - len(stack.lstrip(bytes([STACK_PAINT])))
        samples.append(
            {
                "status": ctypes.c_int32(machine.read(machine.result)).value,
                "instructions": int(machine.counter.total),
                "calls": list(machine.arrays["calls"]),
                "stack_bytes": len(stack) - untouched,
            }
        )
    return {"violation": None, "samples": samples, "blocks": machine.blocks() if samples else []}


if __name__ == "__main__":
    json.dump(run(json.loads(Path(sys.argv[1]).read_text())), sys.stdout)
