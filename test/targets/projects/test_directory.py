"""A plain directory is a library for make and for CMake: built alone, installed, fetched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from building import WARNINGS, cmake, run

from stillpool.targets.projects.directory import Directory
from stillpool.targets.projects.format import Project

pytestmark = pytest.mark.parametrize("unpacked", ["dir"], indirect=True)

MAIN = """\
#include "digits.h"

STILLPOOL_ALIGNED(DIGITS_WORKSPACE_POOL_ALIGN)
static uint8_t workspace[DIGITS_WORKSPACE_WORKSPACE_POOL_SIZE];

int main(void)
{
    digits_workspace_pools pools = {workspace};
    return (int)digits_run(&pools);
}
"""
FETCHED = """\
include(FetchContent)
FetchContent_Declare(network SOURCE_DIR {folder})
FetchContent_MakeAvailable(network)
"""


def application(folder: Path, found: str) -> None:
    """A CMake project that finds the library in its own way; its name is that of the network."""
    folder.mkdir()
    (folder / "main.c").write_text(MAIN)
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.14)\nproject(application LANGUAGES C)\n"
        f"{found}add_executable(digits main.c)\ntarget_link_libraries(digits PRIVATE stillpool::digits)\n"
    )


def test_make(unpacked: Path) -> None:
    run("make", f"CFLAGS={' '.join(WARNINGS)}", cwd=unpacked)
    names = run("ar", "t", "build/libdigits.a", cwd=unpacked).split()
    assert [name for name in names if not name.startswith("__")] == ["digits.o", "digits_data.o"]
    assert "PASS" in run("make", "check", cwd=unpacked)
    run("make", "clean", cwd=unpacked)
    assert not (unpacked / "build").exists()


def test_installed_package_is_found(unpacked: Path, tmp_path: Path) -> None:
    cmake(unpacked, tmp_path / "build", f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'prefix'}")
    assert "100% tests passed" in run("ctest", cwd=tmp_path / "build")
    run("cmake", "--install", tmp_path / "build", cwd=tmp_path)
    application(tmp_path / "application", "find_package(digits 1.0 REQUIRED)\n")
    cmake(tmp_path / "application", tmp_path / "out", f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}")
    run(tmp_path / "out" / "digits", cwd=tmp_path)


def test_fetched_content(unpacked: Path, tmp_path: Path) -> None:
    application(tmp_path / "application", FETCHED.format(folder=unpacked))
    cmake(tmp_path / "application", tmp_path / "out")
    run(tmp_path / "out" / "digits", cwd=tmp_path)
    assert not list((tmp_path / "out").rglob("test_digits*"))


def test_the_mathematical_library_is_linked_where_it_is_needed(unpacked: Path, project: Project) -> None:
    with_math = replace(project, sources={**project.sources, "more.c": b"#include <stdint.h>\n #include <math.h>\n"})
    texts = [Directory().files(one)["CMakeLists.txt"].decode() for one in (project, with_math)]
    assert ["target_link_libraries(stillpool_digits PUBLIC m)" in text for text in texts] == [False, True]
