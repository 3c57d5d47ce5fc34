"""Pools in the memories of a board: a script for GNU ld, and a devicetree overlay for Zephyr.

Both are about pools that name a linker section; those of other pools lie where the toolchain puts variables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..interfaces.description import Pool

_SCRIPT = """\
/* Where the pools of {name} go. To GNU ld after the board's own script: -T board.ld -T {name}.ld
 * {regions} */
{memories}SECTIONS
{{
{sections}}}
{limits}"""

_REGION_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
"""Sections that can be called as a memory region of Zephyr: they are linked into the region of their name."""


def linker_files(name: str, pools: Sequence[Pool], addresses: Mapping[str, int]) -> dict[str, bytes]:
    """The files for the linker by name; none where no pool names a section.

    Args:
        name: of the project, a C identifier.
        pools: all of them.
        addresses: where the memories of pools begin, by the pool's name, as far as it is known.
    """
    placed = [pool for pool in pools if pool.section is not None and pool.bytes]
    files = {f"{name}.ld": _script(name, placed, addresses)} if placed else {}
    regions = [pool for pool in placed if pool.name in addresses and _REGION_NAME.fullmatch(_section(pool))]
    if regions:
        files[f"{name}.overlay"] = _overlay(name, regions, addresses)
    return {file: text.encode() for file, text in files.items()}


def _section(pool: Pool) -> str:
    """The section's name; flags for the assembler may follow it."""
    return (pool.section or "").partition(",")[0]


def _region(pool: Pool) -> str:
    return pool.name.upper()


def _length(pool: Pool) -> int:
    """Bytes of the memory, as far as anybody says."""
    return pool.bytes if pool.size_limit is None else pool.size_limit


def _script(name: str, pools: Sequence[Pool], addresses: Mapping[str, int]) -> str:
    by_section: dict[str, list[Pool]] = {}
    for pool in pools:
        by_section.setdefault(_section(pool), []).append(pool)
    firsts = [shared[0] for shared in by_section.values()]
    known = [pool for pool in firsts if pool.name in addresses]
    unknown = ", ".join(_region(pool) for pool in firsts if pool not in known)
    memories = "".join(
        f"    {_region(pool)} : ORIGIN = {addresses[pool.name]:#x}, LENGTH = {_length(pool)}\n" for pool in known
    )
    sections = "".join(_output_section(section, shared) for section, shared in by_section.items())
    limits = "".join(
        f'ASSERT(SIZEOF({section}) <= {_length(shared[0])}, "section {section} is larger than its memory")\n'
        for section, shared in by_section.items()
        if shared[0].size_limit is not None
    )
    regions = "All memories are stated here."
    if unknown:
        regions = f"The board's script says what memory is meant by {unknown}: with MEMORY or REGION_ALIAS."
    memory = f"MEMORY\n{{\n{memories}}}\n" if memories else ""
    return _SCRIPT.format(name=name, regions=regions, memories=memory, sections=sections, limits=limits)


def _output_section(section: str, pools: Sequence[Pool]) -> str:
    alignment = max(pool.alignment for pool in pools)
    unloaded = " (NOLOAD)" if all(pool.kind == "workspace" for pool in pools) else ""
    return (
        f"    {section}{unloaded} : ALIGN({alignment})\n    {{\n        *({section} {section}.*)\n"
        f"    }} > {_region(pools[0])}\n"
    )


def _overlay(name: str, pools: Sequence[Pool], addresses: Mapping[str, int]) -> str:
    nodes: dict[str, str] = {}
    for pool in pools:
        at = addresses[pool.name]
        nodes.setdefault(
            _section(pool),
            f"\tstillpool_{pool.identifier}: memory@{at:x} {{\n"
            '\t\tcompatible = "zephyr,memory-region";\n'
            f"\t\treg = <{at:#x} {_length(pool):#x}>;\n"
            f'\t\tzephyr,memory-region = "{_section(pool)}";\n\t}};\n',
        )
    head = f"/* Memory regions for the pools of {name}, as far as the board's devicetree does not have them. */\n"
    return f"{head}/ {{\n{''.join(nodes.values())}}};\n"
