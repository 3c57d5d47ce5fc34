"""The kernels of MVE. Variables have the names of the function's parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.ptr import PtrAddOp
from xdsl.dialects.scf import ForOp, IfOp, YieldOp
from xdsl.ir import Attribute, Block, SSAValue

from . import instructions as mve
from .instructions import COUNT, LANES, POINTER, SIXTEEN, HideOp, Intrinsic

Lanewise = Callable[[SSAValue, SSAValue], Intrinsic]
"""What computes each lane of two vectors."""


def lanewise(computed: Lanewise) -> FuncOp:
    """Build a kernel of the lanes of two vectors."""
    return _kernel("lanewise", {"lhs": LANES, "rhs": LANES}, lambda lhs, rhs: computed(lhs, rhs).result)


def shift_right(lhs: SSAValue, rhs: SSAValue) -> Intrinsic:
    """Shift to the right, with sign."""
    return mve.vshlq_s32(lhs, mve.vnegq_s32(rhs).result)


def rounding_shift_right(lhs: SSAValue, rhs: SSAValue) -> Intrinsic:
    """Shift to the right, halves away from zero.

    What is negative is one less before it is rounded, halves up; where nothing is shifted out it is not.
    """
    left = mve.vnegq_s32(rhs, name="left").result
    nudge = mve.vshrq_n_s32(mve.vandq_s32(lhs, left).result, by=31, name="nudge").result
    return mve.vrshlq_s32(mve.vqaddq_s32(lhs, nudge).result, left)


def sum_products() -> FuncOp:
    """Build the kernel of `simd.sum_products`: four channels of one point, sixteen products each in an instruction."""
    inputs = {"bytes": POINTER, "count": i32, "weights": POINTER, **{f"sum{c}": i32 for c in range(COUNT)}}

    def made(bytes: SSAValue, count: SSAValue, weights: SSAValue, *sums: SSAValue) -> SSAValue:
        zero, one, sixteen = map(_number, (0, 1, SIXTEEN))
        body = Block(arg_types=[i32, POINTER, POINTER, *(value.type for value in sums)])
        body.args[0].name_hint = "block"
        _name(body.args[1:], (bytes, weights, *sums))
        with ImplicitBuilder(body) as (_, place, *passed):
            x = mve.vldrbq_s8(place, name="x").result
            YieldOp(HideOp(_moved(place, sixteen)).res[0], *_products(x, *passed))
        loop = ForOp(zero, arith.DivSIOp(count, sixteen).result, one, (bytes, weights, *sums), body)
        _name(loop.res, (bytes, weights, *sums))
        last, *passed = loop.res
        rest = arith.RemSIOp(count, sixteen).result
        tail, unchanged = Block(), Block()
        with ImplicitBuilder(tail):
            x = mve.vldrbq_z_s8(last, mve.vctp8q(rest).result, name="x").result
            YieldOp(*_products(x, *passed))
        with ImplicitBuilder(unchanged):
            YieldOp(*passed)
        is_part = arith.CmpiOp(rest, zero, "ne").result
        _, *totals = results = IfOp(is_part, [value.type for value in passed], [tail], [unchanged]).output
        _name(results, passed)
        lanes = mve.vdupq_n_s32(totals[0], name="sums").result
        for lane, total in enumerate(totals[1:], 1):
            lanes = mve.vsetq_lane_s32(total, lanes, by=lane, name="sums").result
        return lanes

    return _kernel("sum_products", inputs, made)


def sum_window(rows: int, columns: int) -> FuncOp:
    """Build the kernel of `simd.sum_window`: four channels of one point, all products of a window."""
    inputs = {"elements": POINTER, "row": i32, "column": i32, "weights": POINTER, "sum": LANES}

    def made(elements: SSAValue, row: SSAValue, column: SSAValue, weights: SSAValue, sum: SSAValue) -> SSAValue:
        back = arith.MuliOp(_number(columns - 1), column).result
        steps = ([column] * (columns - 1) + [arith.SubiOp(row, back).result]) * rows
        for point, step in enumerate(steps, 1):
            elements, weights = HideOp(elements, weights, beside=sum).res
            products = mve.vmulq_s32(mve.vldrbq_s32(elements).result, mve.vldrbq_s32(weights).result).result
            sum = mve.vaddq_s32(sum, products, name="sum").result
            if point < len(steps):
                elements, weights = _moved(elements, step), _moved(weights, _number(COUNT))
        return sum

    return _kernel("sum_window", inputs, made)


def _kernel(name: str, inputs: Mapping[str, Attribute], made: Callable[..., SSAValue]) -> FuncOp:
    """Build a function whose result is made of its parameters."""
    kernel = FuncOp(name, (list(inputs.values()), [LANES]))
    with ImplicitBuilder(kernel.body) as values:
        for value, parameter in zip(values, inputs, strict=True):
            value.name_hint = parameter
        ReturnOp(made(*values))
    return kernel


def _number(value: int) -> SSAValue:
    return arith.ConstantOp.from_int_and_width(value, i32).result


def _name(values: Sequence[SSAValue], others: Sequence[SSAValue]) -> None:
    """Have values in the variables of others."""
    for value, other in zip(values, others, strict=True):
        value.name_hint = other.name_hint


def _moved(pointer: SSAValue, by: SSAValue) -> SSAValue:
    """Move a pointer on."""
    moved = PtrAddOp(pointer, by).result
    _name([moved], [pointer])
    return moved


def _products(x: SSAValue, weights: SSAValue, *sums: SSAValue) -> Sequence[SSAValue]:
    """Add products with the weights of each channel: where the next ones are, and the sums."""
    added: list[SSAValue] = []
    for total in sums:
        added.append(mve.vmladavaq_s8(total, x, mve.vldrbq_s8(weights).result, name=total.name_hint).result)
        weights = HideOp(_moved(weights, _number(SIXTEEN))).res[0]
    return weights, *added
