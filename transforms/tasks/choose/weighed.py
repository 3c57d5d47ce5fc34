"""Costs of functions in several copies of a module, or in modules that are alike: each way is weighed once.

Most variants give a function the schedules that another one gives it, and a network with fewer channels has many of the
functions of the whole one. Lowering is most of what weighing takes.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, ModuleOp
from xdsl.ir import SSAValue

from ....dialects import nn_keys
from ....dialects.fingerprint import fingerprint
from ....dialects.operations import all_of
from ....dialects.pool import keys
from ....dialects.task import NestOp
from ....lowering.tasks import ApplyStepsPass
from ....machines.cpus import Cpu
from ...usmp.analysis.held import held_bytes
from ..calls import Calls
from .costs import FunctionCost, costs_of
from .kept import kept


class Way:
    """A processor, and all that decides what a function costs there. Its hash, which takes long, is made once."""

    def __init__(self, *parts: Hashable):
        self._parts, self._hash = parts, hash(parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Way) and self._parts == other._parts


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
        if (store := kept()) is not None and costs:
            store.add(module, {name: rest[name] for name in costs})
        if len(_KNOWN) + len(costs) > MOST_KNOWN:
            _KNOWN.clear()
        _KNOWN.update({rest[name]: cost for name, cost in costs.items()})
        found |= costs
        return {name: found[name] for op in functions(module) if (name := op.sym_name.data) in found}

    def ways(self, module: ModuleOp) -> dict[str, Way]:
        """Return for each called function of a module of tasks all that decides what it costs in any form.

        Functions that share constants are left out: what becomes of these depends on the others.
        """
        calls = Calls.of(module)
        constants, shared = calls.constants_of, calls.shared
        called = [op for op in functions(module) if op.sym_name.data in constants]
        alone = [op for op in called if shared.isdisjoint(constants[op.sym_name.data])]
        return dict(self._ways(module, alone))

    def scratch(self, module: ModuleOp) -> dict[str, int]:
        """Return the bytes of scratch memory that the functions of a module of tasks have; the module is consumed."""
        # Keys are for nothing where nothing was weighed.
        found = self._known(module)[0] if _KNOWN else {}
        ApplyStepsPass().apply(Context(), module)
        names = {op.sym_name.data: op for op in functions(module)}
        return {name: found[name].scratch if name in found else held_bytes(op) for name, op in names.items()}

    def put_kept(self, module: ModuleOp) -> None:
        """Replace functions of a module of tasks that were lowered when they were weighed, as far as they are kept."""
        if (store := kept()) is not None and not store.is_empty:
            store.put(module, dict(self._ways(module, functions(module))), _REMARKS)

    def _known(
        self, module: ModuleOp, names: Collection[str] | None = None
    ) -> tuple[dict[str, FunctionCost], dict[str, Way]]:
        """Costs of functions that were weighed before, and the others; of these alone the module keeps the tasks."""
        asked = [op for op in functions(module) if names is None or op.sym_name.data in names]
        rest = dict(self._ways(module, asked))
        found = {name: _KNOWN[way] for name, way in rest.items() if way in _KNOWN}
        for name in found:
            del rest[name]
        empty([op for op in functions(module) if op.sym_name.data not in rest])
        return found, rest

    def _ways(self, module: ModuleOp, asked: Sequence[func.FuncOp]) -> Iterator[tuple[str, Way]]:
        """For each called function its name, the processor, its operations, its calls, and constants that it has."""
        of_module = Calls.of(module)
        calls, contents = of_module.calls, _Contents(of_module.globals)
        for function in asked:
            name = function.sym_name.data
            if name not in calls:
                continue
            read = tuple(contents[op.name_.string_value()] for op in all_of(function, memref.GetGlobalOp))
            given = tuple(
                (call.attributes.get(keys.PARTS.name), *[_origin(value, contents) for value in call.arguments])
                for call in calls[name]
            )
            yield name, Way(self.cpu, fingerprint(function, _REMARKS), read, given)


_KNOWN: dict[Way, FunctionCost] = {}

MOST_KNOWN = 4096
"""Ways whose costs are kept."""


def functions(module: ModuleOp) -> list[func.FuncOp]:
    """The functions of a module that have a body."""
    return [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]


def empty(functions: Collection[func.FuncOp]) -> None:
    """Take away what is not lowered again."""
    for nest in [op for function in functions for op in all_of(function, NestOp)]:
        nest.detach()
        nest.erase()


_REMARKS = (nn_keys.REMARK.name, nn_keys.GAIN.name)
"""Attributes that say what was chosen, and cost nothing."""


class _Contents(dict[str, Hashable]):
    """What constants are, by name, made for those that are asked for."""

    def __init__(self, globals: Mapping[str, memref.GlobalOp]):
        super().__init__()
        self._globals = globals

    def __missing__(self, name: str) -> Hashable:
        self[name] = _content(self._globals[name])
        return self[name]


def _origin(value: SSAValue, contents: Mapping[str, Hashable]) -> Hashable:
    """Whence an argument comes, as far as constants go: perhaps by a view."""
    match value.owner:
        case memref.GetGlobalOp() as get:
            return get.name_.string_value(), contents[get.name_.string_value()]
        case memref.ReinterpretCastOp() as view:
            return view.result.type, _origin(view.source, contents)
        case _:
            return None


def _content(op: memref.GlobalOp) -> Hashable:
    """A constant's type and a digest of its elements; what else is there instead for what is none."""
    value = op.initial_value
    elements = sha256(value.data.data).digest() if isinstance(value, DenseIntOrFPElementsAttr) else value
    return op.type, op.constant, elements
