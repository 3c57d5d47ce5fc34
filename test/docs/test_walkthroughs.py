"""The files of the walk-throughs, built by CMake with stand-ins for what the frameworks bring."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from pages import ROOT, blocks
from reader import Reader

pytestmark = pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")

ZEPHYR = """\
macro(project name)
    if(NOT TARGET app)
        _project(${name} LANGUAGES C)
        add_executable(app)
        file(STRINGS ${CMAKE_SOURCE_DIR}/prj.conf settings REGEX "^CONFIG_")
        foreach(setting IN LISTS settings)
            string(REPLACE "=" ";" setting ${setting})
            list(GET setting 0 key)
            list(GET setting 1 value)
            set(${key} ${value})
        endforeach()
        foreach(folder IN LISTS ZEPHYR_EXTRA_MODULES)
            set(ZEPHYR_CURRENT_MODULE_DIR ${folder})
            file(STRINGS ${folder}/zephyr/module.yml where REGEX "cmake:")
            string(REGEX REPLACE ".*cmake: *" "" where "${where}")
            add_subdirectory(${folder}/${where} module)
        endforeach()
    endif()
endmacro()
function(zephyr_include_directories)
    target_include_directories(app PRIVATE ${ARGV})
endfunction()
function(zephyr_library_named name)
    set(ZEPHYR_CURRENT_LIBRARY ${name} PARENT_SCOPE)
    add_library(${name} STATIC)
    target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:app,INCLUDE_DIRECTORIES>)
    target_link_libraries(app PRIVATE ${name} m)
endfunction()
function(zephyr_library_sources)
    target_sources(${ZEPHYR_CURRENT_LIBRARY} PRIVATE ${ARGV})
endfunction()
"""
"""What `find_package(Zephyr)` brings, as far as the page uses it."""

ESP_IDF = """\
macro(project name)
    if(NOT TARGET app)
        _project(${name} LANGUAGES C)
        file(WRITE ${CMAKE_BINARY_DIR}/start.c "void app_main(void); int main(void) { app_main(); return 0; }")
        add_executable(app ${CMAKE_BINARY_DIR}/start.c)
        file(GLOB components ${CMAKE_SOURCE_DIR}/components/* ${CMAKE_SOURCE_DIR}/main)
        foreach(folder IN LISTS components)
            get_filename_component(COMPONENT_LIB ${folder} NAME)
            add_subdirectory(${folder} ${COMPONENT_LIB})
            target_link_libraries(app PRIVATE ${COMPONENT_LIB})
        endforeach()
    endif()
endmacro()
function(idf_component_register)
    cmake_parse_arguments(arg "" "" "SRCS;INCLUDE_DIRS;REQUIRES" ${ARGV})
    add_library(${COMPONENT_LIB} STATIC ${arg_SRCS})
    target_include_directories(${COMPONENT_LIB} PUBLIC ${arg_INCLUDE_DIRS})
    target_link_libraries(${COMPONENT_LIB} PUBLIC ${arg_REQUIRES})
endfunction()
"""
"""What `project.cmake` of ESP-IDF brings, as far as the page uses it."""


def built(page: str, folder: Path, environment: dict[str, str]) -> str:
    """Follow a page, build its folder `app`, and give what the application prints."""
    (folder / "examples").symlink_to(ROOT / "examples")
    reader = Reader(folder)
    for block in blocks(page):
        reader.follow(block)
    for command in (("cmake", "-S", "app", "-B", "out"), ("cmake", "--build", "out")):
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return subprocess.run([folder / "out" / "app"], capture_output=True, text=True, check=True).stdout


def test_zephyr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "zephyr"
    package.mkdir()
    (package / "ZephyrConfig.cmake").write_text(ZEPHYR)
    assert built("docs/start/zephyr.md", tmp_path, {"ZEPHYR_BASE": str(package)}) == "digits_run: 0\n"


def test_esp_idf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    framework = tmp_path / "idf" / "tools" / "cmake"
    framework.mkdir(parents=True)
    (framework / "project.cmake").write_text(ESP_IDF)
    assert built("docs/start/esp-idf.md", tmp_path, {"IDF_PATH": str(tmp_path / "idf")}) == "digits_run: 0\n"


@pytest.mark.parametrize("name", ["cmake", "zephyr", "esp-idf"])
def test_there_are_fewer_than_ten_commands(name: str) -> None:
    shown = [block.text for block in blocks(f"docs/start/{name}.md") if block.language == "sh"]
    assert len([line for text in shown for line in text.splitlines() if line]) < 10
