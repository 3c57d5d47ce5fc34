"""A checked evaluator of memref + scf + arith functions.

It stops at what C would leave undefined: signed overflow where `nsw` denies it, indices outside a buffer or beyond
int32, shifts by more than the width, writes to constants, truncations that change a value.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.ir import Block

DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f32": np.float32}

INTEGER: dict[str, Callable[[int, int], int]] = {
    "addi": operator.add,
    "subi": operator.sub,
    "muli": operator.mul,
    "andi": operator.and_,
    "xori": operator.xor,
    "ori": operator.or_,
    "maxsi": max,
    "minsi": min,
    "divsi": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "shli": operator.lshift,
    "shrsi": operator.rshift,
}
FLOAT = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide}
COMPARE = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.lt]
COMPARE_FLOAT = {1: operator.eq, 2: operator.gt, 3: operator.ge, 4: operator.lt, 5: operator.le}
UNSIGNED_LESS = 6


def width(type: Any) -> int:
    """Bits of an integer; an index is int32 in C."""
    return 32 if isinstance(type, IndexType) else type.width.data


def signed(value: int, bits: int) -> int:
    half = 1 << (bits - 1)
    return (value + half) % (1 << bits) - half


def array_of(type: Any) -> np.ndarray:
    return np.full(type.get_shape(), 77, DTYPES[str(type.get_element_type())])


class Evaluator:
    """Runs functions of one module on NumPy arrays."""

    def __init__(self, module: ModuleOp):
        self.functions = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, func.FuncOp)}
        constants = [op for op in module.body.block.ops if isinstance(op, memref.GlobalOp)]
        self.constants = {op.sym_name.data: self._constant(op) for op in constants}

    def _constant(self, op: Any) -> np.ndarray:
        dtype = DTYPES[str(op.type.get_element_type())]
        array = np.array(op.initial_value.get_values(), dtype)
        array = np.broadcast_to(array if array.size > 1 else array.reshape(-1)[0], (math.prod(op.type.get_shape()),))
        array = array.reshape(op.type.get_shape())
        array.flags.writeable = False
        return array

    def call(self, name: str, *arguments: Any) -> list[Any]:
        block = self.functions[name].body.block
        return self.run(block, dict(zip(block.args, arguments, strict=True)))

    def run(self, block: Block, values: dict[Any, Any]) -> list[Any]:
        for op in block.ops:
            if op.name in ("scf.yield", "func.return"):
                return [values[operand] for operand in op.operands]
            results = self.step(op, [values[operand] for operand in op.operands], values)
            values.update(zip(op.results, results, strict=True))
        raise AssertionError("a block ends with a terminator")

    def step(self, op: Any, args: list[Any], values: dict[Any, Any]) -> list[Any]:
        dialect, name = op.name.split(".")
        if dialect == "arith":
            return [self.arith(op, name, args)]
        match op.name:
            case "scf.for":
                lower, upper, stride, *carried = args
                for i in range(lower, upper, stride):
                    carried = self.run(
                        op.body.block, values | dict(zip(op.body.block.args, [i, *carried], strict=True))
                    )
                return carried
            case "scf.if":
                return self.run((op.true_region if args[0] else op.false_region).block, dict(values))
            case "func.call":
                return self.call(op.callee.root_reference.data, *args)
            case "memref.load":
                return [self.element(args[0], args[1:]).item() if args[0].dtype.kind == "i" else self.at(args)]
            case "memref.store":
                assert all(0 <= i < n for i, n in zip(args[2:], args[1].shape, strict=True)), op
                args[1][tuple(args[2:])] = args[0]
                return []
            case "memref.alloc":
                return [array_of(op.results[0].type)]
            case "memref.get_global":
                return [self.constants[op.name_.root_reference.data]]
            case "memref.reinterpret_cast":
                assert args[0].flags.c_contiguous, "only whole buffers are renamed"
                return [args[0].reshape(op.results[0].type.get_shape())]
            case "memref.copy":
                args[1][...] = args[0]
                return []
            case "math.exp":
                return [np.exp(args[0], dtype=np.float32)]
            case "math.round":
                return [np.float32(np.copysign(np.floor(np.abs(np.float64(args[0])) + 0.5), args[0]))]
            case _:
                raise NotImplementedError(op.name)

    def at(self, args: list[Any]) -> Any:
        return self.element(args[0], args[1:])

    def element(self, array: np.ndarray, indices: list[int]) -> Any:
        assert all(0 <= i < n for i, n in zip(indices, array.shape, strict=True)), (array.shape, indices)
        return array[tuple(indices)]

    def arith(self, op: Any, name: str, args: list[Any]) -> Any:
        type = op.results[0].type
        if name == "constant":
            value = op.value.value.data
            return value if isinstance(type, IntegerType | IndexType) else np.float32(value)
        if name in FLOAT:
            with np.errstate(all="ignore"):
                return FLOAT[name](*args, dtype=np.float32)
        if name in INTEGER:
            bits = width(type)
            assert name not in ("shli", "shrsi") or 0 <= args[1] < bits, f"{op}: shift by {args[1]}"
            exact = INTEGER[name](*args)
            flags = op.properties.get("overflowFlags")
            if isinstance(type, IndexType) or (flags is not None and "nsw" in str(flags)) or name == "divsi":
                assert exact == signed(exact, bits), f"{op}: overflow, {args}"
            return signed(exact, bits)
        match name:
            case "cmpi":
                predicate = op.predicate.value.data
                if predicate == UNSIGNED_LESS:
                    args = [arg % (1 << width(op.operands[0].type)) for arg in args]
                return int(COMPARE[predicate](*args))
            case "cmpf":
                return int(COMPARE_FLOAT[op.predicate.value.data](*args))
            case "select":
                return args[1] if args[0] else args[2]
            case "extsi" | "index_cast":
                return args[0]
            case "extui":
                return args[0] % (1 << width(op.operands[0].type))
            case "trunci":
                assert args[0] == signed(args[0], width(type)), f"{op}: {args[0]} does not fit"
                return args[0]
            case "sitofp":
                return np.float32(args[0])
            case "fptosi":
                assert float(args[0]) == signed(int(args[0]), width(type)), f"{op}: {args[0]} does not fit"
                return int(args[0])
            case _:
                raise NotImplementedError(op.name)


@pytest.fixture
def evaluator() -> Callable[[ModuleOp], Evaluator]:
    """Makes an evaluator of a module at memref level."""
    return Evaluator


@pytest.fixture
def lower() -> Callable[[str], Evaluator]:
    """Parses a module, lowers `nn` and `fx`, and returns its evaluator."""
    from xdsl.context import Context
    from xdsl.parser import Parser
    from xdsl.universe import Universe

    from stillpool.lowering.fx import LowerFxPass
    from stillpool.lowering.nn import LowerNnPass
    from stillpool.lowering.tasks import LowerTasksPass

    def make(text: str) -> Evaluator:
        context = Context()
        for name, factory in Universe.get_multiverse().all_dialects.items():
            context.register_dialect(name, factory)
        module = Parser(context, text).parse_module()
        module.verify()
        for lowering in (LowerNnPass(), LowerTasksPass(), LowerFxPass()):
            lowering.apply(context, module)
            module.verify()
        return Evaluator(module)

    return make
