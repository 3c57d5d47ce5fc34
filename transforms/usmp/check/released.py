"""Check of inputs that the application refills during a run once they are released.

`pool.releases` on an operation of an entry function lists the inputs that are released after it. From there on nothing
may read them, and nothing may use their bytes: what the application writes there is for the next run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.operations import operations
from ....dialects.pool import keys
from ....dialects.pool.kinds import BufferKind
from .places import Place, pool_argument


@dataclass(frozen=True)
class _Input:
    """An input of an entry function."""

    number: int
    values: list[SSAValue]
    places: list[Place]


def check_released(
    module: ModuleOp, entries: Sequence[func.FuncOp], placed: Mapping[Operation, Place], *, in_order: bool
) -> None:
    """Check all promises; `in_order` entry functions run one after another before any input is used again.

    Raises:
        PassFailedException: an input is used after its release, or its bytes are.
    """
    table = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    for position, entry in enumerate(entries):
        promises = [(op, number) for op in entry.body.block.ops for number in keys.RELEASES.get(op.attributes) or ()]
        if not promises:
            continue
        inputs = {i.number: i for i in _inputs(entry, placed)}
        behind = [op for other in entries[position + 1 :] if in_order for op in other.body.block.ops]
        for op, number in promises:
            if number not in inputs:
                raise PassFailedException(f"@{entry.sym_name.data} releases input {number}, which it does not have")
            following = [*_following(op), *behind]
            _check(inputs[number], op, following, entry, table, placed)


def _check(
    given: _Input,
    release: Operation,
    following: Sequence[Operation],
    entry: func.FuncOp,
    table: Mapping[str, func.FuncOp],
    placed: Mapping[Operation, Place],
) -> None:
    what = f"@{entry.sym_name.data} releases input {given.number} after {release.name}, but"
    read_later = (BufferKind.OUTPUT, BufferKind.STATE)
    lasting = [p for op, p in placed.items() if entry.is_ancestor(op) and p.kind in read_later]
    for mine in given.places:
        for other in lasting:
            if mine.overlaps(other):
                raise PassFailedException(f"{what} '{other.name}' shares its bytes and is read after the run")
    for op in following:
        used = {_root(v) for o in operations(op) for v in o.operands if isinstance(v.type, MemRefType)}
        if used & set(given.values):
            raise PassFailedException(f"{what} {op.name} uses it later")
        touched = [placed[root.owner] for root in used if isinstance(root.owner, Operation) and root.owner in placed]
        for other in [*touched, *_inside(op, table, placed, set())]:
            if any(mine.overlaps(other) for mine in given.places):
                raise PassFailedException(f"{what} {op.name} later uses '{other.name}', which shares its bytes")


def _inputs(entry: func.FuncOp, placed: Mapping[Operation, Place]) -> list[_Input]:
    """The inputs with a number: arguments, buffers, or an argument that is one of two buffers."""
    found: dict[int, _Input] = {}
    for argument, attributes in zip(entry.body.block.args, entry.arg_attrs or (), strict=False):
        number = keys.INPUT.get(attributes.data)
        if number is not None:
            found.setdefault(number, _Input(number, [], [])).values.append(argument)
    for op, place in placed.items():
        if place.input is not None and entry.is_ancestor(op):
            given = found.setdefault(place.input, _Input(place.input, [], []))
            given.values.extend(op.results)
            given.places.append(place)
    return list(found.values())


def _following(op: Operation) -> list[Operation]:
    found: list[Operation] = []
    while (op_after := op.next_op) is not None:
        found.append(op_after)
        op = op_after
    return found


def _root(value: SSAValue) -> SSAValue:
    """The value that a view of it begins with: a buffer or an argument. A view of a pool is a buffer."""
    while isinstance(owner := value.owner, Operation) and owner.name.startswith("memref."):
        sources = [v for v in owner.operands if isinstance(v.type, MemRefType)]
        if len(sources) != 1 or pool_argument(sources[0]) is not None:
            break
        value = sources[0]
    return value


def _inside(
    op: Operation, table: Mapping[str, func.FuncOp], placed: Mapping[Operation, Place], seen: set[str]
) -> list[Place]:
    """The buffers that called functions make."""
    found: list[Place] = []
    for call in op.walk():
        if isinstance(call, func.CallOp) and (name := call.callee.string_value()) in table and name not in seen:
            seen.add(name)
            function = table[name]
            found += [placed[o] for o in operations(function) if o in placed]
            found += _inside(function, table, placed, seen)
    return found
