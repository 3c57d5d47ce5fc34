"""The layouts of projects that there are: stillpool's own, each a file beside this one, and those of other packages."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from ...errors import UsageError, one_of
from ...plugins import Plugins, is_subclass
from .format import Format

_OWN = {
    "dir": "directory",
    "cmake": "directory",
    "mlf": "mlf",
    "zephyr": "zephyr",
    "arduino": "arduino",
    "esp-idf": "esp_idf",
    "platformio": "platformio",
    "cmsis-pack": "cmsis_pack",
}
"""Names of stillpool's own, and the files with their classes `FORMAT`; a plain directory is a CMake project too."""

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
        raise UsageError(f"format '{name}' is not available", remedy=one_of(name, format_names()))
    return added()


def get_formats(names: str | Sequence[str]) -> dict[str, Format]:
    """The layouts of a request by name, in its order.

    Raises:
        UsageError: there is none, one is named twice, or as of `get_format`.
    """
    listed = [names] if isinstance(names, str) else list(names)
    if not listed:
        raise UsageError("no format is named", remedy=f"name one of {', '.join(format_names())}")
    for name in listed:
        if listed.count(name) > 1:
            raise UsageError(f"format '{name}' is named twice", remedy="name each format once")
    return {name: get_format(name) for name in listed}
