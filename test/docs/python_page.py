"""The page of the Python interface, from the docstrings of what `stillpool` and `stillpool.planner` export."""

from __future__ import annotations

import inspect

from api_entries import class_entry, function_entry

import stillpool
from stillpool import errors, planner
from stillpool.driver.compile.compiled import Compiled, CompiledSystem
from stillpool.driver.options.options import Options, Request
from stillpool.driver.options.pool_spec import PoolSpec
from stillpool.frontends.arrays import Tensor
from stillpool.run.system import System


def page() -> str:
    """The page's text."""
    parts = [f"{inspect.getdoc(stillpool)}\n"]
    for name, thing in (("compile", stillpool.compile), ("load", stillpool.load)):
        parts += function_entry(f"stillpool.{name}", thing)
    for made in (
        Options,
        Request,
        PoolSpec,
        stillpool.Model,
        stillpool.Network,
        stillpool.Scale,
        Tensor,
        stillpool.Artifact,
        Compiled,
        System,
        CompiledSystem,
    ):
        parts += class_entry(_public(made), made)
    parts += ["## `stillpool.planner`\n", f"{inspect.getdoc(planner)}\n"]
    for name in planner.__all__:
        thing = getattr(planner, name)
        if inspect.isclass(thing):
            parts += class_entry(f"stillpool.planner.{name}", thing, "###")
        elif inspect.isfunction(thing):
            parts += function_entry(f"stillpool.planner.{name}", thing, "###")
    parts += ["## `stillpool.errors`\n", f"{inspect.getdoc(errors)}\n", "| class | exit code | |", "|---|---|---|"]
    for name, thing in vars(errors).items():
        if inspect.isclass(thing) and issubclass(thing, errors.StillpoolError):
            parts.append(f"| `{name}` | {thing.exit_code} | {inspect.getdoc(thing)} |")
    return "\n".join([*parts, ""])


def _public(made: type) -> str:
    name = made.__name__
    return f"stillpool.{name}" if name in stillpool.__all__ else f"{made.__module__}.{name}"
