"""The project as an Arduino library, with a sketch for each network that runs it once."""

from __future__ import annotations

from ...errors import UsageError
from ..interfaces.interface import Interface
from ..provenance import PAGE
from ..weights.in_programs import test_sources
from .library import VERSION, Folders, Library, LibraryFormat

_LONGEST = 63
"""Characters of a library's name, as Arduino's library specification has it."""

_SKETCH = """\
// Runs the network {name} once, on inputs that are zero or what the memory holds, and says how long it took.
#include <{header}>

{storage}
void setup()
{{
    Serial.begin(115200);
{setup}
    const unsigned long start = micros();
    const long status = (long){call};
    const unsigned long microseconds = micros() - start;
    Serial.print("{name}: status ");
    Serial.print(status);
    Serial.print(", microseconds ");
    Serial.println(microseconds);
}}

void loop()
{{
}}
"""


class Arduino(LibraryFormat):
    """The folder of a library; sources and headers are in `src`, as Arduino wants them."""

    name = "arduino"
    folders = Folders(include="src", source="src", test="extras/test", report="extras/report", link="extras/link")

    def build_files(self, library: Library) -> dict[str, str]:
        """The library's properties and a sketch for each model.

        Raises:
            UsageError: the name is longer than Arduino allows.
        """
        if len(library.name) > _LONGEST:
            raise UsageError(
                f"format 'arduino': the name '{library.name}' has more than {_LONGEST} characters",
                remedy="give a shorter one with --name",
            )
        properties = {
            "name": library.name,
            "version": VERSION,
            "author": "stillpool",
            "maintainer": "stillpool",
            "sentence": library.summary,
            "paragraph": "Every buffer lies in memory that is planned at compile time.",
            "category": "Data Processing",
            "url": PAGE,
            "architectures": "*",
            "includes": ",".join(library.interface_headers),
        }
        if library.libraries:
            properties["ldflags"] = " ".join(f"-l{name}" for name in library.libraries)
        sketches = {
            f"examples/{interface.stem}/{interface.stem}.ino": _sketch(interface)
            for interface in library.project.interfaces
        }
        sketches |= {
            f"examples/{interface.stem}/{name}": text
            for interface in library.project.interfaces
            for name, text in test_sources(interface.model.blobs).items()
        }
        return {"library.properties": "".join(f"{key}={value}\n" for key, value in properties.items()), **sketches}


FORMAT = Arduino


def _sketch(interface: Interface) -> str:
    caller = interface.caller
    statements = [*caller.setup(), *caller.unused()]
    return _SKETCH.format(
        name=interface.stem,
        header=caller.include,
        storage=caller.storage(),
        setup="\n".join(f"    {statement}" for statement in statements),
        call=caller.call(),
    )
