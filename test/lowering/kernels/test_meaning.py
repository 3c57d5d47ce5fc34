"""What kernels of packages compute, as nests, and which nests of models are that."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, memref
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from stillpool.dialects.task import NestOp, Task
from stillpool.lowering.kernels.meaning import Bound, meaning_of

KERNELS = Path(__file__).parents[3] / "examples" / "rvv" / "acme_rvv"
DOT, WINDOW = ((KERNELS / f"{name}.mlir").read_text() for name in ("dot", "window"))

CONVOLUTION = """
func.func @convolution(%x: memref<9x9x6xi8>, %w: memref<4x3x3x6xi8>, %y: memref<4x4x4xi32>) {
  %zero = arith.constant ZERO : i32
  task.nest space(oy = 4, ox = 4, oc = 4) fold(ky = 3, kx = 3, ic = 6)
    start () {
      %none = arith.constant 0 : i32
      task.yield %none : i32
    }
    step (%b = %w[oc, ky, kx, ic] : memref<4x3x3x6xi8>, %a = %x[2 * oy + ky, 2 * ox + kx, ic] : memref<9x9x6xi8>)
        into (%acc : i32) {
      %weight = arith.extsi %b : i8 to i32
      %wide = arith.extsi %a : i8 to i32
      LESS
      %product = arith.muli PRODUCT overflow<nsw> : i32
      %next = arith.addi %product, %acc overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%all : i32) {
      task.yield %all : i32
    }
    writes (%y[oy, ox, oc] : memref<4x4x4xi32>)
  func.return
}
"""


def nest_of(text: str) -> NestOp:
    context = Context()
    for dialect in (Builtin, arith.Arith, func.Func, memref.MemRef, Task):
        context.load_dialect(dialect)
    return next(op for op in Parser(context, text).parse_module().walk() if isinstance(op, NestOp))


def convolution(less: str, product: str, zero: int = 5) -> NestOp:
    return nest_of(CONVOLUTION.replace("LESS", less).replace("PRODUCT", product).replace("ZERO", str(zero)))


@pytest.mark.parametrize(
    ("less", "product", "bound"),
    [
        ("%less = arith.subi %wide, %zero : i32", "%less, %weight", Bound((1, 0), (), (5,))),
        ("%less = arith.subi %wide, %zero overflow<nsw> : i32", "%weight, %less", Bound((1, 0), (), (5,))),
        ("%less = arith.addi %wide, %zero : i32", "%weight, %less", Bound((1, 0), (), (-5,))),
        ("", "%weight, %wide", Bound((0, 1), (), (0,))),
    ],
)
def test_operands_may_change_places(less: str, product: str, bound: Bound) -> None:
    assert meaning_of(DOT).bind(convolution(less, product), [5]) == bound


def test_zero_points_of_either_factor() -> None:
    """The kernel takes a number off one operand: it is the one of which a number is taken off."""
    bound = meaning_of(DOT).bind(convolution("%less = arith.subi %weight, %zero : i32", "%less, %wide"), [5])
    assert bound == Bound((0, 1), (), (5,))


def test_a_number_that_its_type_does_not_hold() -> None:
    with pytest.raises(ValueError, match="does not compute what the kernel"):
        meaning_of(DOT).bind(convolution("%less = arith.subi %wide, %zero : i32", "%less, %weight", 128), [5])


def test_what_lies_apart() -> None:
    with pytest.raises(ValueError, match="lies 54 elements apart along ky, not 1"):
        meaning_of(DOT).bind(convolution("", "%weight, %wide"), [3])
    with pytest.raises(ValueError, match="lies 0 elements apart along oc, not 1"):
        meaning_of(WINDOW).bind(convolution("", "%weight, %wide"), [2, 3, 4])


@pytest.mark.parametrize(
    ("layout", "why"),
    [("[108, 36, 12, 2]", "lies 2 elements apart along ic, not 1"), ("[?, ?, ?, ?]", "strides of memref.* not known")],
)
def test_a_layout_of_its_own(layout: str, why: str) -> None:
    """What an operand's type says of its strides counts, not its shape alone."""
    text = CONVOLUTION.replace("LESS", "").replace("PRODUCT", "%weight, %wide").replace("ZERO", "0")
    nest = nest_of(text.replace("memref<4x3x3x6xi8>", f"memref<4x3x3x6xi8, strided<{layout}>>"))
    with pytest.raises(ValueError, match=why):
        meaning_of(DOT).bind(nest, [5])


