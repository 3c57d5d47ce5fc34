"""Machine instructions, as cost models and disassemblers speak of them."""

from __future__ import annotations

from typing import NamedTuple


class Instruction(NamedTuple):
    """One machine instruction."""

    address: int
    bytes: int
    mnemonic: str
    """Lower case, without the width suffix (`.w`)."""
    operands: str
    reads: frozenset[str]
    writes: frozenset[str]
    """Names of registers, the flags among them (`cpsr`)."""
    target: int | None
    """Where a direct branch or call goes."""
    leaves: bool
    """A branch, call or return."""
    calls: bool
    """A call: the next instruction runs after the callee returns."""
    indirect: bool
    """A branch or call whose target is in a register; a return is not."""

    def at(self, address: int) -> Instruction:
        """The same instruction at another address, where it does not branch."""
        return Instruction(address, *self[1:])
