"""`isinstance` of operations, values and attributes looks at their classes, as it does where these are not abstract.

xDSL 0.74 derives all of them from `abc.ABC`, whose `isinstance` is a call of Python that looks for registered classes:
three times as long. None is ever registered there. Methods that are abstract stay so.
"""

from __future__ import annotations

from abc import ABCMeta

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import AttrConstraint


class Plain(ABCMeta):
    """Class of abstract classes that have only the subclasses that derive from them."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


def _make_plain(kind: type) -> None:
    """Make a class plain, with all that derive from it; those that are made later are so by themselves."""
    if type(kind) is ABCMeta:
        kind.__class__ = Plain
    for derived in type.__subclasses__(kind):
        _make_plain(derived)


def _bases(kind: type) -> list[type]:
    """The abstract classes that a class derives from, itself among them."""
    return [base for base in kind.__mro__ if type(base) is ABCMeta and base.__module__.startswith("xdsl.")]


for _kind in (Attribute, Operation, SSAValue, AttrConstraint):
    for _base in _bases(_kind):
        _make_plain(_base)
