"""What long work is doing at the moment, for whoever shows it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[str], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


def tell(what: str) -> None:
    """Say what begins now; nobody need listen."""
    if (listener := _listener.get()) is not None:
        listener(what)


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Within it, `listener` is called with what begins."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
