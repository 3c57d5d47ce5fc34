"""Prints what a program reads of operations, values and attributes of xDSL, with stillpool's dialects or without.

`python unchanged.py` is xDSL alone, `python unchanged.py stillpool` what it is with them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

if len(sys.argv) > 1:
    __import__("stillpool.dialects")

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith, func, memref, scf, test
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    StringAttr,
    i8,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import AnyAttr, AttrConstraint, BaseAttr


def made() -> tuple[ModuleOp, scf.ForOp, memref.AllocOp]:
    """A module with a loop, its loop, and an operation whose operands are in segments."""
    zero, end, one = (arith.ConstantOp(IntegerAttr(number, IndexType())) for number in (0, 8, 1))
    first = arith.ConstantOp(IntegerAttr(3, i32))
    body = Block(arg_types=[IndexType(), i32])
    alloc = memref.AllocOp.get(i32, shape=[DYNAMIC_INDEX, 2], dynamic_sizes=[zero])
    total = arith.AddiOp(body.args[1], first)
    body.add_ops([alloc, total, scf.YieldOp(total)])
    loop = scf.ForOp(zero, end, one, [first], Region(body))
    loop.results[0].name_hint = "sum_12"
    block = Block([zero, end, one, first, loop, func.ReturnOp(loop.results[0])])
    module = ModuleOp([func.FuncOp("f", ((), (i32,)), Region(block))])
    module.verify()
    return module, loop, alloc


def said(read: Callable[[], Any]) -> str:
    """Return what reading something gives, or the exception that it raises."""
    try:
        found = read()
    except Exception as error:
        return f"{type(error).__name__}: {error}".partition(" object at ")[0]
    return f"{type(found).__name__} {found}"


def reads() -> Iterator[object]:
    """Parts of operations, blocks, regions and values."""
    module, loop, alloc = made()
    names = [op.name for op in module.walk()]
    yield names, [op.name for op in module.walk(reverse=True)]
    add = alloc.next_op
    assert isinstance(add, arith.AddiOp)
    yield loop.lb is loop.operands[0], loop.iter_args == loop.operands[3:], type(loop.iter_args).__name__
    yield type(loop.operands[1:]).__name__, type(loop.results[:1]).__name__, loop.res.types, loop.operands[-1].type
    body = loop.body.block
    yield loop.body is loop.regions[0], body.first_op is alloc, add.prev_op is alloc, add.result.owner is add
    yield [*alloc.dynamic_sizes] == [*alloc.operands], [*alloc.symbol_operands], alloc.memref is alloc.results[0]
    yield loop.parent_op() is module.body.block.first_op, module.parent_op(), alloc.parent_op() is loop
    yield [(use.operation.name, use.index) for use in loop.iter_args[0].uses], body.args[0].owner is body
    yield len(body.ops), len(loop.body.blocks), loop.body.blocks[0] is body, loop.body.parent_node is loop
    yield loop.results[0].name_hint, body.next_block
    for name in ("1x", "a b", "x_1_2", "ok", None, "x_1_2", "a b"):
        yield said(lambda name=name: (setattr(loop.results[0], "name_hint", name), loop.results[0].name_hint)[1])
    yield said(lambda: loop.operands[9])
    yield said(lambda: setattr(loop, "lb", loop.ub))
    yield said(lambda: setattr(loop, "next_op", loop))
    # The next operation is known before one is given.
    seen: list[str] = []
    for op in body.ops:
        seen.append(op.name)
        if isinstance(op, memref.AllocOp):
            op.detach()
    yield seen
    loop.operands[3] = loop.operands[1]
    yield loop.iter_args[0] is loop.ub, [(use.operation.name, use.index) for use in loop.ub.uses]


def makes() -> Iterator[object]:
    """Operations that are made, and come into blocks."""
    value = test.TestOp(result_types=[i32, i8])
    op = test.TestOp.create(
        operands=value.results, result_types=[i8], properties={"prop1": i8}, successors=[Block()], regions=[Region()]
    )
    yield len(op.operands), op.results, op.properties, op.attributes, len(op.successors), op.location
    yield [(use.operation is op, use.index) for use in value.results[0].uses], op.regions[0].parent is op
    yield (
        arith.AddiOp(value.results[0], value.results[0]).properties,
        test.TestOp().results,
        len(test.TestOp().operands),
    )
    yield said(lambda: test.TestOp.create(regions=[op.regions[0]]))
    inner = Block()
    outer = test.TestOp(regions=[Region(inner)])
    yield said(lambda: inner.add_op(outer))
    inner.add_op(op)
    yield said(lambda: Block().add_op(op))
    inner.add_op(value)
    yield op.next_op is value, value.prev_op is op, inner.last_op is value, op.parent is inner
    with ImplicitBuilder(inner):
        test.TestOp()
        arith.ConstantOp(IntegerAttr(1, i32))
    yield [each.name for each in inner.ops]


def attributes() -> Iterator[object]:
    """Attributes that are made and refused."""
    for make in (
        lambda: IntegerAttr(300, i8),
        lambda: IntegerAttr(-1, IntegerType(8)),
        lambda: IntegerAttr(200, i8),
        lambda: IntegerType(-1),
        lambda: MemRefType(i8, [1, -1]),
        lambda: MemRefType(i8, (IntAttr(2), 3)),
        lambda: MemRefType(i8, ArrayAttr([IntAttr(2)])),
        lambda: MemRefType(i8, ArrayAttr([i8])),  # pyright: ignore[reportArgumentType]
        lambda: MemRefType(i8, iter([2, 3])),
        lambda: MemRefType(i8, ["x"]),  # pyright: ignore[reportArgumentType]
        lambda: MemRefType(i8, [2], memory_space=StringAttr("x")),
        lambda: FunctionType.from_lists([i8], [i32]),
        lambda: FunctionType(i8, i8),  # pyright: ignore[reportArgumentType]
        lambda: FunctionType(ArrayAttr([i8])),  # pyright: ignore[reportCallIssue]
        lambda: Attribute(),
    ):
        yield said(make)
    yield MemRefType(i8, [2]) == MemRefType(i8, ArrayAttr([IntAttr(2)])), hash(IntAttr(1)) == hash(IntAttr(1))


OBJECTS: list[Any] = [i8, StringAttr("x"), AnyAttr(), IntegerAttr(1, i8), 1]
KINDS: list[Any] = [Operation, scf.ForOp, SSAValue, Block, Region, Attribute, IntegerType, AttrConstraint, BaseAttr]


def instances() -> Iterator[object]:
    """Which objects are instances of which classes."""
    _, loop, _ = made()
    objects = [*OBJECTS, loop, loop.lb, loop.body, loop.body.block, loop.body.block.args[0]]
    yield [[isinstance(each, kind) for kind in KINDS] for each in objects]
    yield [[issubclass(one, kind) for kind in KINDS] for one in KINDS]
    yield [isinstance(each, scf.ForOp | Block) for each in objects]
    yield said(lambda: SSAValue(i8))  # pyright: ignore[reportAbstractUsage]


for section in (reads, makes, attributes, instances):
    for line in section():
        print(line)
