"""Estimated cycles of Cortex-M4 and Cortex-M7: ideal memory, that is no wait states, no cache misses, no contention.

Cortex-M4 (Technical Reference Manual, r0p1, 3.3.1): one cycle per instruction, except
  loads 2, of which directly following single loads and stores overlap (1 each); stores 1; multiple transfers 1 + n;
  MLA and MLS 2; divisions 7 (2 to 12); VMLA and VFMA family 3; VDIV and VSQRT 14; a taken branch 1 + 2 (refill of the
  pipeline, 1 to 3).
Cortex-M7: up to two adjacent instructions of a basic block in one cycle, in order, if the second needs nothing that the
  first makes, at most one of them accesses memory, at most one multiplies, and none transfers several registers or
  divides. A load's or a multiplication's result can be used two cycles later, others in the next. Branches are
  predicted. Arm publishes no table for this core; the rules are those of its optimisation guides, simplified.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from .instruction import Instruction

REFILL = 2.0
"""Cortex-M4: cycles of a taken branch beyond its own one."""
DIVISION = 7.0
_DIVISIONS = ("sdiv", "udiv")
_SLOW_FLOAT = ("vdiv", "vsqrt")
_FUSED_FLOAT = ("vmla", "vmls", "vnmla", "vnmls", "vfma", "vfms", "vfnma", "vfnms")
_MULTIPLE = ("push", "pop", "ldm", "stm", "vpush", "vpop", "vldm", "vstm")
_MULTIPLY = re.compile(r"^(mul|mla|mls|smul|smla|smml|smua|smus|smls|umul|umla|umaa|vmul|vml|vnml|vfm|vfnm)")

Costs = Callable[[Sequence[Instruction]], list[float]]
"""Cycles of each instruction of a basic block, without those of the branch being taken."""


def _is(instruction: Instruction, prefixes: Sequence[str]) -> bool:
    return instruction.mnemonic.startswith(tuple(prefixes))


def _transfers(instruction: Instruction) -> int:
    """Registers that a multiple transfer moves; 0 for other instructions."""
    if instruction.mnemonic.startswith(("ldrd", "strd")):
        return 2
    if not _is(instruction, _MULTIPLE):
        return 0
    text = instruction.operands
    return text[text.index("{") :].count(",") + 1 if "{" in text else 1


def _loads(instruction: Instruction) -> bool:
    return instruction.mnemonic.startswith(("ldr", "vldr"))


def _stores(instruction: Instruction) -> bool:
    return instruction.mnemonic.startswith(("str", "vstr"))


def cortex_m4(block: Sequence[Instruction]) -> list[float]:
    """Cycles by the table above."""
    costs: list[float] = []
    overlaps = False
    for instruction in block:
        several = _transfers(instruction)
        single = not several and (_loads(instruction) or _stores(instruction))
        if several:
            cost = 1.0 + several
        elif _loads(instruction):
            cost = 1.0 if overlaps else 2.0
        elif _is(instruction, _DIVISIONS):
            cost = DIVISION
        elif _is(instruction, _SLOW_FLOAT):
            cost = 14.0
        elif _is(instruction, _FUSED_FLOAT):
            cost = 3.0
        elif instruction.mnemonic in ("mla", "mls"):
            cost = 2.0
        else:
            cost = 1.0
        costs.append(cost)
        overlaps = single
    return costs


def cortex_m7(block: Sequence[Instruction]) -> list[float]:
    """Cycles by the rules above; an instruction that shares its cycle with the one before costs nothing itself."""
    ready: dict[str, float] = {}
    now, end = 0.0, 0.0
    first: Instruction | None = None
    costs: list[float] = []
    for instruction in block:
        needed = max((ready.get(register, 0.0) for register in instruction.reads), default=0.0)
        alone = bool(_transfers(instruction)) or _is(instruction, (*_DIVISIONS, *_SLOW_FLOAT))
        if first is not None and not alone and needed <= now and _pairs(first, instruction):
            issued, first = now, None
        else:
            issued, first = max(end, needed), None if alone else instruction
        length = 1.0
        if _is(instruction, _DIVISIONS):
            length = DIVISION
        elif _is(instruction, _SLOW_FLOAT):
            length = 14.0
        elif alone:
            length = 1.0 + _transfers(instruction) / 2
        latency = 2.0 if _loads(instruction) or _MULTIPLY.match(instruction.mnemonic) else length
        for register in instruction.writes:
            ready[register] = issued + latency
        now = issued
        costs.append(max(0.0, issued + length - end))
        end = max(end, issued + length)
    return costs


def _pairs(first: Instruction, second: Instruction) -> bool:
    """Whether the core issues both in one cycle."""
    if first.leaves or (first.writes & (second.reads | second.writes)):
        return False
    memory = [_loads(i) or _stores(i) for i in (first, second)]
    multiplies = [_MULTIPLY.match(i.mnemonic) is not None for i in (first, second)]
    return not all(memory) and not all(multiplies)


MODELS: dict[str, tuple[Costs, float]] = {"cortex-m4": (cortex_m4, REFILL), "cortex-m7": (cortex_m7, 0.0)}
"""By processor: the costs of a block, and the further cycles of a taken branch."""
