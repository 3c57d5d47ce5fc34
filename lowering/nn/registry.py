"""Which function lowers which `nn` operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from xdsl.dialects.builtin import f32, i8, i32
from xdsl.ir import Attribute, Operation

from ...plugins import Plugins
from .kernel import Kernel

OpT = TypeVar("OpT", bound=Operation)

Lowering = Callable[[Any, Kernel], None]
"""Emits the body of an operator's function: `(operation, kernel)`."""

ADDED: Plugins[Lowering] = Plugins("stillpool.lowerings", "a function decorated with @lowers", callable)
"""Lowerings of other packages, by the operation's name (`dialect.operation`)."""

_LOWERINGS: dict[type[Operation], tuple[Lowering, frozenset[Attribute]]] = {}

DEFAULT_ELEMENTS: tuple[Attribute, ...] = (i8, i32, f32)
"""Element types of operands and results unless a lowering names others; i32 is the type of biases."""


def lowers(
    op: type[OpT], elements: tuple[Attribute, ...] = DEFAULT_ELEMENTS
) -> Callable[[Callable[[OpT, Kernel], None]], Callable[[OpT, Kernel], None]]:
    """Decorator: register the lowering of operation class `op` for tensors of the given element types."""

    def register(lowering: Callable[[OpT, Kernel], None]) -> Callable[[OpT, Kernel], None]:
        assert op not in _LOWERINGS, f"{op.name} has two lowerings"
        _LOWERINGS[op] = (lowering, frozenset(elements))
        return lowering

    return register


def has_lowering(op: Operation) -> bool:
    """Whether `op` becomes a function of its own.

    Raises:
        UsageError: a package's lowering cannot be loaded, or is one of something else.
    """
    if type(op) not in _LOWERINGS and ADDED.load(op.name) is not None and type(op) not in _LOWERINGS:
        raise ADDED.refusal(op.name, f"registers no lowering of {type(op).__module__}.{type(op).__qualname__}")
    return type(op) in _LOWERINGS


def build_kernel(op: Operation) -> Kernel:
    """The body of the function that computes `op`.

    Raises:
        PassFailedException: the element types are not supported.
    """
    lowering, elements = _LOWERINGS[type(op)]
    kernel = Kernel(op, elements)
    lowering(op, kernel)
    return kernel
