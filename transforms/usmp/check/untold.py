"""Buffers without `pool.kind` among others that have one: they hold neither inputs nor outputs nor state.

How long a buffer must stay depends on its kind. Where no buffer of a module has one, the module has no such buffers.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from xdsl.dialects import memref
from xdsl.ir import Operation
from xdsl.utils.exceptions import PassFailedException

from ....dialects import nn_keys
from ....dialects.pool import keys
from ....dialects.pool.kinds import BufferKind
from .places import Place

_OF_APPLICATIONS = (BufferKind.INPUT, BufferKind.OUTPUT, BufferKind.STATE)


class Untold:
    """One run of the entry functions, on buffers of which nobody says what they hold."""

    def __init__(self, buffers: Mapping[Operation, tuple[int, Place]]):
        """Begin a run.

        Args:
            buffers: those of its entry functions with their numbers, which some may share, and their places.

        Raises:
            PassFailedException: one has the name that the application knows it by.
        """
        says = any(place.kind in _OF_APPLICATIONS for _, place in buffers.values())
        told = {number for number, place in buffers.values() if place.kind is not None}
        self._places: dict[int, Place] = {}
        for op, (number, place) in buffers.items():
            if place.kind is None and nn_keys.NAME.within(op.attributes):
                raise PassFailedException(f"buffer '{place.name}' is the application's and has no {keys.KIND.name}")
            # A view of a pool has a kind only where the application knows it.
            if says and number not in told and isinstance(op, memref.AllocOp):
                self._places[number] = place
        self._written: set[int] = set()
        self._read: set[int] = set()
        self._depth = 0
        self._early: dict[int, None] = {}
        """Bytes that the outermost loop or branch read before it wrote them; a round before may have done so."""

    @contextmanager
    def inside(self) -> Generator[None]:
        """Be inside a loop or branch.

        Raises:
            PassFailedException: the outermost one read what it did not write, and nothing before it.
        """
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        if not self._depth:
            early, self._early = self._early, {}
            for number in early:
                self.read(number, is_written=False)

    def read(self, number: int, *, is_written: bool) -> None:
        """Note a read, by an operation that may write it before.

        Raises:
            PassFailedException: nothing was written that could be read.
        """
        if number in self._places and number not in self._written and not is_written:
            if self._depth:
                self._early[number] = None
                return
            raise _refused(self._places[number], "read before anything is written to it", BufferKind.INPUT)
        self._read.add(number)

    def written(self, number: int) -> None:
        """Note a write."""
        self._written.add(number)

    def end(self) -> None:
        """End the run.

        Raises:
            PassFailedException: nothing read what was written.
        """
        for number in sorted(self._written - self._read):
            if number in self._places:
                raise _refused(self._places[number], "written, and nothing reads it", BufferKind.OUTPUT)


def _refused(place: Place, what: str, kind: BufferKind) -> PassFailedException:
    return PassFailedException(
        f"buffer '{place.name}' is {what}: say pool.kind = #pool.kind<{kind.value}> if the application does, "
        f"#pool.kind<{BufferKind.ACTIVATION.value}> if not"
    )
