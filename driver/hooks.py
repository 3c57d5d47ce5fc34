"""Passes that installed packages put between the stages of the pipeline.

An entry point of the group `stillpool.passes` is called `before.STAGE.PASS` or `after.STAGE.PASS` and loads the pass
PASS, an xDSL `ModulePass`. Passes at one place run in the order of their names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from xdsl.passes import ModulePass

from ..errors import one_of
from ..plugins import Plugins, is_subclass
from ..universe import UNIVERSE

STAGES: Mapping[str, str] = {
    "nn": "graphs of `nn` operations, simplified by `nn-clean-up`",
    "tasks": "operators as functions of tasks, made by `lower-nn`",
    "memref": "tasks as loops, made by `lower-tasks`",
    "io": "inputs and outputs as buffers, made by `usmp-io-allocs` and `usmp-inputs`",
    "pools": "pool and offset of every buffer, decided by the passes from `usmp-assign-pools` to `usmp-check`",
    "offsets": "buffers as views of pools, made by `usmp-materialize-offsets` and proved once more",
    "emitc": "C constructs, made by `emit-c`",
}
"""The stages in order, and what the module holds after each."""

ADDED: Plugins[type[ModulePass]] = Plugins("stillpool.passes", "a subclass of ModulePass", is_subclass(ModulePass))

_NAME = re.compile(r"(before|after)\.([a-z]+)\.([a-z][a-z0-9-]*)")


def around(stage: str, *passes: ModulePass) -> tuple[ModulePass, ...]:
    """The passes of a stage between those that packages put before and after it."""
    return *before(stage), *passes, *after(stage)


def before(stage: str) -> tuple[ModulePass, ...]:
    """Passes that packages put before a stage."""
    return _at("before", stage)


def after(stage: str) -> tuple[ModulePass, ...]:
    """Passes that packages put after a stage."""
    return _at("after", stage)


def _at(side: str, stage: str) -> tuple[ModulePass, ...]:
    assert stage in STAGES, f"'{stage}' is a stage"
    here = {name: point for point, (place, at, name) in _parsed().items() if (place, at) == (side, stage)}
    return tuple(_load(point, name) for name, point in sorted(here.items()))


def _parsed() -> dict[str, tuple[str, str, str]]:
    """The names of the entry points, taken apart.

    Raises:
        UsageError: one names no place or stage, or a pass of stillpool's own.
    """
    found: dict[str, tuple[str, str, str]] = {}
    for point in ADDED.names():
        match = _NAME.fullmatch(point)
        if match is None:
            raise ADDED.refusal(point, "is not named before.STAGE.PASS or after.STAGE.PASS")
        side, stage, name = match.groups()
        if stage not in STAGES:
            raise ADDED.refusal(point, f"names the stage '{stage}', which does not exist ({one_of(stage, [*STAGES])})")
        if name in UNIVERSE.all_passes:
            raise ADDED.refusal(point, f"names its pass '{name}' as one of stillpool's own")
        found[point] = (side, stage, name)
    return found


def _load(point: str, name: str) -> ModulePass:
    added = ADDED.load(point)
    assert added is not None, "it is installed"
    if added.name != name:
        raise ADDED.refusal(point, f"loads the pass '{added.name}'")
    return added()
