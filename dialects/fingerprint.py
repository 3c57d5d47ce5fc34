"""What the text of an operation says, as a key: equal keys, equal text. Printing takes eight times as long."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from xdsl.ir import Operation, SSAValue


def fingerprint(op: Operation, without: Collection[str] = ()) -> Hashable:
    """All of an operation and of what is inside, names of values included; values from outside count by their order.

    Args:
        op: the operation.
        without: names of its attributes that do not count.
    """
    return _key(op, {}, without)


def _key(op: Operation, numbers: dict[SSAValue, int], without: Collection[str] = ()) -> Hashable:
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
    attributes = op.attributes.items()
    if without:
        attributes = [(name, value) for name, value in attributes if name not in without]
    written = frozenset(op.properties.items()), frozenset(attributes)
    return op.name, operands, results, *written, tuple(inside)


def _defined(values: Sequence[SSAValue], numbers: dict[SSAValue, int]) -> Hashable:
    return tuple([(numbers.setdefault(value, len(numbers)), value.type, value.name_hint) for value in values])
