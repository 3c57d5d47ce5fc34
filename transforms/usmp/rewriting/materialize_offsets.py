"""The pass `usmp-materialize-offsets`: buffers become views of pools that functions take as arguments.

Each function takes the pools that it or a function it calls has buffers in, after its other arguments. Constants that
have a place keep their `memref.global`, which holds the bytes; what read it reads the pool.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    i8,
)
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import all_of, enclosing, operations
from ....dialects.pool import keys
from ....dialects.pool.extent import buffer_elements, dense_strides
from ....dialects.pool.kinds import BufferKind
from ..analysis.sound import require_sound
from ..analysis.structure import allocs, buffer_name, constants, functions, pools

KEPT = (keys.KIND, keys.SHARED, keys.KEEP, keys.INPUT, keys.SLOT)
"""Keys that the view of a buffer keeps whose bytes mean something outside of the operators."""
BORDERS = (BufferKind.INPUT, BufferKind.OUTPUT, BufferKind.STATE, BufferKind.POISON)

PoolArguments = dict[str, dict[str, SSAValue]]
"""For each function the arguments that stand for pools."""


@dataclass(frozen=True)
class AllocToView(RewritePattern):
    """An alloc with an offset becomes a view of its pool."""

    arguments: PoolArguments

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.AllocOp, rewriter: PatternRewriter, /) -> None:
        _replace(op, op, self.arguments, rewriter)


@dataclass(frozen=True)
class PooledGlobalToView(RewritePattern):
    """Replace names of constants with an offset by views of their pool."""

    arguments: PoolArguments
    constants: dict[str, memref.GlobalOp]

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: memref.GetGlobalOp, rewriter: PatternRewriter, /) -> None:
        constant = self.constants.get(op.name_.string_value())
        if constant is not None:
            _replace(op, constant, self.arguments, rewriter)


def _replace(
    op: memref.AllocOp | memref.GetGlobalOp,
    placed: memref.AllocOp | memref.GlobalOp,
    arguments: PoolArguments,
    rewriter: PatternRewriter,
) -> None:
    """Put a view of the place of `placed` where `op` stands."""
    pool, offset = keys.ASSIGNED.get(placed.attributes), keys.OFFSET.get(placed.attributes)
    assert pool is not None, "checked before any rewriting"
    assert offset is not None, "checked before any rewriting"
    at = arith.ConstantOp(IntegerAttr(offset, IndexType()))
    type = op.memref.type
    assert isinstance(type, MemRefType), "buffers are memrefs"
    # A view is dense, and of the pool's memory space.
    is_dense = type.get_strides() == MemRefType(type.element_type, type.get_shape()).get_strides()
    dense = MemRefType(type.element_type, type.get_shape() if is_dense else [buffer_elements(type)])
    view = memref.ViewOp(arguments[_function(op).sym_name.data][pool], at, [], dense)
    steps: list[Operation] = [at, view]
    if not is_dense:
        inner = MemRefType(type.element_type, type.get_shape(), type.layout)
        numbers = [0], type.get_shape(), dense_strides(type)
        steps.append(memref.ReinterpretCastOp(view.result, [], [], [], *numbers, inner))
    elif dense != MemRefType(type.element_type, type.get_shape(), type.layout):
        steps.append(memref.CastOp.get(view.result, MemRefType(type.element_type, type.get_shape(), type.layout)))
    if steps[-1].results[0].type != type:
        steps.append(memref.MemorySpaceCastOp(steps[-1].results[0], type))
    for step in steps[1:]:
        step.results[0].name_hint = op.memref.name_hint
    if keys.KIND.get(placed.attributes) in BORDERS:
        view.attributes |= {key.name: placed.attributes[key.name] for key in KEPT if key.within(placed.attributes)}
    if keys.AT.within(placed.attributes):
        view.attributes |= {key.name: placed.attributes[key.name] for key in (keys.SHARED, keys.AT)}
    if (line := keys.LINE.get(placed.attributes)) is not None:
        keys.LINE.put(view.attributes, line)
    rewriter.replace(op, steps, [steps[-1].results[0]])


@dataclass(frozen=True)
class PassPools(RewritePattern):
    """A call passes on the pools that the called function takes."""

    arguments: PoolArguments

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: func.CallOp, rewriter: PatternRewriter, /) -> None:
        taken = self.arguments.get(op.callee.string_value(), {})
        own = self.arguments[_function(op).sym_name.data]
        call = func.CallOp(
            op.callee.string_value(), [*op.arguments, *(own[pool] for pool in taken)], [r.type for r in op.results]
        )
        call.attributes |= op.attributes
        rewriter.replace(op, call)


@dataclass(frozen=True)
class UsmpMaterializeOffsetsPass(ModulePass):
    """Carry out the plan that stands on the allocs."""

    name: ClassVar[str] = "usmp-materialize-offsets"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_sound(op)
        declared = pools(op)
        kept = {c.sym_name.data: c for c in constants(op) if keys.CANDIDATES.within(c.attributes)}
        for buffer in [*allocs(op), *kept.values()]:
            pool = keys.ASSIGNED.get(buffer.attributes)
            if pool is None or keys.OFFSET.get(buffer.attributes) is None:
                raise PassFailedException(f"buffer '{buffer_name(buffer)}' has no place yet; run usmp-plan first")
            if pool not in declared or declared[pool].size is None:
                raise PassFailedException(
                    f"buffer '{buffer_name(buffer)}': pool @{pool} has no size; run usmp-plan first"
                )
        for freed in all_of(op, memref.DeallocOp):
            # Nothing is given back one by one: pools belong to the application.
            freed.detach()
            freed.erase()
        sizes = {name: pool.size.value.data for name, pool in declared.items() if pool.size is not None}
        arguments: PoolArguments = {}
        table = functions(op)
        for name, needed in _needs(table, kept).items():
            if needed:
                arguments[name] = _take(table[name], [pool for pool in declared if pool in needed], sizes)
        # None makes anything that another one matches: a walker would go through all operations for them, twice.
        calls = [o for o in all_of(op, func.CallOp) if o.callee.string_value() in arguments]
        for pattern, matched in (
            (AllocToView(arguments), all_of(op, memref.AllocOp)),
            (PooledGlobalToView(arguments, kept), all_of(op, memref.GetGlobalOp) if kept else []),
            (PassPools(arguments), calls),
        ):
            for one in matched:
                pattern.match_and_rewrite(one, PatternRewriter(one))


def _function(op: memref.AllocOp | memref.GetGlobalOp | func.CallOp) -> func.FuncOp:
    function = enclosing(op, func.FuncOp)
    assert function is not None, "buffers and calls stand in functions"
    return function


def _needs(table: dict[str, func.FuncOp], kept: dict[str, memref.GlobalOp]) -> dict[str, set[str]]:
    """Pools that each function has buffers in, itself or through calls; `kept` are the constants in pools."""

    def pool_of(op: Operation) -> str | None:
        if isinstance(op, memref.GetGlobalOp) and (constant := kept.get(op.name_.string_value())) is not None:
            return keys.ASSIGNED.get(constant.attributes)
        return keys.ASSIGNED.get(op.attributes) if isinstance(op, memref.AllocOp) else None

    own = {name: {pool for o in operations(f) if (pool := pool_of(o)) is not None} for name, f in table.items()}
    calls = {name: {o.callee.string_value() for o in all_of(f, func.CallOp)} for name, f in table.items()}
    changed = True
    while changed:
        changed = False
        for name in table:
            more = set[str]().union(*(own.get(called, set()) for called in calls[name])) - own[name]
            own[name] |= more
            changed |= bool(more)
    return own


def _take(function: func.FuncOp, needed: list[str], sizes: dict[str, int]) -> dict[str, SSAValue]:
    """Add an argument for each needed pool."""
    block = function.body.block
    attributes = list(function.arg_attrs or [DictionaryAttr({})] * len(block.args))
    taken: dict[str, SSAValue] = {}
    for pool in needed:
        argument = block.insert_arg(MemRefType(i8, [sizes[pool]]), len(block.args))
        argument.name_hint = pool if SSAValue.is_valid_name(pool) else None
        attributes.append(DictionaryAttr(keys.POOL.item(pool)))
        taken[pool] = argument
    function.properties["arg_attrs"] = ArrayAttr(attributes)
    function.properties["function_type"] = FunctionType.from_lists(
        [a.type for a in block.args], function.function_type.outputs.data
    )
    return taken
