"""Which functions deserve more than loops in order where flash counts most."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp

from ...dialects import nn_keys
from ...dialects.simd import BYTES
from ...dialects.task import NestOp
from ...dialects.task.products import products
from ...machines.cpus import Cpu
from .cost.growth import FunctionCost, Option, chosen, costs_of, global_bytes
from .variants import Variant

_MOST_GROWTH = 1 / 8
"""Of code and tables, by estimates: these are a little above what it comes to."""
_LEAST_SAVED = 1 / 256
"""Of a network's instructions, for which code of its own is worth while."""
_MOST_IN_FUNCTION = 2
"""Tasks with tiles, each of which has code of its own: the gates of an LSTM are eight, and cannot become one."""


def small_tiles(
    module: ModuleOp,
    cpu: Cpu,
    write: Callable[[ModuleOp, Collection[str]], None],
    room: Mapping[str, int] | None = None,
) -> frozenset[str]:
    """The functions whose tiles save most for their code, for about a tenth more code and tables than plain loops.

    Functions whose tasks differ in extents and constants alone are of one kind: they become one function
    (`emit_c.share_functions`), so that their code counts once.

    Args:
        module: of tasks; it does not change.
        cpu: the processor.
        write: schedules the tasks of a module as `Variant.SMALL` says, with tiles for the functions named.
        room: the most scratch memory by function, as `held.room_for_scratch` gives it; None for as much as it takes.
    """
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
    kinds = {op.sym_name.data: _kind(op) for op in functions}
    many = {_kind(op) for op in functions if _sums(op) > _MOST_IN_FUNCTION}
    costs: list[dict[str, FunctionCost]] = []
    short = set[str]()
    for tiled in ((), kinds):
        written = module.clone()
        write(written, tiled)
        found_costs = costs_of(written, cpu)
        short = {kinds[name] for name, one in found_costs.items() if room is not None and one.scratch > room[name]}
        costs.append(_by_kind(found_costs, kinds))
    without, with_tiles = costs
    plain = costs_of(module.clone(), cpu)
    least = _LEAST_SAVED * sum(one.instructions for one in plain.values())
    found = [
        Option(kind, Variant.SMALL, saved, _growth(one, with_tiles[kind]))
        for kind, one in without.items()
        if kind not in many | short and (saved := one.instructions - with_tiles[kind].instructions) >= max(1.0, least)
    ]
    code, shortest = (sum(one.code for one in each.values()) for each in (plain, without))
    tables = [op for op in module.ops if isinstance(op, memref.GlobalOp) and nn_keys.TABLE.within(op.attributes)]
    taken = chosen(found, code - shortest + _MOST_GROWTH * (code + sum(map(global_bytes, tables))))
    return frozenset(name for name, kind in kinds.items() if kind in taken)


def _sums(function: func.FuncOp) -> int:
    return sum(isinstance(op, NestOp) and products(op) is not None for op in function.walk())


def _kind(function: func.FuncOp) -> str:
    """The same for functions of which one can take the place of all."""
    nests = [op for op in function.walk() if isinstance(op, NestOp)]
    if not nests:
        return function.sym_name.data
    return " ".join(map(str, map(_form, nests)))


def _form(nest: NestOp) -> tuple[Hashable, ...]:
    """What loops and code of a task depend on, but for numbers."""
    clipped = tuple(access.clip for group in nest.GROUPS for access in nest.accesses(group))
    loops = tuple(extent > 1 for extent in nest.extents)
    in_words = nest.extents[-1] % BYTES == 0
    return tuple(nest.index_names), tuple(op.name for op in nest.walk()), clipped, loops, in_words


def _by_kind(costs: Mapping[str, FunctionCost], kinds: Mapping[str, str]) -> dict[str, FunctionCost]:
    """Instructions of all functions of a kind, and the code of the longest."""
    found: dict[str, FunctionCost] = {}
    for name, one in costs.items():
        if name not in kinds:
            continue
        so_far = found.get(kinds[name], FunctionCost(0, 0, 0))
        instructions, constants = so_far.instructions + one.instructions, so_far.constants + one.constants
        found[kinds[name]] = FunctionCost(instructions, max(so_far.code, one.code), constants)
    return found


def _growth(without: FunctionCost, with_tiles: FunctionCost) -> float:
    """Bytes of code, less those by which constants of four bits shrink."""
    return with_tiles.code - without.code + min(0, with_tiles.constants - without.constants)
