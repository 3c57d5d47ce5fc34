"""External functions of several models compiled together: whose operators each computes, and that all agree on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...targets.external_header import Function, Kind
from ...targets.interfaces.description import Description
from .compilation import Compilation

if TYPE_CHECKING:
    from ...transforms.external.hand_over import UnmatchedExternal


def shared_out(made: Sequence[Compilation], common: Sequence[str]) -> list[Compilation]:
    """Return the compilations, each with those of the requests in `common` that match operators of its model.

    What a model was asked for on its own, other than `common`, stays as it is.

    Raises:
        UsageError: a request matches no model.
    """
    from ...transforms.external.hand_over import unmatched_externals

    shared = list(made)
    unmatched: dict[str, list[tuple[str, UnmatchedExternal]]] = {}
    sharing = [number for number, one in enumerate(made) if one.plan.externals == tuple(common)]
    for number in sharing:
        one = made[number]
        plain = replace(one, plan=replace(one.plan, externals=()))
        failed = unmatched_externals(plain.module("nn"), common)
        for text, error in failed.items():
            unmatched.setdefault(text, []).append((one.model.name, error))
        matching = tuple(text for text in common if text not in failed)
        shared[number] = replace(one, plan=replace(one.plan, externals=matching))
    for errors in unmatched.values():
        if len(errors) == len(sharing):
            raise UsageError("; ".join(f"model '{name}': {error}" for name, error in errors))
    return shared


def check_agreed(descriptions: Iterable[Description]) -> None:
    """Check that functions and kinds of one name are the same in all models: they are one symbol, or one header.

    Raises:
        UsageError: names the function and both models.
    """
    functions: dict[str, tuple[Function, str]] = {}
    kinds: dict[str, tuple[Kind, str]] = {}
    for model in descriptions:
        for function in model.externals.functions if model.externals is not None else ():
            known, other = functions.setdefault(function.name, (function, model.name))
            if known != function:
                raise UsageError(
                    f"external function {function.name} would be called in two ways, as {known.signature} by model "
                    f"'{other}' and as {function.signature} by model '{model.name}'",
                    remedy="name a function for each, in [[model]] tables of a project file",
                )
            kind, other = kinds.setdefault(function.kind.name, (function.kind, model.name))
            if kind != function.kind:
                raise UsageError(
                    f"external function {function.name} of model '{model.name}': kind '{kind.name}' has other "
                    f"parameters in model '{other}'",
                    remedy="give the kinds of a package's patterns different names",
                )
