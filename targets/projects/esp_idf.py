"""The project as an ESP-IDF component, which goes into the folder `components` of an application."""

from __future__ import annotations

import json

from ..provenance import LICENCE, PAGE
from .library import VERSION, Library, LibraryFormat

_CMAKE = """\
idf_component_register(
    SRCS
{sources}
    INCLUDE_DIRS "{include}")
"""


class EspIdf(LibraryFormat):
    """The folder of a component; there is nothing to configure in it, so it has no Kconfig."""

    name = "esp-idf"

    def build_files(self, library: Library) -> dict[str, str]:
        """The component's registration, and its manifest for the component manager."""
        cmake = _CMAKE.format(
            sources="\n".join(f'        "{source}"' for source in library.sources), include=library.folders.include
        )
        if library.libraries:
            cmake += f"target_link_libraries(${{COMPONENT_LIB}} INTERFACE {' '.join(library.libraries)})\n"
        manifest = [
            f'version: "{VERSION}"',
            f"description: {json.dumps(library.summary)}",
            f"url: {PAGE}",
            f"license: {LICENCE} # of the code; the model's numbers are under the terms of the model",
        ]
        return {"CMakeLists.txt": cmake, "idf_component.yml": "".join(f"{line}\n" for line in manifest)}


FORMAT = EspIdf
