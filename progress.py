"""Reports of what long work is doing at the moment, and what its user ought to know, for whoever shows it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Listener = Callable[[str], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
_reader: ContextVar[Listener | None] = ContextVar("reader", default=None)


def tell(what: str) -> None:
    """Say what begins now; nobody need listen."""
    if (listener := _listener.get()) is not None:
        listener(what)


def counted(what: str, items: Collection[Item]) -> Iterator[Item]:
    """Give the items one by one; before each, say which of how many it is."""
    for number, item in enumerate(items, 1):
        tell(f"{what} {number} of {len(items)}")
        yield item


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Within it, `listener` is called with what begins."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def warn(what: str) -> None:
    """Say what the user would not expect and nothing ends for; nobody need listen."""
    if (reader := _reader.get()) is not None:
        reader(what)


@contextmanager
def warned(reader: Listener) -> Generator[None]:
    """Within it, `reader` is called with what is warned of, once for each text."""
    said: set[str] = set()

    def once(what: str) -> None:
        if what not in said:
            said.add(what)
            reader(what)

    token = _reader.set(once)
    try:
        yield
    finally:
        _reader.reset(token)
