"""Processor profiles, one file each, named as the processor with underscores; and those of other packages."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ...errors import UsageError
from ...plugins import Plugins, is_instance
from .cpu import Cpu, Memory
from .host import CPU as HOST

__all__ = ["HOST", "Cpu", "Memory", "cpu_names", "get_cpu"]

ADDED: Plugins[Cpu] = Plugins(
    "stillpool.processors", "a stillpool.machines.cpus.Cpu", is_instance(Cpu), name_of=lambda cpu: cpu.name
)
"""Profiles of other packages, by the processor's name."""


def cpu_names() -> list[str]:
    """Names of all processors that have a profile and are emulated: all but `host`."""
    return sorted({*_own(), *ADDED.names()})


def get_cpu(name: str) -> Cpu:
    """The profile of the processor `name`.

    Raises:
        UsageError: there is none, with those that exist; or that of a package cannot be loaded.
    """
    if name == HOST.name:
        return HOST
    if name in _own():
        return import_module(f".{name.replace('-', '_')}", __name__).CPU
    added = ADDED.load(name)
    if added is None:
        raise UsageError(f"unknown target '{name}'", remedy=f"choose host or one of {', '.join(cpu_names())}")
    return added


def _own() -> list[str]:
    return [module.name.replace("_", "-") for module in iter_modules(__path__) if module.name not in ("cpu", HOST.name)]
