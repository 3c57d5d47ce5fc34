"""Operators whose loops run backwards: from the last output element to the first.

An operator that runs forwards needs its output below its input, one that runs backwards above. With both to choose
from, a chain of operators can move its data up and down in turns instead of ever further down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, StringAttr, SymbolRefAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects import nn_keys
from ....dialects.accesses import Access, accesses
from ....dialects.operations import all_of, operations
from ....dialects.pool import keys
from ..analysis.overlap_distance import Walks, around
from ..analysis.structure import callee, functions, module_of

SUFFIX = "_backwards"

NOTE = "; backwards, for its output overlaps the input from above"
"""Addition to the comment of a turned function."""


def is_backwards(function: func.FuncOp) -> bool:
    """Whether the function's loops were turned."""
    return keys.BACKWARDS.within(function.attributes)


def turned(function: func.FuncOp) -> func.FuncOp | None:
    """A copy, in no module yet, whose loops around stores run the other way; None where that may change the results."""
    loops = loops_to_turn(function, Walks(function))
    if loops is None:
        return None
    copy = function.clone()
    for loop, copied in zip(all_of(function, scf.ForOp), all_of(copy, scf.ForOp), strict=True):
        if (ends := loops.get(loop)) is not None:
            _turn(copied, ends)
    if is_backwards(function):
        keys.BACKWARDS.remove(copy.attributes)
    else:
        keys.BACKWARDS.put(copy.attributes, True)
    copy.properties["sym_name"] = StringAttr(_told(function.sym_name.data, SUFFIX, is_backwards(copy)))
    if (comment := nn_keys.COMMENT.get(function.attributes)) is not None:
        nn_keys.COMMENT.put(copy.attributes, _told(comment, NOTE, is_backwards(copy)))
    return copy


def loops_to_turn(function: func.FuncOp, walks: Walks) -> Mapping[scf.ForOp, tuple[int, int]] | None:
    """The loops that run the other way where a function is turned; None where that may change the results.

    Each comes with the first and the last value of its variable.

    `walks` are those of the function.
    """
    touched = {op: found for op in operations(function) if (found := accesses(op))}
    storing = around(op for op, found in touched.items() if any(a.is_write and not _is_own(a.memref) for a in found))
    if not _is_free_of_order(function, touched, storing, walks):
        return None
    kept = _reading_local(touched)
    loops: dict[scf.ForOp, tuple[int, int]] = {}
    for loop in (op for op in storing if isinstance(op, scf.ForOp) and op not in kept):
        ends = _ends(loop)
        if ends is None:
            return None
        loops[loop] = ends
    return loops


def _told(text: str, suffix: str, is_there: bool) -> str:
    """The text with or without a suffix."""
    return text.removesuffix(suffix) + (suffix if is_there else "")


def turn_call(call: func.CallOp) -> None:
    """Let a call run its function the other way, whose copy is added to the module if it is not there yet."""
    module = module_of(call)
    table = functions(module)
    function = callee(table, call)
    copy = turned(function)
    assert copy is not None, "only calls of functions that can be turned have a distance above"
    name = copy.sym_name.data
    if name not in table:
        module.body.block.insert_op_after(copy, function)
    call.properties["callee"] = SymbolRefAttr(name)
    called = {op.callee.string_value() for op in all_of(module, func.CallOp)}
    if function.sym_name.data not in called:
        function.detach()
        function.erase()


def _is_free_of_order(
    function: func.FuncOp, touched: Mapping[Operation, Sequence[Access]], storing: set[Operation], walks: Walks
) -> bool:
    """Whether the loads and stores of the body may happen in any order, as far as no input shares bytes with an output.

    Each element is stored once, nothing that is stored is loaded, and no loop with stores carries values on. What is
    stored and loaded at one point of the loops, in memory of that point, comes in the same order there.

    Args:
        function: the function.
        touched: its operations that access memory, and how.
        storing: those that store to memory that lasts, and all operations around them.
        walks: those of the function.
    """
    stored = set[SSAValue]()
    loaded = set[SSAValue]()
    for op in operations(function):
        match op:
            case scf.ForOp():
                if op.results and op in storing:
                    return False
            case memref.AllocaOp() if _is_local(op, storing):
                pass
            case _ if any(isinstance(result.type, MemRefType) for result in op.results):
                return False
            case _ if op is not function and op.regions and not isinstance(op, scf.IfOp) and op in storing:
                return False
            case _:
                for access in touched.get(op, ()):
                    if _is_own(access.memref):
                        continue
                    if access.indices is None:
                        return False
                    (stored if access.is_write else loaded).add(access.memref)
    if stored & loaded:
        return False
    return all(isinstance(value, BlockArgument) and walks.stores_each_once(value) for value in stored)


def _is_own(value: SSAValue) -> bool:
    return isinstance(value.owner, memref.AllocaOp)


def _is_local(alloca: memref.AllocaOp, storing: set[Operation]) -> bool:
    """Whether it is used in its own block alone, whose operations keep their order, and is stored to in no turned loop.

    Loops without stores to memory that lasts are not turned.
    """
    block = alloca.parent
    assert block is not None, "it is inside a function"
    for op in (use.operation for use in alloca.memref.uses):
        place = block.find_ancestor_op_in_block(op)
        is_stored = any(access.is_write for access in accesses(op) if access.memref is alloca.memref)
        if place is None or (is_stored and place is not op and place in storing):
            return False
    return True


def _reading_local(touched: Mapping[Operation, Sequence[Access]]) -> set[Operation]:
    """Operations that only store what was computed before, in memory of the block that they are in.

    In which order a loop does that makes no difference to the inputs.
    """
    found = set[Operation]()
    for op, each in touched.items():
        for owner in (access.memref.owner for access in each if not access.is_write):
            inner: Operation | None = op
            while isinstance(owner, memref.AllocaOp) and inner is not None and not inner.is_ancestor(owner):
                found.add(inner)
                inner = inner.parent_op()
    return found


def _ends(loop: scf.ForOp) -> tuple[int, int] | None:
    """The first and the last value of a loop's variable; None if the bounds are no constants, or there is none."""
    lower, upper, step = (const_evaluate_operand(bound) for bound in (loop.lb, loop.ub, loop.step))
    if lower is None or upper is None or step is None or step <= 0 or upper <= lower:
        return None
    return lower, lower + (upper - lower - 1) // step * step


def _turn(loop: scf.ForOp, ends: tuple[int, int]) -> None:
    """Replace the loop's variable by one that counts down, from the last of its values to the first."""
    block, variable = loop.body.block, loop.body.block.args[0]
    first = block.first_op
    assert first is not None, "a loop's body ends with a yield"
    total = arith.ConstantOp(IntegerAttr(sum(ends), IndexType()))
    down = arith.SubiOp(total, total)
    down.result.name_hint = variable.name_hint
    variable.name_hint = f"{variable.name_hint or 'i'}_done"
    variable.replace_all_uses_with(down.result)
    down.operands[0], down.operands[1] = total.result, variable
    block.insert_ops_before([total, down], first)
