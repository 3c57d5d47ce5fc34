"""Random programs: loads, stores, calls, loops and branches in any order, against MLIR's own code generation.

What is at stake: which operations change places when expressions are formed, and which loop-carried values share a
variable.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

Check = Callable[..., None]
SIZE = 8
TYPE = f"memref<{SIZE}xi32>"


class _Program:
    """Builds the body of one function; every value that is in scope may be used any number of times."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str) -> str:
        result = self.name()
        self.lines.append(f"{result} = {text}")
        return result

    def index(self, scope: list[str]) -> str:
        """Some value, brought into the range of the buffers."""
        low = self.emit(f"arith.andi {self.random.choice(scope)}, %mask : i32")
        return self.emit(f"arith.index_cast {low} : i32 to index")

    def value(self, scope: list[str]) -> str:
        random = self.random
        kind = random.randrange(9)
        a, b = random.choice(scope), random.choice(scope)
        if kind < 3:
            operation = random.choice(["addi", "subi", "muli", "xori", "maxsi", "minui"])
            return self.emit(f"arith.{operation} {a}, {b} : i32")
        if kind < 5:
            return self.emit(f"memref.load {random.choice(['%a', '%b'])}[{self.index(scope)}] : {TYPE}")
        if kind == 5:
            condition = self.emit(f"arith.cmpi {random.choice(['slt', 'eq', 'ugt'])}, {a}, {b} : i32")
            return self.emit(f"arith.select {condition}, {a}, {b} : i32")
        if kind == 7:
            return self.emit(f"arith.constant {random.choice([0, 1, -1, 7, 255, 256, -(2**31), 2**31 - 1])} : i32")
        if kind == 8:
            return self.truth(a, b)
        return self.emit(f"func.call @step(%a, {a}) : ({TYPE}, i32) -> i32")

    def truth(self, a: str, b: str) -> str:
        """Comparisons of narrow numbers and of truth values, many of them with a known outcome."""
        random = self.random
        width = random.choice([8, 16, 32])
        if width < 32:
            a, b = (self.emit(f"arith.trunci {value} : i32 to i{width}") for value in (a, b))
        predicates = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
        if random.randrange(2):
            b = self.emit(f"arith.constant {random.choice([0, 1, -1, 2 ** (width - 1) - 1])} : i{width}")
        first = self.emit(f"arith.cmpi {random.choice(predicates)}, {a}, {b} : i{width}")
        second = self.emit(f"arith.constant {random.choice(['true', 'false'])}")
        if random.randrange(2):
            second = self.emit(f"arith.cmpi {random.choice(predicates)}, {b}, {a} : i{width}")
        kind = random.randrange(3)
        if kind == 0:
            first = self.emit(f"arith.cmpi {random.choice(predicates)}, {first}, {second} : i1")
        else:
            operation = random.choice(["andi", "ori", "xori", "addi", "minsi", "maxui"])
            first = self.emit(f"arith.{operation} {first}, {second} : i1")
        return self.emit(f"arith.{random.choice(['extui', 'extsi'])} {first} : i1 to i32")

    def block(self, scope: list[str], depth: int) -> list[str]:
        """Emit some statements; returns the values in scope after them."""
        random = self.random
        scope = list(scope)
        for _ in range(random.randrange(2, 6)):
            kind = random.randrange(8)
            if kind < 4:
                scope.append(self.value(scope))
            elif kind < 6:
                # Nobody reads what is stored in the dead buffer.
                buffer = random.choice(["%a", "%b", "%a", "%b", "%dead"])
                self.lines.append(f"memref.store {random.choice(scope)}, {buffer}[{self.index(scope)}] : {TYPE}")
            elif depth < 3:
                scope += self.loop(scope, depth) if kind == 6 else self.branch(scope, depth)
        return scope

    def loop(self, scope: list[str], depth: int) -> list[str]:
        random = self.random
        carried = [self.name() for _ in range(random.randrange(1, 4))]
        initial = [random.choice(scope) for _ in carried]
        result = self.name()
        counter = self.name()
        pairs = ", ".join(f"{name} = {value}" for name, value in zip(carried, initial, strict=True))
        types = ", ".join(["i32"] * len(carried))
        head = f"{result}:{len(carried)} = scf.for {counter} = %c0 to %c3 step %c1 iter_args({pairs}) -> ({types}) {{"
        self.lines.append(head)
        inner = self.block([*scope, *carried], depth + 1)
        self.lines.append(f"scf.yield {', '.join(random.choice(inner[-6:]) for _ in carried)} : {types}")
        self.lines.append("}")
        return [f"{result}#{index}" for index in range(len(carried))]

    def branch(self, scope: list[str], depth: int) -> list[str]:
        random = self.random
        condition = self.emit(f"arith.cmpi sgt, {random.choice(scope)}, {random.choice(scope)} : i32")
        count = random.randrange(1, 3)
        result = self.name()
        types = ", ".join(["i32"] * count)
        self.lines.append(f"{result}:{count} = scf.if {condition} -> ({types}) {{")
        for index in range(2):
            # Often a branch does nothing but pass on what there is.
            inner = scope if random.randrange(3) == 0 else self.block(scope, depth + 1)
            self.lines.append(f"scf.yield {', '.join(random.choice(inner[-6:]) for _ in range(count))} : {types}")
            self.lines.append("} else {" if index == 0 else "}")
        return [f"{result}#{index}" for index in range(count)]

    def text(self, name: str) -> str:
        scope = self.block(["%x", "%y"], 0)
        body = "\n  ".join(self.lines)
        return f"""
func.func @{name}(%a: {TYPE}, %b: {TYPE}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %mask = arith.constant {SIZE - 1} : i32
  %dead = memref.alloca() : {TYPE}
  %x = memref.load %a[%c0] : {TYPE}
  %y = memref.load %b[%c1] : {TYPE}
  {body}
  %bias = arith.constant 12345 : i32
  %final = arith.addi {scope[-1]}, %bias : i32
  memref.store %final, %b[%c0] : {TYPE}
  func.return
}}
"""


STEP = f"""
func.func private @step(%m: {TYPE}, %i: i32) -> i32 {{
  %mask = arith.constant {SIZE - 1} : i32
  %low = arith.andi %i, %mask : i32
  %at = arith.index_cast %low : i32 to index
  %x = memref.load %m[%at] : {TYPE}
  %y = arith.addi %x, %i : i32
  memref.store %y, %m[%at] : {TYPE}
  func.return %x : i32
}}
"""


@pytest.mark.parametrize("batch", range(4))
def test_random_programs(check: Check, batch: int) -> None:
    seeds = range(batch * 40, batch * 40 + 40)
    text = STEP + "".join(_Program(seed).text(f"program_{seed}") for seed in seeds)
    values = np.random.default_rng(batch).integers(-99, 99, (2, SIZE)).astype(np.int32)
    check(text, {f"program_{seed}": [values[0], values[1]] for seed in seeds})
