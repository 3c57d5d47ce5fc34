"""Costs of functions in several copies of a module, or in modules that are alike: each way is weighed once.

Most variants give a function the schedules that another one gives it, and a network with fewer channels has many of the
functions of the whole one. Lowering is most of what weighing takes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.operations import all_of, operations
from ....dialects.pool import keys
from ....dialects.task import NestOp
from ....lowering.schedule.cost.growth import FunctionCost, costs_of
from ....lowering.schedule.cost.held import held_bytes
from ....lowering.tasks import LowerTasksPass
from ....machines.cpus import Cpu

_Way: TypeAlias = tuple[Cpu, bytes]
"""A processor, and a digest of all that decides what a function costs there."""


@dataclass
class Weighed:
    """Knowledge of what functions cost on a processor."""

    cpu: Cpu

    def costs(self, module: ModuleOp, names: Collection[str] | None = None) -> dict[str, FunctionCost]:
        """Return the costs of the called functions of a module of tasks; the module is consumed.

        Args:
            module: of tasks.
            names: those of functions that are asked about; all if it is None.
        """
        found, rest = self._known(module, names)
        costs = costs_of(module, self.cpu, rest) if rest else {}
        if len(_KNOWN) + len(costs) > MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN.update({rest[name]: cost for name, cost in costs.items()})
        found |= costs
        return {name: found[name] for op in functions(module) if (name := op.sym_name.data) in found}

    def scratch(self, module: ModuleOp) -> dict[str, int]:
        """Return the bytes of scratch memory that the functions of a module of tasks have; the module is consumed."""
        # Digests are for nothing where nothing was weighed.
        found = self._known(module)[0] if _KNOWN else {}
        LowerTasksPass().apply(Context(), module)
        names = {op.sym_name.data: op for op in functions(module)}
        return {name: found[name].scratch if name in found else held_bytes(op) for name, op in names.items()}

    def _known(
        self, module: ModuleOp, names: Collection[str] | None = None
    ) -> tuple[dict[str, FunctionCost], dict[str, _Way]]:
        """Costs of functions that were weighed before, and the others; of these alone the module keeps the tasks."""
        asked = [op for op in functions(module) if names is None or op.sym_name.data in names]
        rest = {name: (self.cpu, digest) for name, digest in _digests(module, asked)}
        found = {name: _KNOWN[way] for name, way in rest.items() if way in _KNOWN}
        for name in found:
            del rest[name]
        empty([op for op in functions(module) if op.sym_name.data not in rest])
        return found, rest


_KNOWN: dict[_Way, FunctionCost] = {}

MOST_KNOWN = 16384
"""Ways whose costs are kept."""
MOST_TEXTS = 16384
"""Attributes whose texts are kept."""


def functions(module: ModuleOp) -> list[func.FuncOp]:
    """The functions of a module that have a body."""
    return [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]


def empty(functions: Collection[func.FuncOp]) -> None:
    """Take away what is not lowered again."""
    for nest in [op for function in functions for op in all_of(function, NestOp)]:
        nest.detach()
        nest.erase()


def _digests(module: ModuleOp, functions: Sequence[func.FuncOp]) -> Iterator[tuple[str, bytes]]:
    """For each called function its name, and a digest of its operations, its calls, and the constants that it reads."""
    globals = {op.sym_name.data: op for op in module.ops if isinstance(op, memref.GlobalOp)}
    contents = _Contents(globals)
    calls: dict[str, list[func.CallOp]] = {}
    for call in all_of(module, func.CallOp):
        calls.setdefault(call.callee.string_value(), []).append(call)
    for function in functions:
        name = function.sym_name.data
        if name not in calls:
            continue
        found = sha256(" ".join(_words(function, {})).encode())
        reads = [op for op in operations(function) if isinstance(op, memref.GetGlobalOp)]
        for get in reads:
            found.update(contents[get.name_.string_value()])
        for call in calls[name]:
            found.update(f"{keys.PARTS.get(call.attributes)}".encode())
            for value in call.arguments:
                found.update(_origin(value, contents))
        yield name, found.digest()


def _words(op: Operation, numbers: dict[SSAValue, str]) -> Iterator[str]:
    """What an operation is, but for names of values, in a fifth of the time that printing takes."""
    yield op.name
    for operand in op.operands:
        yield numbers[operand]
    for result in op.results:
        numbers[result] = f"%{len(numbers)}"
        yield _text(result.type)
    for given in (op.properties, op.attributes):
        for name in sorted(given):
            yield f"{name}={_text(given[name])}"
    for region in op.regions:
        for block in region.blocks:
            yield "{"
            for argument in block.args:
                numbers[argument] = f"%{len(numbers)}"
                yield _text(argument.type)
            for inner in block.ops:
                yield from _words(inner, numbers)
            yield "}"


@lru_cache(MOST_TEXTS)
def _text(attribute: Attribute) -> str:
    return str(attribute)


class _Contents(dict[str, bytes]):
    """Digests of constants, by name, made for those that are asked for."""

    def __init__(self, globals: Mapping[str, memref.GlobalOp]):
        super().__init__()
        self._globals = globals

    def __missing__(self, name: str) -> bytes:
        self[name] = _content(self._globals[name])
        return self[name]


def _origin(value: SSAValue, contents: Mapping[str, bytes]) -> bytes:
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
