"""Methods of data classes are made at their first call, not when their class is.

`dataclasses` writes each method of a data class as text and compiles it: a third of what importing a command takes,
and a command calls few of them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from typing import Any

PACKAGES = frozenset(("stillpool", "xdsl"))
"""Whose classes are treated so: nobody asks for the signatures of their methods."""
_MAKER = "_create_fn"
"""Private to `dataclasses` until Python 3.12. Since 3.13 it compiles all methods of a class at once."""


def make_methods_late() -> None:
    """For the classes that are defined from now on. Only a process that is all ours may ask for that."""
    make = getattr(dataclasses, _MAKER, None)
    if make is not None:
        setattr(dataclasses, _MAKER, partial(_method, make))


def _method(make: Callable[..., Any], name: str, *parts: Any, globals: dict[str, Any], **options: Any) -> Any:
    if globals.get("__name__", "").partition(".")[0] not in PACKAGES:
        return make(name, *parts, globals=globals, **options)
    return _late(name, partial(make, name, *parts, globals=globals, **options))


def _late(name: str, make: Callable[[], Any]) -> Any:
    """A method that is made when it is called, and then gives its place to what was made."""
    made: list[Any] = []

    def late(self: Any, *arguments: Any, **named: Any) -> Any:
        if not made:
            made.append(make())
            made[0].__qualname__ = late.__qualname__
            for owner in type(self).__mro__:
                if vars(owner).get(name) is late:
                    setattr(owner, name, made[0])
        return made[0](self, *arguments, **named)

    late.__name__ = late.__qualname__ = name
    return late
