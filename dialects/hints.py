"""Constraints of generic types, made once.

xDSL 0.74 makes the constraint of a type like `ArrayAttr[IntAttr]` anew each time that `isa` or a parser asks for it: a
tenth of what reading a module with many constants takes. Constraints have no state.
"""

from __future__ import annotations

from functools import cache
from typing import Any, get_origin

import xdsl.irdl
from xdsl.irdl import attributes

_made = attributes.irdl_to_attr_constraint
_made_once = cache(_made)


def _constraint(irdl: Any, *, allow_type_var: bool = False) -> Any:
    if get_origin(irdl) is None or allow_type_var:
        return _made(irdl, allow_type_var=allow_type_var)
    return _made_once(irdl)


attributes.irdl_to_attr_constraint = xdsl.irdl.irdl_to_attr_constraint = _constraint
