"""Inputs and outputs that could belong to the caller instead of lying in the workspace."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ...driver.pipeline import INPUT_OPTIONS
from ...targets.interfaces.description import Description, Tensor
from .lever import Lever
from .variants import Plannable, compilations, with_plan

_WORDS = ("all", "none", "inputs", "outputs")


def taken_out(of: Plannable, models: Sequence[Description]) -> Iterator[Lever]:
    """Each tensor of the workspace by itself, all inputs, all outputs, and everything.

    Of several models all change alike, as `--workspace-io` holds for all of them.
    """
    plans = [one.plan for one in compilations(of)]
    if len(models) > 1 and any(plan.io != "all" for plan in plans):
        return
    seen: set[str] = set()
    for action, out in _groups(models):
        words = {_rest(model, out) for model in models}
        io = words.pop()
        if words or io is None or io in seen:
            continue
        seen.add(io)
        # Options for inputs in the workspace go with the last of them.
        gone = (
            []
            if any(tensor not in out for model in models for tensor in model.in_workspace("input"))
            else [
                (option, field)
                for option, field in INPUT_OPTIONS.items()
                if any(getattr(plan, field) for plan in plans)
            ]
        )
        fields = {field: False for _, field in gone}
        changed = with_plan(of, lambda plan, io=io, fields=fields: replace(plan, io=io, **fields))
        left_out = f" without {' '.join(option for option, _ in gone)}" if gone else ""
        yield Lever(action, f"--workspace-io {shlex.quote(io)}{left_out}", changed, sum(tensor.bytes for tensor in out))


def _groups(models: Sequence[Description]) -> Iterator[tuple[str, Collection[Tensor]]]:
    """Tensors that could be taken out together, also in words."""
    inputs = [tensor for model in models for tensor in model.in_workspace("input")]
    outputs = [tensor for model in models for tensor in model.in_workspace("output")]
    if len(models) == 1:
        for side, tensors in (("input", inputs), ("output", outputs)):
            for tensor in tensors:
                yield f"let the caller bring {side} {tensor.name}", [tensor]
    yield "let the caller bring the inputs", inputs
    yield "let the caller bring the outputs", outputs
    yield "let the caller bring inputs and outputs", [*inputs, *outputs]


def _rest(model: Description, out: Collection[Tensor]) -> str | None:
    """`--workspace-io` for what stays in the workspace of a model; None if it cannot be said."""
    stays = [t for side in ("input", "output") for t in model.in_workspace(side) if t not in out]
    if not stays:
        return "none"
    for word, tensors in (("inputs", model.inputs), ("outputs", model.outputs)):
        if stays == list(tensors):
            return word
    names = [tensor.name for tensor in stays]
    sayable = not any(set(name) & set('",') or name in _WORDS for name in names)
    return ",".join(names) if sayable else None
