"""Lines about long work where there is no terminal."""

from __future__ import annotations

import io
import sys

import pytest

from stillpool.cli import progress
from stillpool.cli.progress import Notes


class Stream(io.StringIO):
    """A file that tells when a second line was written."""

    def __init__(self, notes: list[Notes]):
        super().__init__()
        self.notes = notes

    def flush(self) -> None:
        """The work ends with the second line."""
        if self.getvalue().count("\n") == 2:
            self.notes[0]._ended.set()  # pyright: ignore[reportPrivateUsage]


def test_each_line_says_what_and_for_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STILLPOOL_PROGRESS", raising=False)
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.001)
    made: list[Notes] = []
    stream = Stream(made)
    monkeypatch.setattr(sys, "stderr", stream)
    notes = Notes(wanted=True)
    made.append(notes)
    notes.show("schedule: task 3 of 31")
    assert notes._thread is not None  # pyright: ignore[reportPrivateUsage]
    notes._thread.join()  # pyright: ignore[reportPrivateUsage]
    notes.end()
    assert stream.getvalue() == "schedule: task 3 of 31, 0 s\n" * 2


@pytest.mark.parametrize("wanted", [True, False])
def test_none_are_written_where_nobody_wants_them(wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STILLPOOL_PROGRESS", "off" if wanted else "")
    monkeypatch.setattr(progress, "EVERY_SECONDS", 0.001)
    notes = Notes(wanted=wanted)
    notes.show("schedule")
    notes.end()
    assert notes._thread is None  # pyright: ignore[reportPrivateUsage]
