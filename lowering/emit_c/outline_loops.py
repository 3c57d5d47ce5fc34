"""The pass `outline-loops`: loops of a function that are alike become functions of their own, which it calls.

It stands behind memory planning, which looks into no call of a call, and before `emit-c{share=true}`, which makes one
function of those that differ in constants alone: the products of an LSTM's gates are there once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count, takewhile
from typing import ClassVar, TypeAlias

from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, ModuleOp, StringAttr, i32
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from ...dialects import nn_keys, task_keys
from ...dialects.func_keys import NO_INLINE
from ...dialects.operations import all_of
from ...dialects.simd.windows import WindowsOp

_FIXED: dict[type[Operation], tuple[int, ...]] = {
    arith.DivSIOp: (1,),
    arith.DivUIOp: (1,),
    arith.RemSIOp: (1,),
    arith.RemUIOp: (1,),
    scf.ForOp: (2,),
    WindowsOp: (0, 1, 2),
}
"""Operands that functions do not take as arguments: divisors, steps of loops, all bounds of kernels."""
_BYTES_OF_OPERATION = 3
"""Estimated bytes of code of an operation."""
_BYTES_OF_ARGUMENT = 6
"""To pass one, and to fetch it."""

_Key: TypeAlias = tuple[Hashable, ...]


class OutlineLoopsPass(ModulePass):
    """Make functions of loops around loops that differ in constants and in what they read and write, for less code."""

    name: ClassVar[str] = "outline-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        taken = {inner.sym_name.data for inner in op.ops if isinstance(inner, func.FuncOp | memref.GlobalOp)}
        private = StringAttr("private")
        for function in [inner for inner in op.ops if isinstance(inner, func.FuncOp)]:
            if function.sym_visibility == private and function.body.blocks:
                _outline_alike(function, taken)


def _outline_alike(function: func.FuncOp, taken: set[str]) -> None:
    groups: dict[_Key, list[_Alike]] = {}
    for loop in _outermost(function.body):
        if (found := _Alike.of(loop)) is not None:
            groups.setdefault(found.key, []).append(found)
    gone = set[Operation]()
    # What is around another loop has more operations.
    for loops in sorted(groups.values(), key=lambda loops: -loops[0].operations):
        left = [one for one in loops if not any(parent in gone for parent in _around(one.loop))]
        if len(left) > 1 and _is_shorter(left):
            _outline(function, left, taken)
            gone |= {one.loop for one in left}
    for loop in gone:
        Rewriter.erase_op(loop)


def _outermost(region: Region) -> Iterator[scf.ForOp]:
    """Loops around loops, those around others first."""
    yield from (op for op in all_of(region, scf.ForOp) if _has_loop(op))


def _has_loop(loop: scf.ForOp) -> bool:
    return any(all_of(loop.body, scf.ForOp))


def _around(loop: Operation) -> Iterator[Operation]:
    parent = loop.parent_op()
    while parent is not None:
        yield parent
        parent = parent.parent_op()


@dataclass
class _Alike:
    """A loop taken apart: what must be the same in others, and what may differ."""

    loop: scf.ForOp
    key: _Key = ()
    operations: int = 0
    given: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """Values from before it that it uses, without constants; numbered in the order of use."""
    constants: dict[SSAValue, None] = field(default_factory=dict[SSAValue, None])
    """Constants that it uses."""
    numbers: list[int] = field(default_factory=list[int])
    """Values of those that may differ, for each use."""

    @staticmethod
    def of(loop: scf.ForOp) -> _Alike | None:
        """None if a function could not have its place: it gives results, or depends on counters around it."""
        found = _Alike(loop)
        if loop.results:
            return None
        found.key = found._operation(loop, {})
        return found if all(_is_passed(value.type) for value in found.given) else None

    def _region(self, region: Region, inside: dict[SSAValue, int]) -> Iterator[Hashable]:
        for block in region.blocks:
            for argument in block.args:
                inside[argument] = len(inside)
            yield tuple(argument.type for argument in block.args)
            for op in block.ops:
                if isinstance(op, arith.ConstantOp):
                    continue
                yield self._operation(op, inside)

    def _operation(self, op: Operation, inside: dict[SSAValue, int]) -> _Key:
        self.operations += 1
        operands = tuple(self._operand(op, at, value, inside) for at, value in enumerate(op.operands))
        for result in op.results:
            inside[result] = len(inside)
        regions = tuple(tuple(self._region(region, inside)) for region in op.regions)
        said = (*sorted(op.properties.items()), *sorted(op.attributes.items()))
        return op.name, operands, tuple(result.type for result in op.results), said, regions

    def _operand(self, op: Operation, at: int, value: SSAValue, inside: dict[SSAValue, int]) -> Hashable:
        if value in inside:
            return inside[value]
        constant = None if isinstance(value, BlockArgument) else value.owner
        if not isinstance(constant, arith.ConstantOp):
            return "given", self.given.setdefault(value, len(self.given)), value.type
        if not self.loop.is_ancestor(constant):
            self.constants[value] = None
        if not _is_word(constant.value) or at in _FIXED.get(type(op), ()):
            return constant.value
        assert isinstance(constant.value, IntegerAttr), "words are integers"
        self.numbers.append(constant.value.value.data)
        return "constant", value.type


def _is_word(value: Attribute) -> bool:
    return isinstance(value, IntegerAttr) and (value.type == i32 or isinstance(value.type, IndexType))


def _is_passed(type: Attribute) -> bool:
    """Whether a function takes it as an argument and knows as much of it: of counters it knows no bounds."""
    if isinstance(type, MemRefType):
        strides = type.get_strides()
        return strides is not None and None not in strides
    return not isinstance(type, IndexType)


def _is_shorter(loops: Sequence[_Alike]) -> bool:
    """Whether one function and its calls take less code."""
    first, *others = loops
    differing = {each for each in zip(*(one.numbers for one in loops), strict=True) if len(set(each)) > 1}
    passed = (len(first.given) + len(differing)) * (1 + len(loops))
    return len(others) * first.operations * _BYTES_OF_OPERATION > passed * _BYTES_OF_ARGUMENT


def _outline(function: func.FuncOp, loops: Sequence[_Alike], taken: set[str]) -> None:
    """A function for all loops with the same constants, and calls in the places of these, which stay."""
    made: dict[tuple[int, ...], func.FuncOp] = {}
    name, hints = f"{function.sym_name.data}_loop", _hints(loops)
    for one in loops:
        callee = made.get(tuple(one.numbers))
        if callee is None:
            own = _fresh(f"{next(iter(made.values())).sym_name.data}_alike" if made else name, taken)
            callee = made[tuple(one.numbers)] = _function(function, one, own, hints)
            if len(made) == 1:
                comment = f"one of {len(loops)} loops of {function.sym_name.data} that are alike"
                nn_keys.COMMENT.put(callee.attributes, comment)
            Rewriter.insert_op(callee, InsertPoint.before(function))
        call = func.CallOp(callee.sym_name.data, list(one.given), [])
        Rewriter.insert_op(call, InsertPoint.before(one.loop))


def _hints(loops: Sequence[_Alike]) -> list[str | None]:
    """Names for what is given: the words at their ends that all names for it share, or that of the first loop."""
    found: list[str | None] = []
    for values in zip(*(one.given for one in loops), strict=True):
        names = [value.name_hint for value in values]
        words = [(name or "").split("_")[::-1] for name in names]
        same = list(takewhile(lambda each: len(set(each)) == 1, zip(*words, strict=False)))
        found.append("_".join(each[0] for each in reversed(same)) or names[0])
    return found


def _fresh(name: str, taken: set[str]) -> str:
    numbered = (f"{name}_{number}" for number in count(1))
    found = next(one for one in chain([name], numbered) if one not in taken)
    taken.add(found)
    return found


def _function(parent: func.FuncOp, one: _Alike, name: str, hints: Sequence[str | None]) -> func.FuncOp:
    block = Block(arg_types=[value.type for value in one.given])
    values: dict[SSAValue, SSAValue] = dict(zip(one.given, block.args, strict=True))
    for argument, hint in zip(block.args, hints, strict=True):
        argument.name_hint = hint
    for value in one.constants:
        assert isinstance(value.owner, Operation), "constants are operations"
        constant = value.owner.clone()
        block.add_op(constant)
        values[value] = constant.results[0]
        values[value].name_hint = value.name_hint
    block.add_op(one.loop.clone(values))
    block.add_op(func.ReturnOp())
    made = func.FuncOp(name, ([argument.type for argument in block.args], []), Region(block), visibility="private")
    kept = (NO_INLINE.name, task_keys.SCHEDULED.name)
    made.attributes |= {key: value for key, value in parent.attributes.items() if key in kept}
    return made
