"""The texts below the fields of a class."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """An annotated field of a class, as its source has it."""

    name: str
    annotation: str
    default: str
    """Empty for none."""
    text: str
    """In one line; empty for none."""


def fields_of(made: type) -> list[Field]:
    """The annotated fields of a class itself, in order."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(made))).body
    assert isinstance(body, ast.ClassDef), "a class was parsed"
    found: list[Field] = []
    for field, after in zip(body.body, [*body.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign):
            continue
        documented = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        text = re.sub(r"\s+", " ", str(after.value.value)).strip() if documented else ""
        default = ast.unparse(field.value) if field.value is not None else ""
        found.append(Field(ast.unparse(field.target), ast.unparse(field.annotation), default, text))
    return found
