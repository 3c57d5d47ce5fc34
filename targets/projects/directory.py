"""The project as a plain directory: header, source, data, self-test, report, manifest; Makefile and CMake package."""

from __future__ import annotations

from collections.abc import Mapping

from ..c.folding import folded_text
from ..interfaces.interface import Interface
from .library import VERSION, Library, LibraryFormat

_MAKEFILE = """\
# Builds build/lib{name}.a: make. Runs the self-tests on this machine: make check
CC ?= cc
AR ?= ar
CFLAGS ?= -O2 -Wall -Wextra
BUILD ?= build
OBJECTS = {objects}

.PHONY: all check clean
all: $(BUILD)/lib{name}.a

$(BUILD)/lib{name}.a: $(OBJECTS)
	rm -f $@
	$(AR) rcs $@ $(OBJECTS)

$(BUILD)/%.o: %.c $(wildcard {include}/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c99 $(CFLAGS) -I{include} -c $< -o $@
{assembly}
check:
	$(MAKE) -C {test}

clean:
	rm -rf $(BUILD)
	$(MAKE) -C {test} clean
"""

_ASSEMBLY = """
$(BUILD)/%.o: %.S {blobs}
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -I{include} -c $< -o $@
"""

_CMAKE = """\
# The library stillpool::{name}: with add_subdirectory or FetchContent, or installed and found by find_package({name}).
cmake_minimum_required(VERSION 3.14...3.31)
project({name} VERSION {version} LANGUAGES {languages})
include(GNUInstallDirs)

add_library(stillpool_{name} STATIC
{sources})
add_library(stillpool::{name} ALIAS stillpool_{name})
set_target_properties(stillpool_{name} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF EXPORT_NAME {name})
target_include_directories(stillpool_{name} PUBLIC
    $<BUILD_INTERFACE:${{CMAKE_CURRENT_SOURCE_DIR}}/{include}>
    $<INSTALL_INTERFACE:${{CMAKE_INSTALL_INCLUDEDIR}}/{name}>)
{links}{blobs}
# By itself, not as a part of an application.
if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    include(CMakePackageConfigHelpers)
    set(package ${{CMAKE_INSTALL_LIBDIR}}/cmake/{name})
    write_basic_package_version_file({name}-config-version.cmake COMPATIBILITY SameMajorVersion)
    install(TARGETS stillpool_{name} EXPORT {name} ARCHIVE DESTINATION ${{CMAKE_INSTALL_LIBDIR}})
    install(EXPORT {name} NAMESPACE stillpool:: FILE {name}-config.cmake DESTINATION ${{package}})
    install(FILES ${{CMAKE_CURRENT_BINARY_DIR}}/{name}-config-version.cmake DESTINATION ${{package}})
    install(DIRECTORY {include}/ DESTINATION ${{CMAKE_INSTALL_INCLUDEDIR}}/{name})

    enable_testing()
    if(NOT CMAKE_CROSSCOMPILING)
        foreach(test {tests})
            add_executable(${{test}} {test}/${{test}}.c{test_sources})
            set_target_properties(${{test}} PROPERTIES C_STANDARD 99 C_EXTENSIONS OFF)
            target_link_libraries(${{test}} PRIVATE stillpool::{name} $<$<NOT:$<C_COMPILER_ID:MSVC>>:m>)
            add_test(NAME ${{test}} COMMAND ${{test}})
        endforeach()
    endif()
endif()
"""

_LINKS = """\
if(NOT MSVC)
    target_link_libraries(stillpool_{name} PUBLIC {libraries})
endif()
"""


def code(
    interface: Interface, headers: Mapping[str, str], source: str, data: str | None, *, is_assembly: bool = False
) -> dict[str, bytes]:
    """The files that an application compiles: {relative path: bytes}; `headers` by file name."""
    stem = interface.stem
    texts = {**{f"include/{name}": text for name, text in headers.items()}, network_path(interface): source}
    if data is not None:
        texts[f"src/{stem}_data.{'S' if is_assembly else 'c'}"] = data
    return {path: (text if path.endswith(".S") else folded_text(text)).encode() for path, text in texts.items()}


def network_path(interface: Interface) -> str:
    """The file of the network, of those."""
    return f"src/{interface.stem}.c"


def data(interface: Interface) -> frozenset[str]:
    """Files that hold constants and little else."""
    stem = interface.stem
    blobs = (f"include/{blob.file}" for blob in interface.model.blobs)
    return frozenset({f"src/{stem}_data.c", f"src/{stem}_data.S", f"include/{stem}_constants.h", *blobs})


class Directory(LibraryFormat):
    """`include`, `src`, `test` and `report`, a Makefile and a CMakeLists.txt."""

    name = "dir"

    def build_files(self, library: Library) -> dict[str, str]:
        """A library for make and for CMake."""
        return {"CMakeLists.txt": _cmake(library), "Makefile": _makefile(library)}


FORMAT = Directory


def _makefile(library: Library) -> str:
    objects = (f"$(BUILD)/{source.rpartition('.')[0]}.o" for source in library.sources)
    folders = library.folders
    blobs = " ".join(library.blobs)
    return _MAKEFILE.format(
        name=library.name,
        objects=" ".join(objects),
        include=folders.include,
        test=folders.test,
        assembly=_ASSEMBLY.format(blobs=blobs, include=folders.include) if library.has_assembly else "",
    )


def _cmake(library: Library) -> str:
    libraries = " ".join(library.libraries)
    return _CMAKE.format(
        name=library.name,
        version=VERSION,
        sources="\n".join(f"    {source}" for source in library.sources),
        include=library.folders.include,
        links=_LINKS.format(name=library.name, libraries=libraries) if libraries else "",
        languages="C ASM" if library.has_assembly or library.test_sources else "C",
        blobs=_cmake_blobs(library),
        test=library.folders.test,
        tests=" ".join(library.test_names),
        test_sources="".join(f" {path}" for path in library.test_sources),
    )


def _cmake_blobs(library: Library) -> str:
    """CMake text that assembles files anew when a file that they take in changes."""
    taking = " ".join((*(path for path in library.sources if path.endswith(".S")), *library.test_sources))
    found = " ".join(f"${{CMAKE_CURRENT_SOURCE_DIR}}/{path}" for path in library.blobs)
    return f'set_source_files_properties({taking} PROPERTIES OBJECT_DEPENDS "{found}")\n' if taking else ""
