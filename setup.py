"""The repository root is the package: map its folders to `stillpool.<folder>`."""

import os
import re
import tempfile
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = "stillpool"
ROOMS = (
    "cli",
    "driver",
    "report",
    "run",
    "frontends",
    "dialects",
    "lowering",
    "transforms",
    "machines",
    "planner",
    "targets",
    "tune",
)
DATA = [f"**/*.{suffix}" for suffix in ("json", "c", "h", "hpp", "toml", "html", "css", "js", "jsonl")]
NOT_SHIPPED = ("setup", "lit.cfg")


class BuildPy(build_py):
    """Keep setup.py and lit.cfg.py out of the wheel."""

    def find_package_modules(self, package: str, package_dir: str) -> list[Any]:
        """The modules of a package."""
        modules: list[Any] = super().find_package_modules(package, package_dir)
        return modules if package != ROOT else [m for m in modules if m[1] not in NOT_SHIPPED]


def repository() -> str | None:
    """The page of the repository, where GitHub's runners build a release of it; None elsewhere."""
    server, name = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
    return f"{server}/{name}" if server and name else None


def readme() -> str:
    """The README where no file of the repository is beside it: links to those lead to its page, or are text alone."""
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    tag = os.environ.get("GITHUB_REF_NAME", "main")
    files = f"[\\1]({page}/blob/{tag}/\\2)" if (page := repository()) else r"\1"
    return re.sub(r"\[([^\]]+)\]\((?!https?:|#)([^)]*)\)", files, text)


# `pip install .` leaves nothing in the checkout, and no earlier build gets into a wheel.
BUILD = tempfile.TemporaryDirectory(prefix="stillpool-build-")
rooms = find_packages(include=[pattern for room in ROOMS for pattern in (room, f"{room}.*")])
setup(
    project_urls={"Source": page} if (page := repository()) else {},
    long_description=readme(),
    long_description_content_type="text/markdown",
    packages=[ROOT, *(f"{ROOT}.{room}" for room in rooms)],
    package_dir={ROOT: "."},
    # Not all files that git knows: the version is read from there.
    include_package_data=False,
    package_data={ROOT: ["py.typed"], **{f"{ROOT}.{room}": DATA for room in rooms}},
    cmdclass={"build_py": BuildPy},
    options={"build": {"build_base": BUILD.name}, "egg_info": {"egg_base": BUILD.name}},
)
