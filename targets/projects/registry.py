"""The layouts of projects that there are: stillpool's own, each a file beside this one, and those of other packages."""

from __future__ import annotations

from importlib import import_module

from ...errors import UsageError
from ...plugins import Plugins, is_subclass
from .format import Format

_OWN = {"dir": "directory"}
"""Names of stillpool's own, and the files with their classes `FORMAT`."""

ADDED: Plugins[type[Format]] = Plugins(
    "stillpool.formats", "a subclass of stillpool.targets.projects.format.Format", is_subclass(Format)
)
"""Layouts of other packages, by the names that users give."""


def format_names() -> list[str]:
    """Names of all layouts."""
    return sorted({*_OWN, *ADDED.names()})


def get_format(name: str) -> Format:
    """The layout `name`.

    Raises:
        UsageError: there is none, with those that exist; or that of a package cannot be loaded.
    """
    if name in _OWN:
        return import_module(f".{_OWN[name]}", __package__).FORMAT()
    added = ADDED.load(name)
    if added is None:
        raise UsageError(f"format '{name}' is not available", remedy=f"available: {', '.join(format_names())}")
    return added()
