"""Data classes whose methods are made late behave like those whose methods are made at once."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from stillpool import late_methods

CLASSES = """
from dataclasses import dataclass, field

@dataclass(frozen=True)
class Point:
    x: int
    y: list[int] = field(default_factory=list)

@dataclass(frozen=True)
class Named(Point):
    name: str = ""

@dataclass(order=True)
class Rising:
    x: int

    def __post_init__(self):
        self.twice = 2 * self.x

@dataclass(frozen=True, slots=True)
class Slotted:
    x: int

@dataclass(eq=False)
class Own:
    x: int

    def __repr__(self):
        return "own"
"""


def classes(package: str) -> ModuleType:
    """The classes, in a module of a package."""
    module = ModuleType(f"{package}.classes")
    sys.modules[module.__name__] = module
    exec(CLASSES, vars(module))
    return module


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    if not hasattr(dataclasses, "_create_fn"):
        pytest.skip("this Python compiles all methods of a class at once")
    monkeypatch.setattr(dataclasses, "_create_fn", getattr(dataclasses, "_create_fn"))  # noqa: B009 - private
    late_methods.make_methods_late()
    yield classes("stillpool")
    del sys.modules["stillpool.classes"]


@pytest.fixture
def eager() -> Iterator[ModuleType]:
    yield classes("elsewhere")
    del sys.modules["elsewhere.classes"]


ASKED: list[Callable[[Any], object]] = [
    lambda m: repr(m.Point(1)),
    lambda m: repr(m.Named(1, [2], name="n")),
    lambda m: m.Named(1).y is m.Named(1).y,
    lambda m: (m.Point(1) == m.Point(1), m.Point(1) == m.Named(1), m.Point(1) == 1, m.Own(1) == m.Own(1)),
    lambda m: hash(m.Slotted(3)),
    lambda m: hash(m.Point(3)),
    lambda m: (m.Rising(1) < m.Rising(2), m.Rising(3).twice, hash(m.Rising(3))),
    lambda m: m.Point(),
    lambda m: m.Named(1, zero=2),
    lambda m: setattr(m.Point(1), "x", 2),
    lambda m: setattr(m.Named(1), "other", 2),
    lambda m: delattr(m.Slotted(1), "x"),
    lambda m: repr(m.Own(1)),
    lambda m: m.Slotted.__init__.__qualname__,
    lambda m: repr(dataclasses.replace(m.Named(1), name="other")),
]


def answer(ask: Callable[[Any], object], module: ModuleType) -> object:
    try:
        return ask(module)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_late_methods_answer_as_others(number: int, late: ModuleType, eager: ModuleType) -> None:
    for _ in range(2):
        assert answer(ASKED[number], late) == answer(ASKED[number], eager)


def test_a_method_is_made_once(late: ModuleType) -> None:
    before = late.Point.__init__
    late.Named(1)
    assert late.Point.__init__ is before, "the class has an __init__ of its own"
    late.Point(1)
    made = late.Point.__init__
    assert made is not before
    assert made.__code__.co_varnames == ("self", "x", "y")
    before(late.Point(2), 3)
    assert late.Point.__init__ is made


def test_a_class_keeps_its_own_methods_when_a_base_makes_one(late: ModuleType) -> None:
    own = late.Named.__hash__
    late.Point.__init__(late.Named(1), 2)
    assert late.Named.__hash__ is own


def test_classes_of_other_packages_stay(late: ModuleType, eager: ModuleType) -> None:
    assert eager.Point.__init__.__code__.co_varnames == ("self", "x", "y")
    assert late.Point.__init__.__code__.co_varnames != ("self", "x", "y")
