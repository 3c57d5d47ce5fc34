"""Options that several verbs share: the model and how to plan its memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from ..driver.compile import Compilation

Command = TypeVar("Command", bound=Callable[..., Any])

MODEL = click.Path(path_type=Path)
"""A model file; whether it can be read is said by the importer, with exit code 1."""


OVERLAPS = ("off", "inplace", "full")


def plan_options(command: Command) -> Command:
    """Add the options that decide names and memory; the command passes them on to `prepared`."""
    decorated: Any = command
    for option in (
        click.option(
            "--workspace-io",
            default="all",
            metavar="none|all|inputs|outputs|TENSOR,...",
            help="Inputs and outputs that lie in the workspace. Default: all.",
        ),
        click.option(
            "--overlap",
            type=click.Choice(OVERLAPS),
            default="full",
            help="How an output may overlap an input that dies there: never, exactly in place, or at a distance too.",
        ),
        click.option("--usmp-algorithm", metavar="NAME", help="The planner's algorithm."),
        click.option("--constant-pool", multiple=True, metavar="NAME[:...]", help="A pool for constants (repeatable)."),
        click.option(
            "--workspace-pool",
            multiple=True,
            metavar="NAME[:size=BYTES,align=N,section=S,...]",
            help="A pool for buffers, in order of preference (repeatable).",
        ),
        click.option("--interface", default="native", metavar="native|tvm|ai", help="Style of the C interface."),
        click.option("--target", default="host", metavar="CPU", help="Processor to generate code for."),
        click.option("--name", metavar="NAME", help="Name of the model in C. Default: the file's name."),
    ):
        decorated = option(decorated)
    return decorated


def prepared(
    path: Path,
    *,
    name: str | None,
    target: str,
    interface: str,
    workspace_pool: tuple[str, ...],
    constant_pool: tuple[str, ...],
    usmp_algorithm: str | None,
    workspace_io: str,
    overlap: str,
    builtin_pools: bool = False,
) -> Compilation:
    """What to compile and how, from the options of `plan_options`."""
    from ..driver.compile import prepare
    from ..driver.pool_spec import parse_pool

    pools = [parse_pool(text) for text in workspace_pool] + [parse_pool(text, "constant") for text in constant_pool]
    return prepare(
        path,
        name=name,
        pools=pools,
        target=target,
        interface=interface,
        workspace_io=workspace_io,
        overlap=overlap,
        algorithm=usmp_algorithm,
        builtin_pools=builtin_pools,
    )
