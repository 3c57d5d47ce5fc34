"""Steps that make other nests, in random legal order: emitted C against numpy."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from libraries import library
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from stillpool.dialects.operations import all_of
from stillpool.dialects.task import NestOp
from stillpool.driver import pipeline
from stillpool.lowering.constants import Constants
from stillpool.lowering.tasks.legal import why_illegal
from stillpool.lowering.tasks.steps import apply_steps

CASES = [12, pytest.param(60, marks=pytest.mark.sweep)]


class Convolution:
    """A 1-D convolution of bytes over several channels, and its schedule."""

    def __init__(self, rng: np.random.Generator, name: str):
        self.name = name
        self.o, self.oc, self.k, self.ic = (int(n) for n in (rng.integers(1, 9), *rng.choice([1, 2, 4, 6], 3)))
        self.stride, self.zero = int(rng.integers(1, 3)), int(rng.integers(-9, 9))
        self.pad = int(rng.integers(0, 3))
        width = (self.o - 1) * self.stride + self.k - self.pad
        self.width = max(1, width - int(rng.integers(0, 2)) * bool(self.pad))
        self.clips = bool(self.pad) or self.width < width
        self.w = rng.integers(-128, 128, (self.oc, self.k, self.ic)).astype(np.int8)
        self.b = rng.integers(-1000, 1000, self.oc).astype(np.int32)
        self.steps = list[str]()

    def text(self) -> str:
        x, w, y = (
            f"memref<{'x'.join(map(str, shape))}x{element}>"
            for shape, element in (
                ((self.width, self.ic), "i8"),
                (self.w.shape, "i8"),
                ((self.o, self.oc), "i32"),
            )
        )
        b, n = f"memref<{self.oc}xi32>", self.name
        schedule = f"schedule <{', '.join(self.steps)}>" if self.steps else ""
        return f"""
"memref.global"() <{{sym_name = "{n}_w", type = {w}, initial_value = dense<{self.w.tolist()}> :
  tensor{w.removeprefix("memref")}, sym_visibility = "private", constant}}> : () -> ()
"memref.global"() <{{sym_name = "{n}_b", type = {b}, initial_value = dense<{self.b.tolist()}> :
  tensor{b.removeprefix("memref")}, sym_visibility = "private", constant}}> : () -> ()
func.func private @{n}_conv(%x: {x}, %w: {w}, %b: {b}, %y: {y}) {{
  %z = arith.constant {self.zero} : i32
  task.nest space(o = {self.o}, oc = {self.oc}) fold(k = {self.k}, ic = {self.ic})
    where(i = {self.stride} * o + k - {self.pad})
    start (%s = %b[oc] : {b}) {{
      task.yield %s : i32
    }}
    step (%v = {"clip " * self.clips}%x[i, ic] : {x}, %u = %w[oc, k, ic] : {w}) into (%acc : i32) {{
      %0 = arith.extsi %v : i8 to i32
      %1 = arith.subi %0, %z : i32
      %2 = arith.extsi %u : i8 to i32
      %p = arith.muli %1, %2 : i32
      %next = arith.addi %acc, %p : i32
      task.yield %next : i32
    }}
    finish () of (%sum : i32) {{
      task.yield %sum : i32
    }}
    writes (%y[o, oc] : {y})
    {schedule}
  func.return
}}
func.func @{n}(%x: {x}, %y: {y}) {{
  %w = memref.get_global @{n}_w : {w}
  %b = memref.get_global @{n}_b : {b}
  func.call @{n}_conv(%x, %w, %b, %y) : ({x}, {w}, {b}, {y}) -> ()
  func.return
}}
"""

    def expected(self, x: np.ndarray) -> np.ndarray:
        y = np.tile(self.b.astype(np.int64), (self.o, 1))
        for o in range(self.o):
            for k in range(self.k):
                i = o * self.stride + k - self.pad
                if 0 <= i < self.width:
                    y[o] += self.w[:, k].astype(np.int64) @ (x[i].astype(np.int64) - self.zero)
        return y.astype(np.int32)

    def try_steps(self, rng: np.random.Generator) -> None:
        """Add steps that are legal behind those before them."""
        dims = ["o", "oc", "k", "ic"]
        for _ in range(int(rng.integers(1, 7))):
            weights = [d for d in dims if d[:2] == "oc" or d[0] in "ki"]
            elements = [d for d in dims if d[:2] != "oc"]
            dim = rng.choice(dims)
            step = rng.choice(
                [
                    "peel o",
                    f"block {dim} {rng.integers(1, 4)}",
                    "fold_zero_point 0",
                    f"pack 1 ({', '.join(rng.permutation(weights))})",
                    f"stage 0 ({', '.join(rng.permutation(elements))})",
                    f"stage 1 ({', '.join(rng.permutation(weights))})",
                ]
            )
            self.steps.append(str(step))
            if why_not(self.text()) is not None:
                self.steps.pop()
            elif step.startswith("block"):
                at = dims.index(str(dim))
                dims[at : at + 1] = [f"{dim}_o", f"{dim}_i"]
        self.steps += [f"jam {dims[-3]}"] * bool(rng.integers(0, 2))
        if why_not(self.text()) is not None:
            self.steps.pop()


def parsed(text: str) -> ModuleOp:
    return Parser(pipeline.context(), text).parse_module()


def why_not(text: str) -> str | None:
    """Why the steps are not legal, asked of a nest without them."""
    module = parsed(text)
    (nest,) = all_of(module, NestOp)
    steps, nest.schedule = nest.steps, None
    before = str(module)
    found = why_illegal(nest, steps, Constants(module))
    assert str(module) == before
    return found


@pytest.mark.parametrize("count", CASES)
def test_results_do_not_depend_on_the_steps(tmp_path: Path, count: int) -> None:
    rng = np.random.default_rng(11)
    cases = [Convolution(rng, f"f{number}") for number in range(count)]
    for case in cases:
        case.try_steps(rng)
    assert len({step.split()[0] for case in cases for step in case.steps}) == 6
    functions, _ = library(tmp_path, "".join(case.text() for case in cases), "lower-tasks,usmp,emit-c")
    workspace = np.zeros(1 << 12, np.int64)
    for case in cases:
        x = rng.integers(-128, 128, (case.width, case.ic)).astype(np.int8)
        y = np.full((case.o, case.oc), 12345, np.int32)
        getattr(functions, case.name)(*(ctypes.c_void_p(array.ctypes.data) for array in (x, y, workspace)))
        np.testing.assert_array_equal(y, case.expected(x), case.text())


def test_each_step_is_gone_once_it_is_carried_out() -> None:
    case = Convolution(np.random.default_rng(3), "f")
    case.pad, case.clips, case.o, case.oc, case.width = 1, True, 6, 4, 6
    case.w, case.b = np.ones((4, case.k, case.ic), np.int8), np.zeros(4, np.int32)
    case.steps = ["peel o", "block oc 2", "jam oc_i"]
    module = parsed(case.text())
    (nest,) = all_of(module, NestOp)
    made = apply_steps(nest, Constants(module))
    assert [str(step) for one in made for step in one.steps] == ["jam oc_i"]
    module.verify()
