"""What schedules would cost and save, function by function: both ways are made into loops, and these are weighed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import MemRefType, ModuleOp

from ....machines.cpus import Cpu
from ...tasks import LowerTasksPass
from .estimate import Estimate, estimate


@dataclass(frozen=True)
class Growth:
    """One function with schedules, compared with the same without."""

    name: str
    saved: float
    """Instructions of one run of the network."""
    flash: float
    """Bytes more: code and constants."""


@dataclass(frozen=True)
class _Function:
    estimate: Estimate
    calls: int
    constants: Mapping[str, int]
    """Bytes of the constants that calls pass to it or that it reads, by their names."""


def growths(before: ModuleOp, after: ModuleOp, cpu: Cpu) -> list[Growth]:
    """What the functions of `after` save and take whose tasks have schedules there; both modules are consumed.

    Args:
        before: a module of tasks without the schedules.
        after: the same with them.
        cpu: the processor.
    """
    plain, scheduled = (_functions(module, cpu) for module in (before, after))
    found: list[Growth] = []
    for name, one in plain.items():
        other = scheduled[name]
        constants = sum(other.constants.values()) - sum(one.constants.values())
        saved = (one.estimate.instructions - other.estimate.instructions) * one.calls
        found.append(Growth(name, saved, other.estimate.code - one.estimate.code + constants))
    return found


def constant_bytes(module: ModuleOp) -> int:
    """Bytes of all constants of a module."""
    return sum(_bytes(op) for op in module.ops if isinstance(op, memref.GlobalOp) and op.constant is not None)


def chosen(found: Sequence[Growth], most: float) -> set[str]:
    """Names of the functions whose schedules save most for the flash that they take, at most `most` bytes in all.

    What takes no flash comes first; then by instructions saved for each byte.
    """
    names, total = set[str](), 0.0
    for one in sorted(found, key=lambda one: (one.flash > 0, -one.saved / max(1.0, one.flash), one.name)):
        if one.saved > 0 and total + one.flash <= most:
            names.add(one.name)
            total += one.flash
    return names


def _functions(module: ModuleOp, cpu: Cpu) -> dict[str, _Function]:
    sizes = {op.sym_name.data: _bytes(op) for op in module.ops if isinstance(op, memref.GlobalOp)}
    LowerTasksPass().apply(Context(), module)
    sizes |= {op.sym_name.data: _bytes(op) for op in module.ops if isinstance(op, memref.GlobalOp)}
    functions = [op for op in module.walk() if isinstance(op, func.FuncOp) and op.body.blocks]
    calls: dict[str, list[func.CallOp]] = {function.sym_name.data: [] for function in functions}
    for op in module.walk():
        if isinstance(op, func.CallOp) and op.callee.string_value() in calls:
            calls[op.callee.string_value()].append(op)
    found: dict[str, _Function] = {}
    for function in functions:
        name = function.sym_name.data
        reads = [inner for inner in function.walk() if isinstance(inner, memref.GetGlobalOp)]
        passed = [value.owner for call in calls[name] for value in call.arguments]
        gets = [*reads, *(get for get in passed if isinstance(get, memref.GetGlobalOp))]
        if not calls[name]:
            continue
        constants = {get.name_.string_value(): sizes[get.name_.string_value()] for get in gets}
        found[name] = _Function(estimate(function, cpu), len(calls[name]), constants)
    return found


def _bytes(op: memref.GlobalOp) -> int:
    type = op.type
    assert isinstance(type, MemRefType), "globals are memrefs"
    return type.element_count() * max(1, getattr(type.element_type, "bitwidth", 8) // 8)
