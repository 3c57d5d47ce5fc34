"""The linker script of an emulated firmware: code in flash; data, stack, and every buffer the model owns in RAM.

Owned buffers stand apart from each other and from everything else, so that an access beyond one cannot land in the
next unnoticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...machines.cpus import Cpu
from ...machines.cpus.cpu import Memory

GUARD_BYTES = 1024
"""Unowned bytes behind every owned buffer."""
STACK_BYTES = 32768
"""Stack of the firmware; the emulator reports how much of it the model used."""


_STEP = 0x1_0000
"""By which memories are extended."""
CODE_BYTES = 0x0010_0000
"""Room for code where memories are chosen."""


def linker_script(cpu: Cpu, owned_sections: Sequence[str], *, constants: int, owned: int) -> str:
    """The script for `cpu`, with one input section for each owned buffer.

    The first flash holds the vector table. Code, constants and RAM each lie in the first memory that is large enough.

    Args:
        cpu: the processor.
        owned_sections: names of the sections of buffers.
        constants: bytes of constants.
        owned: bytes of buffers.
    """
    flash, first = _memory(cpu, "flash", CODE_BYTES), next(m for m in cpu.memories if m.kind == "flash")
    room = STACK_BYTES + owned + (GUARD_BYTES + 64) * (len(owned_sections) + 4)
    regions = {"VECTORS": first, "FLASH": flash, "CONSTANTS": _memory(cpu, "flash", CODE_BYTES + constants)}
    regions["RAM"] = _memory(cpu, "ram", room)
    if flash is first:
        del regions["VECTORS"]
    if regions["CONSTANTS"] is flash:
        del regions["CONSTANTS"]
    vectors, rodata = (name if name in regions else "FLASH" for name in ("VECTORS", "CONSTANTS"))
    memory = "\n".join(
        f"  {name} ({'rwx' if name == 'RAM' else 'rx'}) : ORIGIN = {m.origin:#x}, LENGTH = {max(m.length, m.most):#x}"
        for name, m in regions.items()
    )
    apart = "".join(f"    . = ALIGN(64); KEEP(*({section})) . = . + {GUARD_BYTES};\n" for section in owned_sections)
    return f"""MEMORY {{
{memory}
}}
ENTRY(stillpool_start)
SECTIONS {{
  .vectors : {{ KEEP(*(.vectors)) }} > {vectors}
  .text : {{ *(.text .text.*) . = ALIGN(4); }} > FLASH
  .rodata : {{ *(.rodata .rodata.* .srodata .srodata.*) . = ALIGN(4); }} > {rodata}
  .ARM.exidx : {{ *(.ARM.exidx .ARM.exidx.* .ARM.extab .ARM.extab.*) }} > FLASH
  .eh_frame : {{ *(.eh_frame) }} > FLASH
  stillpool_data_load = LOADADDR(.data);
  stillpool_ram = ORIGIN(RAM);
  .data : {{
    . = ALIGN(4); stillpool_data_start = .; *(.data .data.* .sdata .sdata.*) . = ALIGN(4); stillpool_data_end = .;
  }} > RAM AT > FLASH
  .stillpool_owned (NOLOAD) : {{
    . = . + {GUARD_BYTES};
{apart}  }} > RAM
  .bss (NOLOAD) : {{
    . = ALIGN(4); stillpool_bss_start = .; *(.bss .bss.* .sbss .sbss.* COMMON) . = ALIGN(4); stillpool_bss_end = .;
  }} > RAM
  .stillpool_stack (NOLOAD) : {{
    . = ALIGN(64) + {GUARD_BYTES}; stillpool_stack_bottom = .;
    . = . + {STACK_BYTES}; stillpool_stack_top = .; . = . + {GUARD_BYTES};
  }} > RAM
  /DISCARD/ : {{ *(.comment) *(.note*) }}
}}
"""


def _memory(cpu: Cpu, kind: str, needed: int) -> Memory:
    """The first memory of a kind that has so many bytes, extended if it can be; the last one if none has."""
    memories = [memory for memory in cpu.memories if memory.kind == kind]
    return next((memory for memory in memories if max(memory.length, memory.most) >= needed), memories[-1])


def extents(cpu: Cpu, sections: Mapping[str, tuple[int, int, bool]]) -> list[tuple[int, int]]:
    """Origin and bytes of each memory, extended to what lies in it.

    Args:
        cpu: the processor.
        sections: address, bytes and whether it is stored of what was linked, by name.
    """
    # What initialised variables begin with lies behind all else in flash.
    behind = sections.get(".data", (0, 0, True))[1] + _STEP
    found: list[tuple[int, int]] = []
    for memory in cpu.memories:
        end = memory.origin + max(memory.length, memory.most)
        used = [at + size - memory.origin for at, size, _ in sections.values() if memory.origin <= at < end and size]
        needed = max(used, default=0) + (behind if memory.kind == "flash" else 0)
        found.append((memory.origin, max(memory.length, -(-needed // _STEP) * _STEP)))
    return found
