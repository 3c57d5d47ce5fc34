"""Costs of functions in several copies of a module, or in modules that are alike: each way is weighed once.

Most variants give a function the schedules that another one gives it, and a network with fewer channels has many of the
functions of the whole one. Lowering is most of what weighing takes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import SSAValue

from ....dialects.operations import all_of, operations
from ....dialects.pool import keys
from ....dialects.task import NestOp
from ....lowering.schedule.cost.growth import FunctionCost, costs_of
from ....machines.cpus import Cpu

_Way: TypeAlias = tuple[Cpu, bytes]
"""A processor, and a digest of all that decides what a function costs there."""


@dataclass
class Weighed:
    """Knowledge of what functions cost on a processor."""

    cpu: Cpu

    def costs(self, module: ModuleOp) -> dict[str, FunctionCost]:
        """Return the costs of the called functions of a module of tasks; the module is consumed."""
        functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
        ways = {name: (self.cpu, digest) for name, digest in _digests(module, functions)}
        found = {name: _KNOWN[way] for name, way in ways.items() if way in _KNOWN}
        empty([op for op in functions if op.sym_name.data in found])
        costs = costs_of(module, self.cpu)
        if len(_KNOWN) + len(costs) > MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN.update({ways[name]: cost for name, cost in costs.items() if name not in found})
        return {name: found.get(name, cost) for name, cost in costs.items()}


_KNOWN: dict[_Way, FunctionCost] = {}

MOST_KNOWN = 16384
"""Ways whose costs are kept."""


def empty(functions: Collection[func.FuncOp]) -> None:
    """Take away what is not lowered again."""
    for nest in [op for function in functions for op in all_of(function, NestOp)]:
        nest.detach()
        nest.erase()


def _digests(module: ModuleOp, functions: Sequence[func.FuncOp]) -> Iterator[tuple[str, bytes]]:
    """For each function its name, and a digest of its text, its calls, and the constants that it reads or is given."""
    contents = {op.sym_name.data: _content(op) for op in module.ops if isinstance(op, memref.GlobalOp)}
    calls: dict[str, list[func.CallOp]] = {}
    for call in all_of(module, func.CallOp):
        calls.setdefault(call.callee.string_value(), []).append(call)
    for function in functions:
        name = function.sym_name.data
        found = sha256(str(function).encode())
        reads = [op for op in operations(function) if isinstance(op, memref.GetGlobalOp)]
        for get in reads:
            found.update(contents[get.name_.string_value()])
        for call in calls.get(name, ()):
            found.update(f"{keys.PARTS.get(call.attributes)}".encode())
            for value in call.arguments:
                found.update(_origin(value, contents))
        yield name, found.digest()


def _origin(value: SSAValue, contents: dict[str, bytes]) -> bytes:
    """Whence an argument comes, as far as constants go: perhaps by a view."""
    match value.owner:
        case memref.GetGlobalOp() as get:
            return get.name_.string_value().encode() + contents[get.name_.string_value()]
        case memref.ReinterpretCastOp() as view:
            return str(view.result.type).encode() + _origin(view.source, contents)
        case _:
            return b"-"


def _content(op: memref.GlobalOp) -> bytes:
    """A constant's type and elements; without these for what is none."""
    value = op.initial_value
    elements = value.data.data if isinstance(value, DenseIntOrFPElementsAttr) else str(value).encode()
    return sha256(f"{op.type} {op.constant}".encode() + elements).digest()
