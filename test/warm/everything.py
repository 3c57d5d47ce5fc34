"""Imports what `xdsl-opt`, `stillpool-opt` and `stillpool compile` import when they are asked for it."""

import importlib

from stillpool.machines.cpus import cpu_names, get_cpu
from stillpool.universe import UNIVERSE

MODULES = (
    "stillpool.cli.compile",
    "stillpool.cli.opt",
    "stillpool.console",
    "stillpool.run.budgets",
    "stillpool.driver.compile.prepare",
    "stillpool.report.explain",
    "stillpool.driver.models.load",
    "stillpool.frontends.mlir",
    "stillpool.frontends.tflite",
    "stillpool.planner.exact",
    "stillpool.planner.large",
    "xdsl.dialects.cf",
    "xdsl.dialects.test",
    "xdsl.syntax_printer",
    "xdsl.targets.mlir",
    "xdsl.utils.color_printer",
)

for factory in (*UNIVERSE.all_dialects.values(), *UNIVERSE.all_passes.values(), *UNIVERSE.all_targets.values()):
    factory()
for module in MODULES:
    importlib.import_module(module)
for name in cpu_names():
    get_cpu(name)
