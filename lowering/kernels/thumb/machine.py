"""Machine that instructions run on: memory of bytes and a stack, for tests that compare a kernel with what it means."""

from __future__ import annotations

from dataclasses import dataclass, field


def signed(value: int, bits: int = 32) -> int:
    """The lowest bits of a number as one with a sign."""
    half = 1 << (bits - 1)
    return ((value + half) & (2 * half - 1)) - half


@dataclass
class Machine:
    """Memory, little endian, from address 0 on, and the stack: words, the last one pushed first."""

    memory: bytearray
    stack: list[int] = field(default_factory=list[int])

    def load(self, address: int, size: int, *, sign: bool = True) -> int:
        """A number of so many bytes.

        Raises:
            IndexError: it does not lie in the memory.
        """
        return int.from_bytes(self.memory[self._place(address, size)], "little", signed=sign)

    def store(self, address: int, size: int, value: int) -> None:
        """Write the lowest bytes of a number.

        Raises:
            IndexError: they do not lie in the memory.
        """
        self.memory[self._place(address, size)] = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def _place(self, address: int, size: int) -> slice:
        if not 0 <= address <= len(self.memory) - size:
            raise IndexError(f"{size} bytes at {address} are not in the {len(self.memory)} bytes of the memory")
        return slice(address, address + size)