@pytest.mark.parametrize("axis", [1, 3])
def test_parts_of_what_is_joined(axis: int) -> None:
    """A dimension that goes from part to part is no kernel's; one inside of a part is."""
    shape = [4, 3, 3, 6]
    shape[axis] //= 3
    part, joined = (f"memref<{'x'.join(map(str, sizes))}xi8>" for sizes in (shape, [4, 3, 3, 6]))
    text = CONVOLUTION.replace("LESS", "").replace("PRODUCT", "%weight, %wide").replace("ZERO", "0")
    text = text.replace("%w: memref<4x3x3x6xi8>", f"%w: {part}").replace("%w[", "%joined[")
    join = f"%joined = task.join {axis} of %w, %w, %w : {part}, {part}, {part} -> {joined}\n  task.nest"
    nest = nest_of(text.replace("task.nest", join))
    if axis == 1:
        assert meaning_of(DOT).bind(nest, [5]) == Bound((0, 1), (), (0,))
    else:
        with pytest.raises(ValueError, match="operand 0 of the step is joined: ic goes from part to part"):
            meaning_of(DOT).bind(nest, [5])


def test_dimensions_are_those_of_the_kernel() -> None:
    nest = convolution("", "%weight, %wide")
    with pytest.raises(ValueError, match="the kernel has dimensions c, ky, kx, not 2"):
        meaning_of(WINDOW).bind(nest, [2, 3])
    with pytest.raises(ValueError, match="dimensions c of the kernel are those of the space"):
        meaning_of(WINDOW).bind(nest, [5, 3, 4])


def test_open_strides_are_those_of_the_operands() -> None:
    channels = CONVOLUTION.replace("LESS", "").replace("PRODUCT", "%weight, %wide").replace("2 * o", "o")
    channels = channels.replace("ZERO", "0")
    channels = channels.replace("%w[oc, ky, kx, ic] : memref<4x3x3x6xi8>", "%w[0, ky, kx, oc] : memref<4x3x3x6xi8>")
    channels = channels.replace("kx = 3, ic = 6", "kx = 3").replace("ox + kx, ic]", "ox + kx, oc]")
    assert meaning_of(WINDOW).bind(nest_of(channels), [2, 3, 4]) == Bound((0, 1), (18, 6, 54, 6), (0,))


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("arith.muli", "arith.addi", None),
        ("%sum: memref<i32>, %x: memref<16xi8>", "%x: memref<16xi8>, %sum: memref<i32>", "first arguments"),
        ("%zero: i8", "%zero: i8, %more: memref<4xi8>", "each of the other memrefs once"),
        ("task.yield %all", "%two = arith.addi %all, %all : i32\n task.yield %two", "before and after the fold"),
        ("[k] : memref<16xi8>, %b", "[k + 1] : memref<16xi8>, %b", "runs from 1 to 16"),
        ("%a = %x", "%a = clip %x", "nothing is clipped"),
        ("into (%acc : i32) {", 'into (%acc : i32) {\n %place = task.index "k"', "asks for no place"),
        ("func.return", "%q = arith.extsi %zero : i8 to i32\n func.return", "beside its task.nest"),
        ("task.nest", "task.nets", "not registered"),
    ],
)
def test_what_is_no_meaning(old: str, new: str, why: str | None) -> None:
    text = DOT.replace(old, new, 1)
    assert text != DOT
    if why is None:
        with pytest.raises(ValueError, match="does not compute"):
            meaning_of(text).bind(convolution("", "%weight, %wide"), [5])
        return
    with pytest.raises(ValueError, match=re.escape(why)):
        meaning_of(text)
