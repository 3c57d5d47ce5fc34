"""Operators whose loops run backwards: from the last output element to the first.

An operator that runs forwards needs its output below its input, one that runs backwards above. With both to choose
from, a chain of operators can move its data up and down in turns instead of ever further down.
"""

from __future__ import annotations

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, StringAttr, SymbolRefAttr
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.transforms.canonicalization_patterns.utils import const_evaluate_operand

from ....dialects import nn_keys
from ....dialects.accesses import accesses
from ....dialects.operations import all_of, operations
from ....dialects.pool import keys
from ..analysis.overlap_distance import around, stores_each_once
from ..analysis.structure import callee, functions, module_of

SUFFIX = "_backwards"

NOTE = "; backwards, for its output overlaps the input from above"
"""Addition to the comment of a turned function."""


def is_backwards(function: func.FuncOp) -> bool:
    """Whether the function's loops were turned."""
    return keys.BACKWARDS.within(function.attributes)


def turned(function: func.FuncOp) -> func.FuncOp | None:
    """A copy, in no module yet, whose loops around stores run the other way; None where that may change the results."""
    if not _is_free_of_order(function):
        return None
    copy = function.clone()
    storing = _storing(copy)
    loops = [op for op in all_of(copy, scf.ForOp) if op in storing and not _reads_local(op)]
    if not all(_turn(loop) for loop in loops):
        return None
    if is_backwards(function):
        keys.BACKWARDS.remove(copy.attributes)
    else:
        keys.BACKWARDS.put(copy.attributes, True)
    copy.properties["sym_name"] = StringAttr(_told(function.sym_name.data, SUFFIX, is_backwards(copy)))
    if (comment := nn_keys.COMMENT.get(function.attributes)) is not None:
        nn_keys.COMMENT.put(copy.attributes, _told(comment, NOTE, is_backwards(copy)))
    return copy


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


def _is_free_of_order(function: func.FuncOp) -> bool:
    """Whether the loads and stores of the body may happen in any order, as far as no input shares bytes with an output.

    Each element is stored once, nothing that is stored is loaded, and no loop with stores carries values on. What is
    stored and loaded at one point of the loops, in memory of that point, comes in the same order there.
    """
    stored = set[SSAValue]()
    loaded = set[SSAValue]()
    storing = _storing(function)
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
                for access in accesses(op):
                    if isinstance(access.memref.owner, memref.AllocaOp):
                        continue
                    if access.indices is None:
                        return False
                    (stored if access.is_write else loaded).add(access.memref)
    if stored & loaded:
        return False
    return all(isinstance(value, BlockArgument) and stores_each_once(function, value) for value in stored)


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


def _reads_local(loop: scf.ForOp) -> bool:
    """Whether a loop only stores what was computed before: in which order it does makes no difference to the inputs."""
    found = {access.memref.owner for op in operations(loop) for access in accesses(op) if not access.is_write}
    return any(isinstance(owner, memref.AllocaOp) and not loop.is_ancestor(owner) for owner in found)


def _storing(function: func.FuncOp) -> set[Operation]:
    """Operations that store to memory that lasts, and all operations around them."""
    return around(
        op
        for op in operations(function)
        if any(a.is_write and not isinstance(a.memref.owner, memref.AllocaOp) for a in accesses(op))
    )


def _turn(loop: scf.ForOp) -> bool:
    """Replace the loop's variable by one that counts down; False if the bounds are no constants."""
    bounds = [const_evaluate_operand(bound) for bound in (loop.lb, loop.ub, loop.step)]
    lower, upper, step = bounds
    if lower is None or upper is None or step is None or step <= 0 or upper <= lower:
        return False
    last = lower + (upper - lower - 1) // step * step
    block, variable = loop.body.block, loop.body.block.args[0]
    first = block.first_op
    assert first is not None, "a loop's body ends with a yield"
    total = arith.ConstantOp(IntegerAttr(lower + last, IndexType()))
    down = arith.SubiOp(total, total)
    down.result.name_hint = variable.name_hint
    variable.name_hint = f"{variable.name_hint or 'i'}_done"
    variable.replace_all_uses_with(down.result)
    down.operands[0], down.operands[1] = total.result, variable
    block.insert_ops_before([total, down], first)
    return True
