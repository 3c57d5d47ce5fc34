"""Names of tensors, for prose."""

from __future__ import annotations


def short_name(name: str) -> str:
    """A tensor's name without what converters append of other tensors, and without the scopes it stands in."""
    first = name.split(";")[0]
    parts = [part for part in first.split("/") if part]
    return "/".join(parts[-2:]) or name
