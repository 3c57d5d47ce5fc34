"""The bill of materials: valid, reproducible, and of the files as they are."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import stillpool
from stillpool.errors import UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
DIGITS = EXAMPLES / "digits" / "digits.tflite"
NOVELTY = EXAMPLES / "novelty" / "novelty.tflite"


def test_it_is_valid() -> None:
    validation = pytest.importorskip("cyclonedx.validation.json")
    schema = pytest.importorskip("cyclonedx.schema")
    text = stillpool.compile([DIGITS, NOVELTY]).tree("dir", ["sbom"])["report/digits.cdx.json"].decode()
    validator = validation.JsonStrictValidator(schema.SchemaVersion.V1_6)
    assert validator.validate_str(text) is None
    assert validator.validate_str(text.replace('"library"', '"book"')) is not None


def test_it_lists_every_file_and_model_with_its_digest() -> None:
    artifact = stillpool.compile(DIGITS, keep_inputs=True)
    bill = json.loads(artifact.tree("dir", ["sbom"])["report/digits.cdx.json"])
    digests = {entry["name"]: entry["hashes"][0]["content"] for entry in bill["components"]}
    code = {path: hashlib.sha256(data).hexdigest() for path, data in artifact.code.items()}
    assert digests == {"digits": hashlib.sha256(DIGITS.read_bytes()).hexdigest(), **code}
    model = bill["components"][0]
    assert {"name": "stillpool:options", "value": "--keep-inputs"} in model["properties"]
    licences = {entry["name"]: entry["licenses"][0]["license"] for entry in bill["components"]}
    assert licences["src/digits.c"] == {"id": "0BSD"}
    assert licences["src/digits_data.c"] == {"name": "LicenseRef-Model"}
    assert bill["dependencies"][0]["dependsOn"] == [entry["bom-ref"] for entry in bill["components"]]


def test_equal_projects_have_equal_bills_and_others_another_number() -> None:
    name = "report/digits.cdx.json"
    bills = [stillpool.compile(DIGITS, poison=on).tree("dir", ["sbom"])[name] for on in (False, False, True)]
    assert bills[0] == bills[1]
    assert json.loads(bills[0])["serialNumber"] != json.loads(bills[2])["serialNumber"]


def test_reports_come_only_on_request_and_must_exist() -> None:
    artifact = stillpool.compile(DIGITS)
    assert [path for path in artifact.files if path.startswith("report/")] == ["report/memory.txt"]
    assert "extras/report/misra.md" in artifact.tree("arduino", ["misra"])
    with pytest.raises(UsageError, match=r"report 'spdx' is not available"):
        artifact.tree("dir", ["spdx"])
