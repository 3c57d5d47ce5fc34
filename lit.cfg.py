"""lit configuration: `lit test` from the repository's root."""

# pyright: basic, reportUndefinedVariable=false, reportMissingImports=false

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "test"))
from known_lit import KnownShTest

config.name = "stillpool"
# `--param shell=1` starts an interpreter for each command, `--param shell=first` likewise, but runs no more tests than
# it takes to meet every pass, target and dialect.
config.test_format = KnownShTest(["filecheck.main", "xdsl.tools.xdsl_opt", "warm.everything"])
config.suffixes = [".mlir", ".test"]
config.excludes = [".typing", ".venv", "build", "Output"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.test_source_root, "build", "lit")

# A virtual environment need not be activated: its programs come first.
config.environment["PATH"] = os.pathsep.join((os.path.dirname(sys.executable), os.environ.get("PATH", "")))
# What is tested is this checkout, whatever is installed.
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, ".typing")


def tool(feature, *names):
    """Make a program available as `%name`, and tests that require it possible."""
    for name in names:
        if path := shutil.which(name):
            config.available_features.add(feature)
            config.substitutions.append((f"%{feature}", path))
            return


tool("mlir-opt", "mlir-opt-22")
tool("mlir-translate", "mlir-translate-22")
tool("cc", "cc", "gcc", "clang")
