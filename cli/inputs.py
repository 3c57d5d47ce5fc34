"""Inputs of the verbs that run a model once: arrays from files, or random ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import UsageError
from .effects import refuse_given
from .output import Output

if TYPE_CHECKING:
    from ..run.samples import Array
    from ..targets.interfaces.description import Description

Command = TypeVar("Command", bound=Callable[..., Any])


def input_options(
    what: str = "An input, by name or in order (repeatable). Default: seeded random inputs.",
) -> Callable[[Command], Command]:
    """Add --input, which means `what`, and --seed; `read_inputs` and `stacked_inputs` take them."""

    def add(command: Command) -> Command:
        decorated: Any = command
        for option in (
            click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of random inputs."),
            click.option("--input", "inputs", multiple=True, metavar="[NAME=]FILE.npy", help=what),
        ):
            decorated = option(decorated)
        return decorated

    return add


def refuse_seed() -> None:
    """Refuse --seed where the inputs are given.

    Raises:
        UsageError: it was given too.
    """
    refuse_given(("seed",), "no input is random where --input is given")


def stacked_inputs(description: Description, given: tuple[str, ...], seed: int, output: Output) -> dict[str, Array]:
    """One sample for every input, each with a first axis of length one.

    Raises:
        InputError: a file cannot be read, or an array does not fit its input.
        UsageError: there are more arrays than inputs.
    """
    import numpy as np

    from ..run.samples import checked_inputs, random_inputs

    if given:
        arrays = checked_inputs(description, read_inputs(description, given))
        return {name: array[np.newaxis] for name, array in arrays.items()}
    output.say(f"no --input: random inputs, seed {seed}")
    return random_inputs(description, 1, seed)


def read_inputs(description: Description, given: tuple[str, ...]) -> dict[str, Array]:
    """Arrays by input name from `[NAME=]FILE.npy` texts; those without a name fill the free inputs in order.

    Raises:
        InputError: a file cannot be read.
        UsageError: there are more arrays than inputs.
    """
    names = {tensor.name for tensor in description.inputs} | {tensor.identifier for tensor in description.inputs}
    pairs: list[tuple[str | None, str]] = []
    for text in given:
        name, equals, file = text.partition("=")
        # A path may contain "="; a text is only split where what stands before is an input.
        pairs.append((name, file) if equals and (name in names or not Path(text).exists()) else (None, text))
    taken = {name for name, _ in pairs}
    free = iter([tensor.name for tensor in description.inputs if not {tensor.name, tensor.identifier} & taken])
    result: dict[str, Array] = {}
    for name, file in pairs:
        key = name if name is not None else next(free, None)
        if key is None:
            raise UsageError(f"model '{description.name}' has {len(description.inputs)} inputs, got {len(given)}")
        if key in result:
            raise UsageError(f"input '{key}' is given twice")
        result[key] = _load(file)
    return result


def _load(file: str) -> Array:
    from ..run.arrays import read_array

    return read_array(Path(file))
