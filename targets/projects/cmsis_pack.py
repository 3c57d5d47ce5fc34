"""The project as a CMSIS-Pack: a component in a `.pdsc`, a layer for csolution projects, and both in a `.pack`.

Elements and their limits are those of version 1.7.36 of the Open-CMSIS-Pack specification.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ...errors import UsageError
from .archive import zip_of
from .format import Project
from .library import VERSION, Library, LibraryFormat

_SCHEMA = "1.7.36"
_VENDOR, _CLASS, _GROUP = "stillpool", "Machine Learning", "Compiled Network"
_SUB_GROUP = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,31}")
"""Names of C that the specification allows as `Csub`."""

_LAYER = """\
layer:
  type: Network
  description: {summary}
  packs:
    - pack: {vendor}::{name}@{version}
  components:
    - component: {vendor}::{cclass}:{group}:{name}
"""


class CmsisPack(LibraryFormat):
    """The unpacked tree, which csolution projects can use by its path, and beside it the `.pack` for all others."""

    name = "cmsis-pack"

    def files(self, project: Project) -> dict[str, bytes]:
        """The tree, and the same as an archive under the name that the specification wants."""
        tree = super().files(project)
        return {**tree, f"{_VENDOR}.{project.name}.{VERSION}.pack": zip_of(tree)}

    def build_files(self, library: Library) -> dict[str, str]:
        """The pack's description and the layer.

        Raises:
            UsageError: the name is none that a component of a pack can have.
        """
        if not _SUB_GROUP.fullmatch(library.name):
            raise UsageError(
                f"format 'cmsis-pack': a component cannot be called '{library.name}'",
                remedy="give a name of at most 32 letters, digits and '_' that begins with a letter with --name",
            )
        layer = _LAYER.format(
            summary=library.summary, name=library.name, vendor=_VENDOR, version=VERSION, cclass=_CLASS, group=_GROUP
        )
        return {f"{_VENDOR}.{library.name}.pdsc": _pdsc(library), f"layer/{library.name}.clayer.yml": layer}


FORMAT = CmsisPack


def _pdsc(library: Library) -> str:
    package = ElementTree.Element(
        "package",
        {
            "schemaVersion": _SCHEMA,
            "xmlns:xs": "http://www.w3.org/2001/XMLSchema-instance",
            "xs:noNamespaceSchemaLocation": "PACK.xsd",
        },
    )
    for element, text in (
        ("vendor", _VENDOR),
        ("name", library.name),
        ("description", library.summary),
        # Empty where a pack is not published, as the specification says.
        ("url", ""),
    ):
        ElementTree.SubElement(package, element).text = text
    releases = ElementTree.SubElement(package, "releases")
    ElementTree.SubElement(releases, "release", version=VERSION).text = "Written by stillpool."
    keywords = ElementTree.SubElement(package, "keywords")
    ElementTree.SubElement(keywords, "keyword").text = "neural network"
    taxonomy = ElementTree.SubElement(package, "taxonomy")
    described = ElementTree.SubElement(taxonomy, "description", Cclass=_CLASS, Cgroup=_GROUP)
    described.text = "Networks with all memory planned at compile time"
    layers = ElementTree.SubElement(package, "csolution")
    ElementTree.SubElement(layers, "clayer", type="Network", path="layer", file=f"{library.name}.clayer.yml")
    components = ElementTree.SubElement(package, "components")
    component = ElementTree.SubElement(
        components, "component", Cclass=_CLASS, Cgroup=_GROUP, Csub=library.name, Cversion=VERSION
    )
    ElementTree.SubElement(component, "description").text = library.summary
    files = ElementTree.SubElement(component, "files")
    ElementTree.SubElement(files, "file", category="include", name=f"{library.folders.include}/")
    for category, paths in (("header", library.headers), ("source", library.sources), ("other", library.blobs)):
        for path in paths:
            language = {"language": "asm"} if path.endswith(".S") else {}
            ElementTree.SubElement(files, "file", {"category": category, **language, "name": path})
    report = f"{library.folders.report}/memory.txt"
    ElementTree.SubElement(files, "file", category="doc", name=report)
    ElementTree.indent(package)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(package, encoding="unicode") + "\n"
