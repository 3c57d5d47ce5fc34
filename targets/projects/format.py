"""Base of all layouts of a project: from the files of a compilation to those that are written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ..interfaces.description import Description
from ..interfaces.interface import Interface


@dataclass(frozen=True)
class Project:
    """Files that a compilation made, by role; contents by file name, in a folder of `sources` by relative path."""

    name: str
    """Name of the project in C: the model's identifier, of several models the first one's."""
    interfaces: tuple[Interface, ...]
    """The models that are in it, seen through their C interfaces."""
    headers: Mapping[str, bytes] = field(repr=False)
    """Files that the application and the sources include."""
    sources: Mapping[str, bytes] = field(repr=False)
    """Files that the application compiles, with `headers` on its include path."""
    tests: Mapping[str, bytes] = field(repr=False)
    """The self-tests, each a C program that is linked with all sources and with assembly that is among them."""
    reports: Mapping[str, bytes] = field(repr=False)
    """Files for people."""
    linking: Mapping[str, bytes] = field(default_factory=lambda: {}, repr=False)
    """Files for linkers and devicetree compilers, if pools name sections."""

    blobs: Mapping[str, bytes] = field(default_factory=lambda: {}, repr=False)
    """Files of bytes that assemblers take in, which look for them where compilers look for headers."""

    @property
    def models(self) -> tuple[Description, ...]:
        """The models that are in it."""
        return tuple(interface.model for interface in self.interfaces)


class Format(ABC):
    """A layout; packages add subclasses by the entry point group `stillpool.formats`, by the name of `--format`."""

    name: ClassVar[str]
    """Name for `--format`."""

    @abstractmethod
    def files(self, project: Project) -> dict[str, bytes]:
        """The files of the project: {relative path: bytes}; `manifest.json`, which lists them, is added to them.

        Raises:
            UsageError: the format cannot express something that was asked for.
        """
