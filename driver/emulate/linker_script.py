"""The linker script of an emulated firmware: code in flash; data, stack, and every buffer the model owns in RAM.

Owned buffers stand apart from each other and from everything else, so that an access beyond one cannot land in the
next unnoticed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...machines.cpus import Cpu

GUARD_BYTES = 1024
"""Unowned bytes behind every owned buffer."""
STACK_BYTES = 32768
"""Stack of the firmware; the emulator reports how much of it the model used."""


def linker_script(cpu: Cpu, owned_sections: Sequence[str]) -> str:
    """The script for `cpu`, with one input section for each owned buffer.

    The first flash holds the vector table, the largest one everything else; buffers lie in the largest RAM.
    """
    flashes = [memory for memory in cpu.memories if memory.kind == "flash"]
    flash = max(flashes, key=lambda memory: memory.length)
    ram = max((memory for memory in cpu.memories if memory.kind == "ram"), key=lambda memory: memory.length)
    regions = {"VECTORS": flashes[0], "FLASH": flash, "RAM": ram}
    if flash is flashes[0]:
        del regions["VECTORS"]
    vectors = "VECTORS" if "VECTORS" in regions else "FLASH"
    memory = "\n".join(
        f"  {name} ({'rwx' if name == 'RAM' else 'rx'}) : ORIGIN = {m.origin:#x}, LENGTH = {m.length:#x}"
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
  .rodata : {{ *(.rodata .rodata.* .srodata .srodata.*) . = ALIGN(4); }} > FLASH
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
