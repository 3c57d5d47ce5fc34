"""The linker script of an emulated firmware: code in flash; data, stack, and every buffer the model owns in RAM.

Owned buffers stand apart from each other and from everything else, so that an access beyond one cannot land in the
next unnoticed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...targets.cpus import Cpu

GUARD_BYTES = 1024
"""Unowned bytes behind every owned buffer."""
STACK_BYTES = 32768
"""Stack of the firmware; the emulator reports how much of it the model used."""


def linker_script(cpu: Cpu, owned_sections: Sequence[str]) -> str:
    """The script for `cpu`, with one input section for each owned buffer."""
    flash = next(m for m in cpu.memories if m.kind == "flash")
    ram = next(m for m in cpu.memories if m.kind == "ram")
    apart = "".join(f"    . = ALIGN(64); KEEP(*({section})) . = . + {GUARD_BYTES};\n" for section in owned_sections)
    return f"""MEMORY {{
  FLASH (rx) : ORIGIN = {flash.origin:#x}, LENGTH = {flash.length:#x}
  RAM (rwx) : ORIGIN = {ram.origin:#x}, LENGTH = {ram.length:#x}
}}
ENTRY(stillpool_start)
SECTIONS {{
  .text : {{ KEEP(*(.vectors)) *(.text .text.*) . = ALIGN(4); }} > FLASH
  .rodata : {{ *(.rodata .rodata.* .srodata .srodata.*) . = ALIGN(4); }} > FLASH
  .ARM.exidx : {{ *(.ARM.exidx .ARM.exidx.*) }} > FLASH
  stillpool_data_load = LOADADDR(.data);
  stillpool_ram = ORIGIN(RAM);
  .data : {{
    stillpool_data_start = .; *(.data .data.* .sdata .sdata.*) . = ALIGN(4); stillpool_data_end = .;
  }} > RAM AT > FLASH
  .bss (NOLOAD) : {{
    stillpool_bss_start = .; *(.bss .bss.* .sbss .sbss.* COMMON) . = ALIGN(4); stillpool_bss_end = .;
  }} > RAM
  .stillpool_stack (NOLOAD) : {{
    . = ALIGN(64) + {GUARD_BYTES}; stillpool_stack_bottom = .;
    . = . + {STACK_BYTES}; stillpool_stack_top = .; . = . + {GUARD_BYTES};
  }} > RAM
  .stillpool_owned (NOLOAD) : {{
{apart}  }} > RAM
  /DISCARD/ : {{ *(.comment) *(.note*) }}
}}
"""
