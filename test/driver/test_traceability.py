"""Every file of a project says what made it, from what, with which options, and whose it is; the same in every run."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import stillpool
from stillpool.cli import main
from stillpool.driver.options.options import Options
from stillpool.driver.options.stated import stated_options
from stillpool.targets.interfaces.registry import get_interface, interface_names
from stillpool.targets.projects.registry import format_names
from stillpool.targets.provenance import stamped

EXAMPLES = Path(__file__).parents[2] / "examples"
DIGITS = EXAMPLES / "digits" / "digits.tflite"
SHA256 = hashlib.sha256(DIGITS.read_bytes()).hexdigest()
NO_COMMENTS = (".json", ".params", ".tar", ".pack")
"""Files that have no place for a statement; of those the manifest says it."""
OF_ALL_MODELS = (
    "stillpool_model.h",
    "stillpool_interpreter.hpp",
    "stillpool_packed.h",
    *(header for style in interface_names() for header in get_interface(style).shared_headers),
)


def unpacked(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files and those in a tar archive among them."""
    found = dict(files)
    for path in [path for path in files if path.endswith(".tar")]:
        with tarfile.open(fileobj=io.BytesIO(files[path])) as archive:
            for entry in archive.getmembers():
                stream = archive.extractfile(entry)
                found |= {} if stream is None else {f"{path}/{entry.name}": stream.read()}
    return found


@pytest.mark.parametrize("interface", ["native", "tvm", "ai", "x-cube-ai"])
def test_every_file_of_every_format_states_its_origin(interface: str) -> None:
    shims = () if "ai" in interface else ("table", "cpp", "packed")
    artifact = stillpool.compile(DIGITS, interface=interface, shims=shims, workspace_io="all")
    names = [name for name in format_names() if name != "cmake"]
    for path, data in unpacked(artifact.tree(names)).items():
        if path.endswith(NO_COMMENTS):
            continue
        text = data.decode()
        assert f"Written by stillpool {stillpool.__version__}" in text, path
        tag = "LicenseRef-Model" if path.endswith("_data.c") else "0BSD"
        assert f"SPDX-License-Identifier: {tag}" in text, path
        assert str(EXAMPLES) not in text, path
        if not path.endswith(OF_ALL_MODELS):
            assert SHA256 in " ".join(text.split()), path
            assert "--workspace-io all" in text, path
        assert all(len(line) < 120 for line in text.split("SPDX")[0].splitlines() if path.endswith((".c", ".h")))
    manifest = json.loads(artifact.tree()["manifest.json"])
    assert manifest["source"]["sha256"] == SHA256
    assert manifest["source"]["file"] == "digits.tflite"
    assert manifest["source"]["options"][-2:] == ["--workspace-io", "all"]


def test_files_of_several_models_state_their_own_model_and_those_of_all_state_all() -> None:
    novelty = EXAMPLES / "novelty" / "novelty.tflite"
    files = stillpool.compile([DIGITS, novelty]).files
    other = hashlib.sha256(novelty.read_bytes()).hexdigest()
    for path in ("Makefile", "report/memory.txt"):
        assert SHA256 in files[path].decode()
        assert other in files[path].decode()
    assert other not in files["src/digits.c"].decode()
    assert SHA256 not in files["include/novelty.h"].decode()


GIVEN: dict[str, Any] = {
    "signature": "serving",
    "input_shapes": {"x": (1, 2)},
    "input_layout": "nhwc",
    "quantised_io": True,
    "custom": {"Sinh": "my_sinh"},
    "custom_sources": ["/folder/sinh.c"],
    "pools": ["sram:size=1024,align=32"],
    "pins": ["a*=sram"],
    "target": "cortex-m4",
    "optimize": "speed",
    "ram_price": 7.5,
    "recompute": 20.0,
    "schedule_flash": 4096,
    "schedule_ram": 512,
    "schedules": "/folder/schedules.jsonl",
    "winograd": True,
    "interface": "tvm",
    "shims": ["table"],
    "workspace_io": "none",
    "keep_inputs": True,
    "double_buffer_inputs": True,
    "input_released_callback": True,
    "profile_hooks": True,
    "algorithm": "best_fit",
    "planner_seconds": 0.0,
    "overlap": "off",
    "views": False,
    "rows": "on",
    "row_segments": ["0-3"],
    "stream_input": "x",
    "no_clean_up": ["all"],
    "poison": True,
    "weights": "incbin",
    "builtin_pools": True,
    "externals": ["conv_2d=my_convolution:scratch=64"],
    "external_sources": ["/folder/kernels.c"],
    "alignments": ["x=32"],
    "concurrency": "pipeline",
}
"""A value that is no default of every option; the name is stated as the model's."""


def test_every_option_is_stated_as_the_command_line_has_it() -> None:
    assert {*GIVEN, "name"} == set(Options.__annotations__)
    command = main.get_command(click.Context(main), "compile")
    assert command is not None
    for key, value in GIVEN.items():
        words = stated_options({key: value})  # pyright: ignore[reportArgumentType]
        assert words, key
        assert not any("/" in word for word in words)
        command.make_context("compile", ["m.tflite", "-o", "d", *words])


def test_defaults_are_not_stated() -> None:
    assert stated_options({"views": True, "interface": "native", "poison": False, "pools": (), "rows": None}) == ()


def test_the_command_line_and_python_state_the_same(tmp_path: Path) -> None:
    words = ["--keep-inputs", "--workspace-pool", "sram:size=64K", "--no-views"]
    done = CliRunner().invoke(main, ["compile", str(DIGITS), "-o", str(tmp_path / "d"), *words])
    assert done.exit_code == 0, done.output
    made = stillpool.compile(DIGITS, keep_inputs=True, pools=["sram:size=64K"], views=False)
    assert (tmp_path / "d/src/digits.c").read_bytes() == made.code["src/digits.c"]


def test_the_page_shows_what_is_written() -> None:
    page = (EXAMPLES.parent / "docs" / "traceability.md").read_text()
    shown = page.split("```text\n")[1].split("is yours:")[0]
    made = stillpool.compile(DIGITS, keep_inputs=True, pools=["sram:size=64K"])
    # A clone's version is that of its commit.
    shown = re.sub(r"stillpool [\d.]+\.\n", f"stillpool {stillpool.__version__}.\n", shown, count=1)
    assert made.code["src/digits.c"].decode().startswith(shown)


@pytest.mark.parametrize("name", ["a.c", "Makefile", "x.pdsc", "module.yml"])
def test_a_hostile_name_stays_within_the_comment(name: str) -> None:
    artifact = stillpool.compile(DIGITS, name="*/ ?> \\\n--> ??/ " + "x" * 300)
    text = stamped(name, b"<?xml?>\nbody\n", [artifact.description]).decode()
    lines = text.splitlines()
    assert text.count("*/") == (name == "a.c")
    if name == "x.pdsc":
        assert text.count("?>") == 2
    assert not any(line.endswith(("\\", "??/")) for line in lines)
    if name in ("Makefile", "module.yml"):
        assert all(line.startswith("#") for line in lines[:-2])
