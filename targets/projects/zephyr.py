"""The project as a Zephyr module: found through `zephyr/module.yml`, switched on by an option of Kconfig."""

from __future__ import annotations

from .library import Library, LibraryFormat

_MODULE = """\
name: {name}
build:
  cmake: zephyr
  kconfig: zephyr/Kconfig
"""

_KCONFIG = (
    "config {option}\n"
    '\tbool "Network {name}, compiled by stillpool"\n'
    "{depends}"
    "\thelp\n"
    "\t  Compile the network, and put its headers on the include path of the application.\n"
)

_CMAKE = """\
if(CONFIG_{option})
  zephyr_include_directories(${{ZEPHYR_CURRENT_MODULE_DIR}}/{include})
  zephyr_library_named(stillpool_{name})
  zephyr_library_sources(
{sources})
endif()
"""


class Zephyr(LibraryFormat):
    """The folder of a module; `CONFIG_STILLPOOL_<M>=y` compiles it."""

    name = "zephyr"

    def build_files(self, library: Library) -> dict[str, str]:
        """Files that Zephyr's build system reads, in `zephyr`.

        Zephyr's minimal C library has no math.h, and the others need not be told to link it.
        """
        option = f"STILLPOOL_{library.name.upper()}"
        return {
            "zephyr/module.yml": _MODULE.format(name=library.name),
            "zephyr/Kconfig": _KCONFIG.format(
                option=option,
                name=library.name,
                depends="\tdepends on !MINIMAL_LIBC\n" if library.libraries else "",
            ),
            "zephyr/CMakeLists.txt": _CMAKE.format(
                option=option,
                name=library.name,
                include=library.folders.include,
                sources="\n".join(f"    ${{ZEPHYR_CURRENT_MODULE_DIR}}/{source}" for source in library.sources),
            ),
        }


FORMAT = Zephyr
