"""Processor profiles, one file each; the name of a processor is its file's name with hyphens."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from ...errors import UsageError
from .cpu import Cpu, Memory

__all__ = ["Cpu", "Memory", "cpu_names", "get_cpu"]


def cpu_names() -> list[str]:
    """Names of all processors that have a profile."""
    return sorted(module.name.replace("_", "-") for module in iter_modules(__path__) if module.name != "cpu")


def get_cpu(name: str) -> Cpu:
    """The profile of the processor `name`.

    Raises:
        UsageError: there is none; lists those that exist.
    """
    if name not in cpu_names():
        raise UsageError(f"unknown target '{name}'", remedy=f"choose host or one of {', '.join(cpu_names())}")
    return import_module(f".{name.replace('-', '_')}", __name__).CPU
