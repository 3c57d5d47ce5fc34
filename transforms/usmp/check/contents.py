"""Which buffers hold what was written to them, and which lost it; changes can be looked back at, and taken back."""

from __future__ import annotations


class Contents:
    """Buffers, by number, during a run: intact from the first write on, until another is written over them."""

    def __init__(self) -> None:
        self.intact: set[int] = set()
        """Buffers that hold what was written to them; to be read only."""
        self.destroyed: dict[int, int] = {}
        """Buffers that were intact once, and which buffer was written over them; to be read only."""
        self.arrivals = 0
        """How often a buffer became intact; to be read only."""
        self._before: list[tuple[int, bool, int | None]] = []
        """Of each change the buffer, whether it was intact, and by which buffer it was destroyed."""

    def write(self, number: int) -> None:
        """A buffer is intact."""
        if number not in self.intact:
            self._note(number)
            self.intact.add(number)
            self.arrivals += 1

    def destroy(self, number: int, by: int) -> None:
        """An intact buffer is no more, for another was written over it."""
        if number in self.intact:
            self._note(number)
            self.intact.discard(number)
            self.destroyed[number] = by

    def renew(self, number: int) -> None:
        """A buffer begins anew, with nothing in it."""
        if number in self.intact or number in self.destroyed:
            self._note(number)
            self.intact.discard(number)
            self.destroyed.pop(number, None)

    def mark(self) -> int:
        """A mark of what is now, for the two questions that follow."""
        return len(self._before)

    def is_as_at(self, mark: int) -> bool:
        """Whether all buffers are as they were at a mark."""
        first: dict[int, tuple[bool, int | None]] = {}
        for number, was_intact, by in self._before[mark:]:
            first.setdefault(number, (was_intact, by))
        return all((n in self.intact, self.destroyed.get(n)) == was for n, was in first.items())

    def back_to(self, mark: int) -> None:
        """Take back all changes since a mark."""
        self.arrivals += 1
        while len(self._before) > mark:
            number, was_intact, by = self._before.pop()
            (self.intact.add if was_intact else self.intact.discard)(number)
            if by is None:
                self.destroyed.pop(number, None)
            else:
                self.destroyed[number] = by

    def _note(self, number: int) -> None:
        self._before.append((number, number in self.intact, self.destroyed.get(number)))
