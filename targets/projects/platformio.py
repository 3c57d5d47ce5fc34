"""The project as a PlatformIO library, which goes into the folder `lib` of an application."""

from __future__ import annotations

import json

from ..provenance import LICENCE, PAGE
from .library import VERSION, Library, LibraryFormat


class PlatformIo(LibraryFormat):
    """The folder of a library that fits every platform and framework."""

    name = "platformio"

    def build_files(self, library: Library) -> dict[str, str]:
        """The library's manifest."""
        build = {"includeDir": library.folders.include, "srcDir": library.folders.source}
        flags = {"flags": [f"-l{name}" for name in library.libraries]} if library.libraries else {}
        document = {
            "name": library.name,
            "version": VERSION,
            "description": library.summary,
            "homepage": PAGE,
            # Of the code: PlatformIO takes none but SPDX's own identifiers. The file of constants says its own terms.
            "license": LICENCE,
            "keywords": ["neural network", "inference"],
            "headers": list(library.interface_headers),
            "frameworks": "*",
            "platforms": "*",
            "build": {**build, **flags},
        }
        return {"library.json": json.dumps(document, indent=2) + "\n"}


FORMAT = PlatformIo
