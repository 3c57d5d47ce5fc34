"""Random operators, as loop nests in MLIR, and their execution step by step in a memory of bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IntegerAttr, MemRefType
from xdsl.ir import Block, BlockArgument, SSAValue

SIZES = {"i8": 1, "i16": 2, "i32": 4}


@dataclass(frozen=True)
class Nest:
    """A 1-D or 2-D sliding window: out[y, x, c] from the in[y * stride + k - pad, ...] inside the input."""

    rows: int
    columns: int
    channels: int
    depth: int
    kernel: int
    stride: int
    pad: int
    source: str
    target: str
    down: bool
    """Rows run from last to first."""
    by_channel: bool
    """The channel loop is the outermost: what a poor loop order does to the distance."""
    twice: bool
    """Each result is stored twice: first something, at the end the result."""

    @property
    def input_rows(self) -> int:
        """Rows of the input: so many that the last window begins inside."""
        return (self.rows - 1) * self.stride + 1

    @property
    def input_bytes(self) -> int:
        """Size of the input."""
        return self.input_rows * self.columns * self.depth * SIZES[self.source]

    @property
    def output_bytes(self) -> int:
        """Size of the output."""
        return self.rows * self.columns * self.channels * SIZES[self.target]

    def mlir(self, *, at: tuple[int, int] = (0, 0), size: int = 0) -> str:
        """A module: the operator `nest`, and an entry function with input and output at two offsets of a pool."""
        source = f"memref<{self.input_rows}x{self.columns}x{self.depth}x{self.source}>"
        target = f"memref<{self.rows}x{self.columns}x{self.channels}x{self.target}>"
        row = "%r = arith.subi %last, %y : index" if self.down else "%r = arith.addi %y, %c0 : index"
        loops = [("y", self.rows), ("x", self.columns), ("c", self.channels)]
        if self.by_channel:
            loops = [loops[2], *loops[:2]]
        body = f"""
          {row}
          %o = arith.muli %r, %stride : index
          %begin = arith.subi %o, %pad : index
          %first = arith.maxsi %begin, %c0 : index
          %behind = arith.addi %begin, %kernel : index
          %end = arith.minsi %behind, %rows : index
          {f"memref.store %zero, %out[%r, %x, %c] : {target}" if self.twice else ""}
          %sum = scf.for %k = %first to %end step %c1 iter_args(%acc = %zero) -> ({self.target}) {{
            %inner = scf.for %i = %c0 to %depth step %c1 iter_args(%a = %acc) -> ({self.target}) {{
              %v = memref.load %in[%k, %x, %i] : {source}
              {self._convert()}
              %n = arith.addi %a, %w : {self.target}
              scf.yield %n : {self.target}
            }}
            scf.yield %inner : {self.target}
          }}
          memref.store %sum, %out[%r, %x, %c] : {target}"""
        for name, _ in reversed(loops):
            body = f"scf.for %{name} = %c0 to %n{name} step %c1 {{ {body} }}"
        constants = {"c0": 0, "c1": 1, "last": self.rows - 1, "stride": self.stride, "pad": self.pad}
        constants |= {"kernel": self.kernel, "rows": self.input_rows, "depth": self.depth}
        constants |= {f"n{name}": extent for name, extent in loops}
        lines = "\n".join(f"%{name} = arith.constant {value} : index" for name, value in constants.items())
        place = 'pool.assigned = @workspace, pool.offset = {} : i64, pool.kind = "{}", pool.name = "{}"'
        return f"""
          pool.declare @workspace workspace align 16 size {size}
          func.func private @nest(%in: {source}, %out: {target}) {{
            {lines}
            %zero = arith.constant 0 : {self.target}
            {body}
            func.return
          }}
          func.func @main() {{
            %x = memref.alloc() {{{place.format(at[0], "input", "x")}}} : {source}
            %y = memref.alloc() {{{place.format(at[1], "output", "y")}}} : {target}
            func.call @nest(%x, %y) : ({source}, {target}) -> ()
            func.return
          }}"""

    def _convert(self) -> str:
        a, b = SIZES[self.source], SIZES[self.target]
        if a == b:
            return f"%w = arith.addi %v, %zero : {self.target}"
        return f"%w = arith.{'extsi' if a < b else 'trunci'} %v : {self.source} to {self.target}"


@st.composite
def nests(draw: Callable[[st.SearchStrategy[int]], int]) -> Nest:
    """Nests of a few hundred accesses."""
    small, truth = st.integers(1, 3), st.integers(0, 1)
    source, target = ("i8", "i8", "i16", "i8", "i32", "i8"), ("i8", "i16", "i16", "i32", "i8", "i8")
    types = draw(st.integers(0, 5))
    return Nest(
        rows=draw(st.integers(1, 5)),
        columns=draw(small),
        channels=draw(small),
        depth=draw(small),
        kernel=draw(st.integers(1, 4)),
        stride=draw(small),
        pad=draw(st.integers(0, 2)),
        source=source[types],
        target=target[types],
        down=bool(draw(truth)),
        by_channel=bool(draw(truth)),
        twice=bool(draw(truth)),
    )


def is_sound(function: func.FuncOp, ahead: int) -> bool:
    """Whether every read of the first argument finds its own bytes, if the second one lies `ahead` bytes below it."""
    given, output = function.body.block.args
    overwritten: set[int] = set()
    good = True

    def access(buffer: BlockArgument, element: int, is_write: bool) -> None:
        nonlocal good
        type = buffer.type
        assert isinstance(type, MemRefType)
        size = SIZES[str(type.element_type)]
        bytes_ = range(element * size, (element + 1) * size)
        if is_write:
            overwritten.update(byte - ahead for byte in bytes_)
        elif not overwritten.isdisjoint(bytes_):
            good = False

    _run(function.body.block, {}, access, (given, output))
    return good


def _run(
    block: Block,
    values: dict[SSAValue, int],
    access: Callable[[BlockArgument, int, bool], None],
    buffers: tuple[BlockArgument, BlockArgument],
) -> None:
    arithmetic: dict[type, Callable[[int, int], int]] = {
        arith.AddiOp: lambda a, b: a + b,
        arith.SubiOp: lambda a, b: a - b,
        arith.MuliOp: lambda a, b: a * b,
        arith.MaxSIOp: max,
        arith.MinSIOp: min,
    }
    for op in block.ops:
        match op:
            case arith.ConstantOp() if isinstance(number := op.value, IntegerAttr):
                values[op.result] = number.value.data
            case scf.ForOp():
                for index in range(values[op.lb], values[op.ub], values[op.step]):
                    values[op.body.block.args[0]] = index
                    _run(op.body.block, values, access, buffers)
            case memref.LoadOp() | memref.StoreOp():
                buffer = op.memref
                assert isinstance(buffer, BlockArgument)
                assert isinstance(buffer.type, MemRefType)
                element = 0
                for index, extent in zip(op.indices, buffer.type.get_shape(), strict=True):
                    element = element * extent + values[index]
                access(buffer, element, isinstance(op, memref.StoreOp))
            case _ if type(op) in arithmetic and all(operand in values for operand in op.operands):
                values[op.results[0]] = arithmetic[type(op)](*(values[operand] for operand in op.operands))
            case _:
                # Data: what is computed does not matter.
                pass
