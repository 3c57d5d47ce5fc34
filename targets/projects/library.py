"""A project as build systems see it: where its files lie, what is compiled, and what it is linked with."""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ...version import __version__
from ..provenance import stamped
from .format import Format, Project
from .self_test_makefile import self_test_makefile

VERSION = "1.0.0"
"""Version of the library, for the formats that must state one: nothing is known of the network's own."""

_LONGEST_LIST = 200
"""Characters of a list of networks in a sentence: descriptions may have 256."""
_NEEDS_LIBM = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<math\.h>", re.MULTILINE)


@dataclass(frozen=True)
class Folders:
    """Where the files of each role lie, relative to the tree."""

    include: str = "include"
    source: str = "src"
    test: str = "test"
    report: str = "report"
    link: str = "link"


@dataclass(frozen=True)
class Library:
    """A project in folders; all paths are relative to the tree."""

    project: Project
    folders: Folders

    @property
    def name(self) -> str:
        """Its name, a C identifier."""
        return self.project.name

    @property
    def summary(self) -> str:
        """A short sentence about it of letters, digits, `_`, commas and dots: it needs no quotes anywhere."""
        models = self.project.models
        names = ", ".join(model.identifier for model in models)
        if len(names) > _LONGEST_LIST:
            names = str(len(models))
        return f"Network{'s' * (len(models) > 1)} {names} compiled to C by stillpool {__version__}."

    @property
    def sources(self) -> tuple[str, ...]:
        """Files that are compiled, in alphabetical order."""
        paths = sorted(self.project.sources)
        return tuple(f"{self.folders.source}/{path}" for path in paths if path.endswith((".c", ".S")))

    @property
    def has_assembly(self) -> bool:
        """Whether some of what is compiled is for the assembler."""
        return any(path.endswith(".S") for path in self.sources)

    @property
    def test_names(self) -> tuple[str, ...]:
        """The self-tests, each a C file of this name in the folder of tests."""
        return tuple(name.removesuffix(".c") for name in self.project.tests if name.endswith(".c"))

    @property
    def test_sources(self) -> tuple[str, ...]:
        """Files that all self-tests are linked with, beside the library."""
        return tuple(f"{self.folders.test}/{name}" for name in self.project.tests if name.endswith(".S"))

    @property
    def blobs(self) -> tuple[str, ...]:
        """The files of bytes that assemblers take in."""
        return tuple(f"{self.folders.include}/{name}" for name in sorted(self.project.blobs))

    @property
    def headers(self) -> tuple[str, ...]:
        """Files in the folder on the include path, in alphabetical order."""
        return tuple(f"{self.folders.include}/{name}" for name in sorted(self.project.headers))

    @property
    def interface_headers(self) -> tuple[str, ...]:
        """The headers that an application includes, one for each model, by name."""
        return tuple(dict.fromkeys(interface.header_name for interface in self.project.interfaces))

    @property
    def libraries(self) -> tuple[str, ...]:
        """Libraries that the sources are linked with: `m` if they call functions of math.h."""
        texts = [text for text in self.project.sources.values() if b"<math.h>" in text]
        return ("m",) if any(map(_NEEDS_LIBM.search, texts)) else ()

    def stamped(self, path: str, text: str) -> bytes:
        """A text with the statement of what it was made from."""
        return stamped(path, text.encode(), self.project.models)

    def files(self) -> dict[str, bytes]:
        """The project's files in their folders, and the Makefile of the self-tests."""
        project, folders = self.project, self.folders
        sources = (*self.sources, *self.test_sources)
        makefile = self_test_makefile(folders.test, folders.include, self.test_names, sources, self.blobs)
        return {
            **{f"{folders.include}/{name}": data for name, data in project.headers.items()},
            **{f"{folders.include}/{name}": data for name, data in project.blobs.items()},
            **{f"{folders.source}/{path}": data for path, data in project.sources.items()},
            **{f"{folders.test}/{name}": data for name, data in project.tests.items()},
            f"{folders.test}/Makefile": self.stamped(f"{folders.test}/Makefile", makefile),
            **{f"{folders.report}/{name}": data for name, data in project.reports.items()},
            **{f"{folders.link}/{name}": data for name, data in project.linking.items()},
        }


class LibraryFormat(Format):
    """A layout of sources that a build system compiles: the files in their folders, and what it is told about them."""

    folders: ClassVar[Folders] = Folders()

    def files(self, project: Project) -> dict[str, bytes]:
        """The project's files in `folders`, and those of the build system."""
        library = Library(project, self.folders)
        build = {path: library.stamped(path, text) for path, text in self.build_files(library).items()}
        return {**library.files(), **build}

    @abstractmethod
    def build_files(self, library: Library) -> dict[str, str]:
        """The texts for the build system: {relative path: text}.

        Raises:
            UsageError: the format cannot express something that was asked for.
        """
