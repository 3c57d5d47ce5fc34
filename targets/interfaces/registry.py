"""The styles of C interface that there are: stillpool's own, and those of other packages."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ...errors import UsageError
from ...plugins import Plugins, is_subclass
from .interface import Interface

_PACKAGE = __name__.rpartition(".")[0]
ADDED: Plugins[type[Interface]] = Plugins(
    "stillpool.interfaces", "a subclass of stillpool.targets.interfaces.interface.Interface", is_subclass(Interface)
)
"""Styles of other packages, by the names that users give."""


def interface_names() -> list[str]:
    """Names of all styles."""
    return sorted({*_own(), *ADDED.names()})


def get_interface(name: str) -> type[Interface]:
    """The style `name`.

    Raises:
        UsageError: there is none, with those that exist; or that of a package cannot be loaded.
    """
    if name in _own():
        return import_module(f"{_PACKAGE}.{name.replace('-', '_')}").INTERFACE
    added = ADDED.load(name)
    if added is not None:
        return added
    raise UsageError(f"interface '{name}' is not available", remedy=f"available: {', '.join(interface_names())}")


def _own() -> list[str]:
    """The packages beside this file, with hyphens."""
    return [module.name.replace("_", "-") for module in iter_modules(import_module(_PACKAGE).__path__) if module.ispkg]
