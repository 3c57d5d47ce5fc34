"""Loops of calls on rows do what the straight line did, call by call: their tables are read by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from stillpool.driver.pipeline import apply, context, parsed
from stillpool.frontends.mlir.import_mlir import parse
from stillpool.transforms.rows.roll.columns import Affine, Table

Call = tuple[str, tuple[object, ...]]


def executed(module: ModuleOp) -> list[Call]:
    """The calls of @main in order, with the offsets of their operands."""
    tables = {
        op.sym_name.data: np.frombuffer(op.initial_value.data.data, f"<u{element.width.data // 8}")
        for op in module.ops
        if isinstance(op, memref.GlobalOp)
        and isinstance(op.initial_value, DenseIntOrFPElementsAttr)
        and isinstance(element := op.initial_value.get_element_type(), IntegerType)
    }
    (main,) = (op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks)
    return list(_run(main.body.block, {}, tables))


def _run(block: Block, known: dict[SSAValue, int], tables: dict[str, np.ndarray]) -> Iterator[Call]:
    def of(value: SSAValue) -> int:
        match op := value.owner:
            case _ if value in known:
                return known[value]
            case arith.ConstantOp(value=IntegerAttr() as number):
                return number.value.data
            case memref.LoadOp():
                get = op.memref.owner
                assert isinstance(get, memref.GetGlobalOp)
                return int(tables[get.name_.string_value()][of(op.indices[0])])
            case arith.ExtUIOp() | arith.IndexCastOp():
                return of(op.input)
            case arith.MuliOp():
                return of(op.lhs) * of(op.rhs)
            case arith.AddiOp():
                return of(op.lhs) + of(op.rhs)
            case memref.ViewOp():
                return of(op.byte_shift)
            case memref.ReinterpretCastOp():
                return of(op.source)
            case Block():
                assert isinstance(value, BlockArgument)
                return 0
            case _:
                raise AssertionError(op)

    def place(value: SSAValue) -> object:
        root: Operation | Block = value.owner
        while isinstance(root, memref.ViewOp | memref.ReinterpretCastOp):
            root = root.operands[0].owner
        return of(value) if isinstance(root, Block) else root.name

    for op in block.ops:
        match op:
            case func.CallOp():
                yield op.callee.string_value(), tuple(place(operand) for operand in op.operands)
            case scf.ForOp():
                for step in range(of(op.lb), of(op.ub), of(op.step)):
                    yield from _run(op.body.block, {**known, op.body.block.args[0]: step}, tables)
            case scf.IndexSwitchOp():
                cases = [int(case) for case in op.cases.iter_values()]
                yield from _run(op.case_regions[cases.index(of(op.arg))].block, known, tables)
            case _:
                pass


def module_of(calls: Sequence[tuple[int, tuple[int, int]]]) -> ModuleOp:
    """Calls of a few functions on rows of a pool and on a constant."""
    lines = [f"func.func private @f{n}(memref<4xi8>, memref<2x2xi8>, memref<3xi8>) -> ()" for n in range(4)]
    lines += ["memref.global constant @w : memref<3xi8> = dense<1>", "func.func @main(%pool: memref<100000xi8>) {"]
    for number, (name, offsets) in enumerate(calls):
        for n, (offset, shape) in enumerate(zip(offsets, ("4", "2x2"), strict=True)):
            lines.append(f"  %o{number}_{n} = arith.constant {offset} : index")
            lines.append(
                f"  %v{number}_{n} = memref.view %pool[%o{number}_{n}][] : memref<100000xi8> to memref<{shape}xi8>"
            )
        lines.append(f"  %w{number} = memref.get_global @w : memref<3xi8>")
        operands = f"%v{number}_0, %v{number}_1, %w{number}"
        lines.append(f"  func.call @f{name}({operands}) : (memref<4xi8>, memref<2x2xi8>, memref<3xi8>) -> ()")
    return parse(context(), "\n".join([*lines, "  func.return", "}"]).encode(), "calls.mlir")


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 3), st.tuples(st.integers(0, 300), st.integers(0, 99996))), max_size=40))
def test_a_loop_makes_the_same_calls(calls: list[tuple[int, tuple[int, int]]]) -> None:
    module = module_of(calls)
    before = executed(module)
    assert [name for name, _ in before] == [f"f{name}" for name, _ in calls]
    apply(module, parsed("roll-rows"), where="calls.mlir")
    assert executed(module) == before


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=12), max_size=8))
def test_columns_are_found_again(columns: list[list[int]]) -> None:
    table = Table()
    for column, found in zip(columns, table.add_all(columns), strict=True):
        places = [found.begin + found.step * n for n in range(len(column))]
        assert [n if isinstance(found, Affine) else table.entries[n] for n in places] == column


def test_windows_share_one_table() -> None:
    rows = [70, 10, 50, 30, 90, 20, 60]
    table = Table()
    table.add_all([rows[0:5], rows[1:6], rows[2:7], rows, rows[0::2]])
    assert table.entries == rows
