"""Project formats in the hands of the tools that they are for, as far as pip installs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from installing import environment, run
from license_expression import get_spdx_licensing

import stillpool

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("platformio", "scons", "idf-component-manager", "kconfiglib", "devicetree", "west")

pytestmark = pytest.mark.packaging


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the tools' programs: an environment of their own."""
    folder = tmp_path_factory.mktemp("tools")
    try:
        return environment(folder, *TOOLS, timeout=600)
    except (AssertionError, subprocess.TimeoutExpired) as error:
        # An index of one's own need not have what these frameworks bring; stillpool itself asks for none of it.
        pytest.skip(f"pip cannot install {', '.join(TOOLS)}: {str(error).strip().splitlines()[-1]}")


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the digits in each of the formats."""
    folder = tmp_path_factory.mktemp("digits") / "digits"
    pools = ["fast:size=64K,section=FAST,address=0x20000000"]
    artifact = stillpool.compile(ROOT / "examples" / "digits" / "digits.tflite", pools=pools)
    artifact.write(folder, ["platformio", "esp-idf", "zephyr"])
    return folder


def packed(archive: Path) -> set[str]:
    """Names of the files in an archive."""
    with tarfile.open(archive) as opened:
        return {entry.name.removeprefix("./") for entry in opened if entry.isfile()}


PIO = """
import json, os, sys
from pathlib import Path
from platformio.__main__ import main
from platformio.package.manifest.schema import ManifestSchema
ManifestSchema.load_spdx_licenses = staticmethod(lambda: json.loads(Path(os.environ["LICENCES"]).read_text()))
sys.exit(main())
"""
"""PlatformIO's program, with SPDX's list of licences, which it would fetch, from a file."""


def test_platformio_packs_the_library(programs: Path, trees: Path, tmp_path: Path) -> None:
    licences = tmp_path / "licences.json"
    licences.write_text(json.dumps({"licenses": [{"licenseId": name} for name in get_spdx_licensing().known_symbols]}))
    environment = {**os.environ, "PLATFORMIO_CORE_DIR": str(tmp_path / "core"), "LICENCES": str(licences)}
    command = (programs / "python", "-c", PIO, "pkg", "pack", "--output", tmp_path)
    run(*command, cwd=trees / "platformio", environment=environment, timeout=600)
    assert packed(tmp_path / "digits-1.0.0.tar.gz") >= {"library.json", "include/digits.h", "src/digits.c"}


def test_platformio_builds_an_application_with_the_library(programs: Path, trees: Path, tmp_path: Path) -> None:
    core = tmp_path / "core"
    # Its registry is no package index: SCons comes from pip, and a platform for this machine is three small files.
    code = "from platformio.dependencies import get_core_dependencies as d; print(d()['tool-scons'].lstrip('~^='))"
    version = run(programs / "python", "-c", code, cwd=tmp_path).strip()
    tool = {"name": "tool-scons", "version": version}
    spec = {"owner": "platformio", "id": 1, "name": "tool-scons", "requirements": None, "uri": None}
    files = {
        core / "packages" / "tool-scons" / "package.json": json.dumps({**tool, "description": "SCons"}),
        core / "packages" / "tool-scons" / ".piopm": json.dumps({**tool, "type": "tool", "spec": spec}),
        core / "packages" / "tool-scons" / "scons.py": "import SCons.Script\n\nSCons.Script.main()\n",
        core / "platforms" / "host" / "platform.json": json.dumps(
            {"name": "host", "title": "This machine", "version": "1.0.0", "packages": {}, "frameworks": {}}
        ),
        core / "platforms" / "host" / "platform.py": (
            "from platformio.platform.base import PlatformBase\n\n\nclass HostPlatform(PlatformBase):\n    pass\n"
        ),
        core / "platforms" / "host" / "builder" / "main.py": (
            "from SCons.Script import Default, DefaultEnvironment\n\n"
            'env = DefaultEnvironment()\nenv.Replace(PROGNAME="program")\nDefault(env.BuildProgram())\n'
        ),
        tmp_path / "application" / "platformio.ini": (
            "[env:host]\nplatform = host\nbuild_flags = -Wall -Wextra -Werror\n"
        ),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    application = tmp_path / "application"
    shutil.copytree(trees / "platformio", application / "lib" / "digits")
    (application / "src").mkdir()
    shutil.copy(trees / "platformio" / "test" / "test_digits.c", application / "src" / "main.c")
    environment = {**os.environ, "PLATFORMIO_CORE_DIR": str(core)}
    said = run(programs / "pio", "run", cwd=application, environment=environment, timeout=600)
    assert "|-- digits @ 1.0.0" in said
    built = application / ".pio" / "build" / "host" / "program"
    assert run(built, cwd=application).startswith("PASS")


def test_the_component_manager_packs_the_component(programs: Path, trees: Path, tmp_path: Path) -> None:
    command = (programs / "compote", "component", "pack", "--name", "digits", "--dest-dir", tmp_path)
    run(*command, cwd=trees / "esp-idf", timeout=600)
    assert packed(tmp_path / "digits_1.0.0.tgz") >= {"idf_component.yml", "CMakeLists.txt", "src/digits.c"}


def test_west_takes_the_module_as_a_project(programs: Path, trees: Path, tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("west fetches projects with git, which is not installed")
    module = shutil.copytree(trees / "zephyr", tmp_path / "module")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", module)
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-q", "-m", "network")):
        run(*git, *words, cwd=tmp_path)
    page = (ROOT / "docs" / "start" / "zephyr.md").read_text()
    (text,) = re.findall(r"```yaml title=\"west.yml\"\n(.*?)```", page, re.DOTALL)
    manifest = tmp_path / "workspace" / "manifest"
    manifest.mkdir(parents=True)
    (manifest / "west.yml").write_text(text.replace("https://example.org/digits.git", module.as_uri()))
    run(programs / "west", "init", "-l", manifest, cwd=manifest.parent)
    run(programs / "west", "update", cwd=manifest.parent, timeout=600)
    listed = run(programs / "west", "list", "-f", "{name} {path}", cwd=manifest.parent).split()
    assert listed == ["manifest", "manifest", "digits", "modules/digits"]
    assert (manifest.parent / "modules" / "digits" / "zephyr" / "module.yml").exists()


def test_kconfig_has_the_option(programs: Path, trees: Path, tmp_path: Path) -> None:
    code = (
        "import kconfiglib, sys\n"
        "options = kconfiglib.Kconfig(sys.argv[1], warn_to_stderr=False)\n"
        "assert not options.warnings, options.warnings\n"
        "options.syms['STILLPOOL_DIGITS'].set_value('y')\n"
        "print(options.syms['STILLPOOL_DIGITS'].config_string)\n"
    )
    made = run(programs / "python", "-c", code, trees / "zephyr" / "zephyr" / "Kconfig", cwd=tmp_path)
    assert made.strip() == "CONFIG_STILLPOOL_DIGITS=y"


def test_zephyr_reads_the_overlay(programs: Path, trees: Path, tmp_path: Path) -> None:
    overlay = (trees / "zephyr" / "link" / "digits.overlay").read_text()
    (tmp_path / "board.dts").write_text(f"/dts-v1/;\n/ {{ #address-cells = <1>; #size-cells = <1>; }};\n{overlay}")
    code = (
        "import sys\n"
        "from devicetree import dtlib\n"
        "properties = dtlib.DT(sys.argv[1]).label2node['stillpool_fast'].props\n"
        "print(properties['reg'].to_nums(), properties['zephyr,memory-region'].to_string())\n"
    )
    made = run(programs / "python", "-c", code, tmp_path / "board.dts", cwd=tmp_path)
    assert made.strip() == f"{[0x20000000, 65536]} FAST"
