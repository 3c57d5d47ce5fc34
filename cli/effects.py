"""Options of a verb that would have no effect in the situation at hand."""

from __future__ import annotations

import click
from click.core import ParameterSource

from ..errors import UsageError
from .gathered import listed_name


def refuse_given(names: tuple[str, ...], why: str, remedy: str | None = None) -> None:
    """Refuse options of the running verb if they were given, on the command line or in a project file.

    Args:
        names: the options' parameters, as the verb's function calls them.
        why: what makes them idle; the message ends with which one has no effect.
        remedy: what to do instead of leaving the option out.

    Raises:
        UsageError: one was given.
    """
    context = click.get_current_context()
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT:
            assert isinstance(parameter, click.Option), "arguments are always given"
            option = listed_name(context.command, parameter)
            raise UsageError(f"{why}: {option} has no effect", remedy=remedy or f"leave out {option}")
