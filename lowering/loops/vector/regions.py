"""Loops and branches that carry vectors: they carry the elements instead."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from .elements import Elements, count, element, is_vector


def spread_types(types: Sequence[Attribute]) -> list[Attribute]:
    """Vectors as the types of their elements."""
    return [element(type_) for type_ in types for _ in range(count(type_))]


def spread(values: Sequence[SSAValue], elements: Elements) -> list[SSAValue]:
    """Vectors as their elements."""
    return [scalar for value in values for scalar in elements[value]]


def gather(old: Sequence[SSAValue], new: Sequence[SSAValue], elements: Elements) -> None:
    """Make new scalars stand for what old scalars and vectors were."""
    rest = list(new)
    for value in old:
        own, rest = rest[: count(value.type)], rest[count(value.type) :]
        if is_vector(value.type):
            elements[value] = own
        else:
            own[0].name_hint = value.name_hint
            value.replace_all_uses_with(own[0])


def spread_arguments(block: Block, elements: Elements) -> Sequence[BlockArgument]:
    """Give a block the elements of its arguments as arguments; gives the old ones, to be erased once nothing uses them.

    A block without vectors stays as it is.
    """
    if not any(is_vector(argument.type) for argument in block.args):
        return ()
    old = list(block.args)
    gather(old, [block.insert_arg(type_, len(block.args)) for type_ in spread_types([a.type for a in old])], elements)
    return old


def carries_vectors(op: Operation) -> bool:
    """Whether a loop or a branch passes vectors on."""
    return any(is_vector(value.type) for value in (*op.operands, *op.results))


def rebuild(op: scf.ForOp | scf.IfOp | scf.YieldOp, elements: Elements) -> None:
    """Rebuild the operation on scalars; the regions move over."""
    regions: list[Region] = [op.detach_region(region) for region in list(op.regions)]
    match op:
        case scf.ForOp():
            made = scf.ForOp(op.lb, op.ub, op.step, spread(op.iter_args, elements), regions[0])
        case scf.IfOp():
            made = scf.IfOp(op.cond, spread_types(op.output.types), regions[0], regions[1])
        case scf.YieldOp():
            made = scf.YieldOp(*spread(op.arguments, elements))
    made.location = op.location
    Rewriter.insert_op(made, InsertPoint.before(op))
    gather(op.results, made.results, elements)
