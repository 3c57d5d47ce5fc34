"""What the text of an operation says, as a key: equal keys, equal text. Printing takes eight times as long."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from xdsl.ir import Operation, SSAValue


def fingerprint(op: Operation) -> Hashable:
    """All of an operation and of what is inside, names of values included; values from outside count by their order."""
    return _key(op, {})


def _key(op: Operation, numbers: dict[SSAValue, int]) -> Hashable:
    # Blocks may use what later ones compute.
    operands = tuple([numbers.setdefault(value, len(numbers)) for value in op.operands])
    inside: list[Hashable] = []
    for region in op.regions:
        blocks = {block: number for number, block in enumerate(region.blocks)}
        for block in blocks:
            inside.append(_defined(block.args, numbers))
            for inner in block.ops:
                inside.append(_key(inner, numbers))
                if inner.successors:
                    inside.append(tuple([blocks[other] for other in inner.successors]))
        inside.append(None)
    results = _defined(op.results, numbers)
    written = frozenset(op.properties.items()), frozenset(op.attributes.items())
    return op.name, operands, results, *written, tuple(inside)


def _defined(values: Sequence[SSAValue], numbers: dict[SSAValue, int]) -> Hashable:
    return tuple([(numbers.setdefault(value, len(numbers)), value.type, value.name_hint) for value in values])
