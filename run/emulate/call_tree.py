"""Instructions as a tree: model, operators, functions, and what those call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .figures import Figures, OperatorFigures


@dataclass(frozen=True)
class Node:
    """A function (or an operator, or the model) with everything it calls."""

    name: str
    instructions: int
    """Instructions of itself and everything below."""
    children: tuple[Node, ...]
    """Most instructions first."""

    @property
    def itself(self) -> int:
        """Instructions of the function's own code."""
        return self.instructions - sum(child.instructions for child in self.children)

    @property
    def depth(self) -> int:
        """Levels, this one included."""
        return 1 + max((child.depth for child in self.children), default=0)


def model_tree(figures: Figures, name: str) -> Node:
    """The whole run; operators in execution order. `figures` must hold figures by operator."""
    assert figures.operators is not None, "the emulator counted by operator"
    children = tuple(operator_tree(figures, entry) for entry in figures.operators)
    return Node(name, figures.instructions, children)


def operator_tree(figures: Figures, entry: OperatorFigures) -> Node:
    """One operator and its functions, without the entry function that the compiler may have inlined it into."""
    assert figures.operators is not None, "the emulator counted by operator"
    stacks = [
        (tuple(name for name in stack if name not in figures.entry_functions), count)
        for stack, count in entry.stacks.items()
    ]
    return Node(entry.operator.short_label, entry.instructions, _children(stacks))


def _children(stacks: Iterable[tuple[tuple[str, ...], int]]) -> tuple[Node, ...]:
    groups: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for stack, count in stacks:
        if stack:
            groups.setdefault(stack[0], []).append((stack[1:], count))
    nodes = [Node(name, sum(n for _, n in group), _children(group)) for name, group in groups.items()]
    return tuple(sorted(nodes, key=lambda node: (-node.instructions, node.name)))
