"""The network of a model after the clean-ups, made once for all that ask for it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from xdsl.dialects.builtin import ModuleOp

from .. import pipeline
from .entry import name_tensors
from .model import Model


def simplified(model: Model, plan: pipeline.Plan) -> ModuleOp:
    """A fresh module at level `nn`, after the clean-ups of a plan.

    Raises:
        StillpoolError: a pass refused the model.
    """
    passes = pipeline.to_simplified(plan)
    known = _SIMPLIFIED.setdefault(model.nn, {})
    if passes not in known:
        module = model.nn.clone()
        name_tensors(module)
        pipeline.apply(module, passes, where=model.source)
        known[passes] = module
    return known[passes].clone()


_SIMPLIFIED: WeakKeyDictionary[ModuleOp, dict[pipeline.Passes, ModuleOp]] = WeakKeyDictionary()
"""Simplified modules by the imported one and the passes that they went through."""
