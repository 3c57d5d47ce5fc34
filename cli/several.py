"""One model or several, from the command line and a project file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .options import MODEL, of_board, requested
from .project_file import file_pools, model_options, project_file

if TYPE_CHECKING:
    from ..driver.compile.compilation import Compilation
    from ..driver.compile.compile_system import SystemCompilation

Command = TypeVar("Command", bound=Callable[..., Any])


def model_arguments(command: Command) -> Command:
    """Add MODEL..., --concurrency and --config; the command passes them on to `prepared_all`."""
    decorated: Any = command
    for option in (
        click.option(
            "-c",
            "--config",
            is_eager=True,
            expose_value=False,
            callback=project_file,
            type=click.Path(path_type=Path),
            help="TOML file with these options as keys; options given here win.",
        ),
        click.option(
            "--concurrency",
            default="exclusive",
            metavar="exclusive|concurrent|pipeline",
            help="When several models use the pools: one at a time (default), any time, or each on the outputs of the "
            "last.",
        ),
        click.argument("models", nargs=-1, required=True, type=MODEL, metavar="MODEL..."),
    ):
        decorated = option(decorated)
    return decorated


def prepared_all(models: tuple[Path, ...], **options: Any) -> Compilation | SystemCompilation:
    """Requests for the models, from the options of `model_arguments` and `plan_options`."""
    from ..driver.compile.prepare import prepare_all
    from ..driver.options.options import Request
    from ..driver.options.pool_files import board_pools

    context = click.get_current_context()
    requests: list[Request] = []
    for index, path in enumerate(models):
        own = model_options(context, models, index)
        name = options["name"][index] if index < len(options["name"]) else own.get("name")
        contracts = {key: own.get(key.replace("_", "-")) for key in ("keep_inputs", "double_buffer_inputs")}
        requests.append(Request(path, name, own.get("workspace-io"), externals=own.get("external"), **contracts))
    request = requested(len(models), has_externals=any(one.externals for one in requests), **options)
    if file_pools(context) and options["board"] is not None:
        of_board(board_pools(options["board"]), options["board"], file_pools(context))
    request["pools"] = [*request.get("pools", ()), *file_pools(context)]
    return prepare_all(requests, **request)
