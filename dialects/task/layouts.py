"""Orders in which elements lie, by the names that packages give them."""

from __future__ import annotations

from dataclasses import dataclass

from ...plugins import Plugins, is_instance


@dataclass(frozen=True)
class Layout:
    """Order of the elements that a step of a task reads."""

    dims: tuple[str, ...]
    """Names of dimensions, outermost first: all on which their place depends."""


ADDED: Plugins[Layout] = Plugins("stillpool.layouts", "a stillpool.dialects.task.layouts.Layout", is_instance(Layout))
"""Layouts of packages, by the names that `pack` and `stage` have for them."""
