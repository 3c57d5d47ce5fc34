"""Names of values are checked once each: xDSL 0.74 matches two patterns each time that a name is given."""

from __future__ import annotations

from functools import lru_cache

from xdsl.ir.core import IRWithName

_checked = IRWithName.extract_valid_name.__func__  # pyright: ignore[reportFunctionMemberAccess]
_checked_once = lru_cache(maxsize=1 << 14)(_checked)


def _valid(cls: type[IRWithName], name: str | None) -> str | None:
    return None if name is None else _checked_once(cls, name)


IRWithName.extract_valid_name = classmethod(_valid)  # pyright: ignore[reportAttributeAccessIssue]
