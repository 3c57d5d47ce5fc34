"""Which functions deserve more than loops in order where flash counts most."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import replace

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp

from ....dialects import nn_keys
from ....dialects.operations import all_of, operations
from ....dialects.simd.words import BYTES
from ....dialects.task import NestOp
from ....lowering.schedule.variants import Variant
from ....machines.cpus import Cpu
from ...usmp.analysis.held import bytes_of
from .costs import FunctionCost
from .options import Option, chosen
from .weighed import Weighed

MOST_GROWTH = 1 / 8
"""Share of code and tables, by estimates: these are a little above what it comes to."""
_LEAST_SAVED = 1 / 256
"""Share of a network's instructions for which code of its own is worth while."""


def small_tiles(
    module: ModuleOp,
    cpu: Cpu,
    write: Callable[[Collection[str]], ModuleOp],
    room: Mapping[str, int] | None = None,
) -> frozenset[str]:
    """The functions whose tiles save most for their code, for about a tenth more code and tables than plain loops.

    Functions whose tasks differ in extents and constants alone are of one kind: they become one function
    (`emit_c.share_functions`), so that their code counts once. So does that of such tasks of one function, as the gates
    of an LSTM are, of which the function calls one (`emit_c.outline_loops`).

    Args:
        module: of tasks; it does not change.
        cpu: the processor.
        write: gives a copy of it that is scheduled as `Variant.SMALL` says, with tiles for the functions named.
        room: the most scratch memory by function, as `held.room_for_scratch` gives it; None for as much as it takes.
    """
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
    kinds = {op.sym_name.data: _kind(op) for op in functions}
    costs: list[dict[str, FunctionCost]] = []
    short, weighed = set[str](), Weighed(cpu)
    for tiled in ((), kinds):
        found_costs = _costs(write(tiled), weighed)
        short = {kinds[name] for name, one in found_costs.items() if room is not None and one.scratch > room[name]}
        costs.append(_by_kind(found_costs, kinds))
    without, with_tiles = costs
    plain = weighed.costs(module.clone())
    least = _LEAST_SAVED * sum(one.instructions for one in plain.values())
    options = [Option.of(kind, Variant.SMALL, one, with_tiles[kind]) for kind, one in without.items()]
    found = [one for one in options if one.name not in short and one.saved >= max(1.0, least)]
    code, shortest = (sum(one.code for one in each.values()) for each in (plain, without))
    tables = [op for op in module.ops if isinstance(op, memref.GlobalOp) and nn_keys.TABLE.within(op.attributes)]
    taken = chosen(found, code - shortest + MOST_GROWTH * (code + sum(bytes_of(op.type) for op in tables)))
    return frozenset(name for name, kind in kinds.items() if kind in taken)


def _costs(module: ModuleOp, weighed: Weighed) -> dict[str, FunctionCost]:
    """Costs of functions in which the code of tasks that are alike is there once; the module is consumed."""
    once = module.clone()
    repeated = [nest for function in once.ops if isinstance(function, func.FuncOp) for nest in _repeated(function)]
    for nest in repeated:
        nest.detach()
        nest.erase()
    found = weighed.costs(module)
    if not repeated:
        return found
    return {name: replace(found[name], code=one.code) for name, one in weighed.costs(once).items()}


def _repeated(function: func.FuncOp) -> list[NestOp]:
    """Tasks of loops around loops that differ from others before them in extents and constants alone."""
    seen, found = set[Hashable](), list[NestOp]()
    for nest in all_of(function, NestOp):
        if sum(extent > 1 for extent in nest.extents) > 1:
            form = _form(nest)
            if form in seen:
                found.append(nest)
            seen.add(form)
    return found


def _kind(function: func.FuncOp) -> str:
    """Key that is equal for functions of which one can take the place of all."""
    nests = all_of(function, NestOp)
    if not nests:
        return function.sym_name.data
    return " ".join(map(str, map(_form, nests)))


def _form(nest: NestOp) -> tuple[Hashable, ...]:
    """Key of what loops and code of a task depend on, but for numbers."""
    clipped = tuple(access.clip for group in nest.GROUPS for access in nest.accesses(group))
    loops = tuple(extent > 1 for extent in nest.extents)
    in_words = all(extent % BYTES == 0 for extent in nest.extents[-1:])
    return tuple(nest.index_names), tuple(op.name for op in operations(nest)), clipped, loops, in_words


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
