"""The self-test of a build with hooks names the first wrong operator."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import models
import pytest
import toolchain

pytestmark = pytest.mark.extra("verify")

FLAGS = ("-std=c99", *toolchain.SANITISERS)


def run(files: dict[str, bytes], folder: Path) -> str:
    """What the self-test prints."""
    toolchain.unpack(files, folder)
    sources = [path for path in files if path.endswith(".c") and "stillpool" not in path]
    program = toolchain.build(folder, "gcc", FLAGS, sources)
    return subprocess.run([program], capture_output=True, text=True, check=False).stdout


def made(**options: Any) -> dict[str, bytes]:
    """The code and the self-test of the digits with hooks."""
    artifact = models.compiled(profile_hooks=True, **options)
    return {**artifact.code, **{f"test/{name}": text.encode() for name, text in artifact.tests.items()}}


@pytest.mark.parametrize("options", [{}, {"poison": True}, {"workspace_io": "none"}], ids=str)
def test_every_sum_is_right_in_right_code(options: dict[str, Any], tmp_path: Path) -> None:
    files = made(**options)
    path = "test/test_digits.c"
    text = files[path].decode()
    # Say at the end, too, what is said of a mistake.
    files[path] = re.sub(r'(    printf\("PASS)', r"    name_operator();\n\1", text).encode()
    said = run(files, tmp_path)
    assert said.startswith("all operators with a checksum are right\nPASS")
    assert len(re.findall(r', "position \d', text)) == 8


@pytest.mark.parametrize(("position", "kind"), [(0, "CONV_2D"), (5, "CONV_2D"), (7, "FULLY_CONNECTED")])
def test_the_first_wrong_operator_is_named(position: int, kind: str, tmp_path: Path) -> None:
    files = made()
    text = files["test/test_digits.c"].decode()
    row = re.search(rf"\{{{position}, \"[^\"]*\", (pool_workspace \+ MARGIN_WORKSPACE \+ \d+), (\d+)", text)
    assert row, "the operator has a checksum"
    # The application hears of the operator when its memory holds something else than it should.
    heard = "    hear_operator(position);"
    assert text.count(heard) == 1
    wrong = f"    if (position == {position}) {{ memset({row[1]}, 7, {row[2]}); }}\n{heard}"
    files["test/test_digits.c"] = text.replace(heard, wrong).encode()
    said = run(files, tmp_path)
    assert said.startswith("FAIL: sample 0, output scores")
    assert f"first wrong operator: position {position} ({kind}, index {position + 1})\n" in said


def test_without_hooks_there_are_none() -> None:
    text = "".join(models.compiled().tests.values())
    assert "operator_sums" not in text
