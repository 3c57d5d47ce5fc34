"""Layouts for frameworks: what their build files say is compiled, with stand-ins for what the frameworks bring."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from building import WARNINGS, cmake, passes, run

import stillpool
from stillpool.errors import UsageError
from stillpool.targets.projects.format import Project
from stillpool.targets.projects.registry import get_format

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ARDUINO = """\
#include <stdio.h>
struct {
    void begin(long) {}
    template <class T> void print(T value) { show(value); }
    template <class T> void println(T value) { show(value); puts(""); }
    void show(long value) { printf("%ld", value); }
    void show(unsigned long value) { printf("%lu", value); }
    void show(const char *value) { printf("%s", value); }
} Serial;
static unsigned long micros() { return 7; }
#include SKETCH
int main() { setup(); loop(); }
"""
"""Arduino's own functions, as far as the sketches use them."""
PROJECT = "cmake_minimum_required(VERSION 3.14)\nproject(application LANGUAGES C)\nadd_executable(application main.c)\n"
ZEPHYR = """\
function(zephyr_include_directories)
    target_include_directories(application PRIVATE ${ARGV})
endfunction()
function(zephyr_library_named name)
    set(ZEPHYR_CURRENT_LIBRARY ${name} PARENT_SCOPE)
    add_library(${name} STATIC)
    target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:application,INCLUDE_DIRECTORIES>)
    target_link_libraries(application PRIVATE ${name})
endfunction()
function(zephyr_library_sources)
    target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()
set(ZEPHYR_CURRENT_MODULE_DIR @FOLDER@)
add_subdirectory(@FOLDER@/@CMAKE@ module)
"""
"""What Zephyr's build system does with a module."""
ESP_IDF = """\
function(idf_component_register)
    cmake_parse_arguments(arg "" "" "SRCS;INCLUDE_DIRS" ${ARGV})
    add_library(component STATIC ${arg_SRCS})
    target_include_directories(component PUBLIC ${arg_INCLUDE_DIRS})
    target_link_libraries(application PRIVATE component)
endfunction()
set(COMPONENT_LIB component)
add_subdirectory(@FOLDER@ component)
"""
"""What ESP-IDF's build system does with a component."""


def framework(folder: Path, text: str, module: Path, cmake_folder: str = "") -> None:
    """An application with the self-test as its main program, and a framework's stand-in."""
    folder.mkdir()
    shutil.copy(module / "test" / "test_digits.c", folder / "main.c")
    text = text.replace("@FOLDER@", str(module)).replace("@CMAKE@", cmake_folder)
    (folder / "CMakeLists.txt").write_text(f"{PROJECT}{text}target_link_libraries(application PRIVATE m)\n")


@pytest.mark.parametrize("unpacked", ["zephyr"], indirect=True)
def test_zephyr(unpacked: Path, tmp_path: Path) -> None:
    module = (unpacked / "zephyr" / "module.yml").read_text()
    said = dict(re.findall(r"^ *(\w+): *(\S+)$", module, re.MULTILINE))
    assert said == {"name": "digits", "cmake": "zephyr", "kconfig": "zephyr/Kconfig"}
    assert "config STILLPOOL_DIGITS\n" in (unpacked / said["kconfig"]).read_text()
    framework(tmp_path / "application", ZEPHYR, unpacked, said["cmake"])
    cmake(tmp_path / "application", tmp_path / "out", "-DCONFIG_STILLPOOL_DIGITS=y")
    assert run(tmp_path / "out" / "application", cwd=tmp_path).startswith("PASS")


@pytest.mark.parametrize("unpacked", ["esp-idf"], indirect=True)
def test_esp_idf(unpacked: Path, tmp_path: Path) -> None:
    framework(tmp_path / "application", ESP_IDF, unpacked)
    cmake(tmp_path / "application", tmp_path / "out")
    assert run(tmp_path / "out" / "application", cwd=tmp_path).startswith("PASS")


@pytest.mark.parametrize("unpacked", ["platformio"], indirect=True)
def test_platformio(unpacked: Path) -> None:
    library = json.loads((unpacked / "library.json").read_text())
    assert all((unpacked / "include" / header).exists() for header in library["headers"])
    assert library["homepage"].startswith("https://")
    assert library["license"] == "0BSD"
    build = library["build"]
    passes(unpacked, sorted((unpacked / build["srcDir"]).rglob("*.c")), build["includeDir"])


@pytest.mark.parametrize("unpacked", ["arduino"], indirect=True)
def test_arduino(unpacked: Path) -> None:
    lines = (unpacked / "library.properties").read_text().splitlines()
    properties = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    # What Arduino's library specification requires, and its words for the category.
    required = {"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"}
    assert set(properties) == required | {"includes"}
    assert re.fullmatch(r"[A-Za-z0-9][\w .-]{0,62}", properties["name"])
    assert properties["category"] == "Data Processing"
    assert properties["url"].startswith("https://")
    assert (unpacked / "src" / properties["includes"]).exists()
    passes(unpacked, sorted((unpacked / "src").rglob("*.c")), "src", "extras/test/test_digits.c")
    run("make", "-C", "extras/test", cwd=unpacked)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"interface": "tvm"},
        pytest.param({"interface": "ai"}, marks=pytest.mark.sweep),
        pytest.param({"workspace_io": "none", "pools": ["fast"]}, marks=pytest.mark.sweep),
        pytest.param({"builtin_pools": True}, marks=pytest.mark.sweep),
        pytest.param({"double_buffer_inputs": True, "input_released_callback": True}, marks=pytest.mark.sweep),
    ],
    ids=str,
)
def test_sketches_run(options: dict[str, Any], tmp_path: Path) -> None:
    model = EXAMPLES / "novelty" / "novelty.tflite"
    stillpool.compile(model, **options).write(tmp_path / "library", "arduino")
    library = tmp_path / "library"
    (library / "board.cpp").write_text(ARDUINO)
    for source in (library / "src").rglob("*.c"):
        run("gcc", "-std=gnu11", *WARNINGS, "-Isrc", "-c", source, cwd=library)
    sketch = '-DSKETCH="examples/novelty/novelty.ino"'
    objects = sorted(library.glob("*.o"))
    run("g++", *WARNINGS, sketch, "-Isrc", "board.cpp", *objects, "-o", "board", "-lm", cwd=library)
    assert run(library / "board", cwd=library) == "novelty: status 0, microseconds 0\n"


@pytest.mark.parametrize(
    ("name", "path", "text"),
    [
        ("zephyr", "zephyr/Kconfig", "depends on !MINIMAL_LIBC"),
        ("esp-idf", "CMakeLists.txt", "target_link_libraries(${COMPONENT_LIB} INTERFACE m)"),
        ("platformio", "library.json", '"-lm"'),
        ("arduino", "library.properties", "ldflags=-lm"),
    ],
)
def test_the_mathematical_library_is_linked_where_it_is_needed(
    name: str, path: str, text: str, project: Project
) -> None:
    with_math = replace(project, sources={**project.sources, "more.c": b"#include <math.h>\n"})
    assert [text in get_format(name).files(one)[path].decode() for one in (project, with_math)] == [False, True]


@pytest.mark.parametrize(
    ("format", "name"), [("arduino", "n" * 64), ("cmsis-pack", "n" * 33), ("cmsis-pack", "_hidden")]
)
def test_a_name_that_a_format_cannot_have_is_refused(format: str, name: str, project: Project) -> None:
    with pytest.raises(UsageError, match=f"format '{format}'.*{name}.*--name"):
        get_format(format).files(replace(project, name=name))
