"""Additions of installed packages to stillpool: the one place that reads their entry points.

Every kind of addition has a group of entry points. An entry point bears the name by which users, models or the IR ask
for the addition, and is loaded when somebody does, never before. What stillpool has itself comes first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points
from typing import Any, Generic, TypeVar, cast

from .errors import UsageError

T = TypeVar("T")


@dataclass(frozen=True)
class Plugins(Generic[T]):
    """The additions of one kind."""

    group: str
    """The group of the entry points."""
    what: str
    """Kind of one, for messages: `a stillpool.machines.cpus.Cpu`."""
    accepts: Callable[[object], bool]
    """Whether a loaded object is one."""
    name_of: Callable[[T], str] | None = None
    """What one calls itself, which is the name of its entry point, too; None where it has no name."""

    def names(self) -> list[str]:
        """Names of all that are installed, sorted; none is loaded."""
        return sorted({point.name for point in self._points()})

    def load(self, name: str) -> T | None:
        """The addition `name`; None if there is none.

        Raises:
            UsageError: it cannot be loaded, is something else, calls itself otherwise, or two packages bring it; names
                entry point and package.
        """
        points = [point for point in self._points() if point.name == name]
        if not points:
            return None
        if len({(point.value, package_of(point)) for point in points}) > 1:
            listed = " and ".join(sorted(f"{package_of(point)} ({point.value})" for point in points))
            raise UsageError(f"{listed} both have the entry point '{name}' of {self.group}", remedy="uninstall one")
        (point, *_) = points
        try:
            loaded: Any = point.load()
        except Exception as error:
            raise self.refusal(name, f"cannot be loaded: {type(error).__name__}: {error}") from error
        if not self.accepts(loaded):
            raise self.refusal(name, f"is not {self.what}")
        found = cast(T, loaded)
        if self.name_of is not None and (own := self.name_of(found)) != name:
            raise self.refusal(name, f"calls itself {own}")
        return found

    def required(self, name: str, kind: str) -> T:
        """The addition `name`; `kind` is what messages call one.

        Raises:
            ValueError: there is none.
            UsageError: as `load`.
        """
        found = self.load(name)
        if found is None:
            known = ", ".join(self.names()) or "none"
            raise ValueError(f"there is no {kind} {name} ({known} installed): install the package that has it")
        return found

    def refusal(self, name: str, problem: str) -> UsageError:
        """The error that says what is wrong with an addition that is installed."""
        point = next(point for point in self._points() if point.name == name)
        package = package_of(point)
        return UsageError(
            f"entry point '{name} = {point.value}' of {self.group} in package {package} {problem}",
            remedy=f"mend or uninstall {package.partition(' ')[0]}",
        )

    def _points(self) -> Iterator[EntryPoint]:
        return iter(_installed(tuple(sys.path), self.group))


def package_of(point: EntryPoint) -> str:
    """Name and version of the package that an entry point belongs to."""
    distribution = point.dist
    if distribution is None:
        return "(unknown)"
    return f"{distribution.metadata['Name']} {distribution.version}"


def is_instance(kind: type) -> Callable[[object], bool]:
    """Accepts objects of a class."""
    return lambda loaded: isinstance(loaded, kind)


def is_subclass(kind: type) -> Callable[[object], bool]:
    """Accepts subclasses."""
    return lambda loaded: isinstance(loaded, type) and issubclass(loaded, kind)


@lru_cache
def _installed(path: tuple[str, ...], group: str) -> EntryPoints:
    """The entry points of a group of all packages on the path, read once."""
    return entry_points(group=group)
