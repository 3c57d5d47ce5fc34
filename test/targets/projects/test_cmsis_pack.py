"""The CMSIS-Pack keeps to what the Open-CMSIS-Pack specification says of the elements that it uses.

PACK.xsd itself is not here: the rules below are those of its version 1.7.36, written down anew. Where
`STILLPOOL_PACK_XSD` names that file, and xmlschema is installed, it is the judge too.
"""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from building import passes

import stillpool
from stillpool.driver.options.options import Request

ROOT = Path(__file__).resolve().parents[3]
XSD = os.environ.get("STILLPOOL_PACK_XSD")
only_digits = pytest.mark.parametrize("unpacked", ["cmsis-pack"], indirect=True)

EXAMPLES = ROOT / "examples"
DIGITS = EXAMPLES / "digits" / "digits.tflite"
ACCELERATOR = ROOT / "examples" / "accelerator" / "accelerator.c"
NAME, VERSION = r"[\-_A-Za-z0-9]+", r"\d+\.\d+\.\d+"
PART, SUB = r"[A-Za-z0-9][A-Za-z0-9_+()'/\-\s.]{1,31}", r"[A-Za-z0-9][A-Za-z0-9_+():/\- .]{0,31}"
CHILDREN = {
    "package": {"vendor", "name", "description", "url", "releases", "keywords", "taxonomy", "csolution", "components"},
    "releases": {"release"},
    "keywords": {"keyword"},
    "taxonomy": {"description"},
    "csolution": {"clayer"},
    "components": {"component"},
    "component": {"description", "files"},
    "files": {"file"},
}
ATTRIBUTES: dict[str, dict[str, str]] = {
    "package": {"schemaVersion": r"1\.7\.36", "{*}noNamespaceSchemaLocation": "PACK.xsd"},
    "release": {"version": VERSION},
    "clayer": {"type": ".+", "path": ".+", "file": r".+\.clayer\.yml"},
    "component": {"Cclass": PART, "Cgroup": PART, "Csub": SUB, "Cversion": VERSION},
    "file": {"category": "doc|header|include|other|source", "name": r"[^/].*"},
}
SEVERAL = {"release", "keyword", "clayer", "component", "file"}
"""What may stand more than once in its parent: children of `package` and `component` are in any order, once each."""


@pytest.fixture(
    params=[
        {},
        {"weights": "incbin"},
        {"weights": "binary"},
        {"interface": "tvm", "shims": ["table", "cpp", "packed"]},
        {"externals": ["conv_2d=accelerator_conv:scratch=256"], "external_sources": [ACCELERATOR]},
        {"pools": ["fast:section=FAST", "large"], "profile_hooks": True},
        {"models": [DIGITS, EXAMPLES / "novelty" / "novelty.tflite"], "interface": "ai"},
        # So long that the description counts them instead of listing them.
        {"models": [Request(DIGITS, name=name) for name in ("first", "second" * 20, "third" * 20)]},
    ],
    ids=lambda options: "-".join(options) or "plain",
)
def described(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The tree of the digits, or of several networks, with options that add files of other kinds."""
    made = stillpool.compile(**{"models": DIGITS, **request.param})
    made.write(tmp_path / "pack", "cmsis-pack")
    return tmp_path / "pack"


@pytest.mark.skipif(XSD is None, reason="STILLPOOL_PACK_XSD names no PACK.xsd")
def test_the_schema_itself_accepts_it(described: Path) -> None:
    xmlschema = pytest.importorskip("xmlschema")
    (pdsc,) = described.glob("*.pdsc")
    xmlschema.validate(pdsc, XSD)


def test_the_description_is_as_specified(described: Path) -> None:
    (pdsc,) = described.glob("*.pdsc")
    package = ElementTree.parse(pdsc).getroot()
    assert package.tag == "package"
    for element in package.iter():
        assert {child.tag for child in element} == CHILDREN.get(element.tag, set())
        wanted = ATTRIBUTES.get(element.tag, {})
        names = [child.tag for child in element if child.tag not in SEVERAL]
        assert len(names) == len(set(names)), element.tag
        if element.tag == "description" and element.attrib:
            wanted = {"Cclass": PART, "Cgroup": PART}
        if element.get("language") is not None:
            wanted = {**wanted, "category": "source", "language": "asm", "name": r"[^/].*\.S"}
        given = {re.sub(r"^\{.*\}", "{*}", name): value for name, value in element.attrib.items()}
        assert set(given) == set(wanted)
        assert all(re.fullmatch(wanted[name], value) for name, value in given.items()), given
        if element.tag == "description":
            assert 0 < len(element.text or "") <= 256
    for once in ("vendor", "name", "description", "url", "releases"):
        assert len(package.findall(once)) == 1
    vendor, name = (package.findtext(tag) or "" for tag in ("vendor", "name"))
    assert re.fullmatch(NAME, vendor)
    assert re.fullmatch(NAME, name)
    release = package.find("releases/release")
    assert release is not None
    # The names of the files are made of the same.
    assert pdsc.name == f"{vendor}.{name}.pdsc"
    assert (described / f"{vendor}.{name}.{release.get('version')}.pack").exists()


@only_digits
def test_the_component_compiles_from_the_pack(unpacked: Path, tmp_path: Path) -> None:
    (pack,) = unpacked.glob("*.pack")
    zipfile.ZipFile(pack).extractall(tmp_path / "installed")
    component = ElementTree.parse(tmp_path / "installed" / "stillpool.digits.pdsc").find("components/component")
    assert component is not None
    files = [(file.get("category"), file.get("name", "")) for file in component.iter("file")]
    assert all((tmp_path / "installed" / name).exists() for _, name in files)
    (include,) = (name for category, name in files if category == "include")
    passes(tmp_path / "installed", [name for category, name in files if category == "source"], include)


@only_digits
def test_the_layer_names_the_component(unpacked: Path) -> None:
    package = ElementTree.parse(unpacked / "stillpool.digits.pdsc").getroot()
    layer, component = package.find("csolution/clayer"), package.find("components/component")
    assert layer is not None
    assert component is not None
    text = (unpacked / layer.get("path", "") / layer.get("file", "")).read_text()
    vendor, name = package.findtext("vendor"), package.findtext("name")
    assert "\nlayer:\n" in text
    assert f"- pack: {vendor}::{name}@1.0.0\n" in text
    identity = ":".join(component.get(part, "") for part in ("Cclass", "Cgroup", "Csub"))
    assert f"- component: {vendor}::{identity}\n" in text
