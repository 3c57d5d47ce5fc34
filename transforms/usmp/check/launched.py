"""Devices that run beside the processor: from a launch to its wait nobody disturbs them, and nobody looks early.

Between the two the device may at any time read its inputs, and write its outputs and scratch. Whatever else runs
meanwhile must write none of these bytes, and read none that the device writes: neither the same buffers nor others that
share bytes with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from ....dialects.accesses import accesses
from ....dialects.external import LaunchOp, WaitOp
from ....dialects.operations import all_of, enclosing
from .places import Place, pool_argument
from .points import Untimed
from .reference import Arguments, Reference, refer, width
from .run import span_of


@dataclass(frozen=True)
class _Bytes:
    """Bytes of a pool, or of an argument that the caller owns."""

    home: str
    first: int
    end: int
    name: str
    is_write: bool

    def clashes(self, other: _Bytes) -> bool:
        """Whether they share a byte that one of them writes."""
        shares = self.home == other.home and self.first < other.end and other.first < self.end
        return shares and (self.is_write or other.is_write)


def check_launched(module: ModuleOp, placed: Mapping[Operation, Place]) -> None:
    """Check all launches; they stand in entry functions, in any block.

    Raises:
        PassFailedException: a launch is not waited for, or what runs meanwhile uses its bytes.
    """
    launches = all_of(module, LaunchOp)
    if not launches:
        return
    run = _Run(module, placed)
    for launch in launches:
        meanwhile, wait = list[Operation](), launch.next_op
        while wait is not None and not (isinstance(wait, WaitOp) and wait.token is launch.token):
            meanwhile.append(wait)
            wait = wait.next_op
        name = launch.function.data
        if wait is None:
            raise PassFailedException(f"{name} is launched and not waited for in the same block")
        arguments = run.arguments_of(launch)
        ours = list(run.touched(launch, arguments))
        if sorted(map(str, _operands(wait))) != sorted(map(str, _operands(launch))):
            raise PassFailedException(f"the wait for {name} has other buffers than its launch")
        for op in meanwhile:
            for theirs in run.touched(op, arguments):
                clash = next((mine for mine in ours if mine.clashes(theirs)), None)
                if clash is not None:
                    does = "writes" if theirs.is_write else "reads"
                    raise PassFailedException(
                        f"{op.name} {does} '{theirs.name}' between the launch of {name} and its wait, which has "
                        f"'{clash.name}' at byte {max(clash.first, theirs.first)} of {clash.home}"
                    )


def _operands(op: Operation) -> Sequence[int]:
    return [id(value) for value in op.operands if isinstance(value.type, MemRefType)]


class _Run:
    """Memory that operations touch, calls followed."""

    def __init__(self, module: ModuleOp, placed: Mapping[Operation, Place]):
        self._table = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
        self._made = {op: number for number, op in enumerate(placed)}
        self._places = list(placed.values())
        self._owned: list[SSAValue] = []

    def arguments_of(self, launch: LaunchOp) -> Arguments:
        """The arguments of the function that a launch stands in: what is no pool is a home of its own."""
        function = enclosing(launch, func.FuncOp)
        assert function is not None, "launches stand in functions"
        bound: dict[SSAValue, Reference | None] = {}
        for argument in function.body.block.args:
            is_owned = isinstance(argument.type, MemRefType) and pool_argument(argument) is None
            bound[argument] = Reference(len(self._places) + len(self._owned), 0) if is_owned else None
            self._owned += [argument] if is_owned else []
        return bound

    def touched(self, op: Operation, arguments: Arguments) -> Iterator[_Bytes]:
        """The bytes that an operation reads or writes, with everything that it calls and that is inside it."""
        if isinstance(op, WaitOp):
            # What it waits for has been looked at with its own launch.
            return
        if isinstance(op, func.CallOp):
            function = self._table.get(op.callee.string_value())
            if function is not None and function.body.blocks:
                bound: dict[SSAValue, Reference | None] = {
                    argument: refer(value, arguments, self._made) if isinstance(value.type, MemRefType) else None
                    for argument, value in zip(function.body.block.args, op.operands, strict=True)
                }
                for inner in function.body.block.ops:
                    yield from self.touched(inner, bound)
                return
        for access in accesses(op):
            reference = refer(access.memref, arguments, self._made)
            if reference is not None:
                yield self._bytes(reference, access.type, is_write=access.is_write)
        for inner in (inner for region in op.regions for block in region.blocks for inner in block.ops):
            yield from self.touched(inner, arguments)

    def _bytes(self, reference: Reference, type: MemRefType, *, is_write: bool) -> _Bytes:
        """All bytes of a memref, or of its buffer where it is not known which."""
        extent = _extent(type)
        number = reference.number - len(self._places)
        if number >= 0:
            owned = self._owned[number]
            name = owned.name_hint or f"argument {number}"
            return _Bytes(f"argument {number}", 0, 1 << 31, name, is_write)
        place = self._places[reference.number]
        first, end = place.first + (place.at or 0), place.end
        if reference.start is not None and extent is not None:
            first, end = first + reference.start, first + reference.start + extent
        return _Bytes(f"pool @{place.pool}", first, end, place.name, is_write)


def _extent(type: MemRefType) -> int | None:
    """Bytes from a memref's first element to behind its last; None where the type does not say."""
    try:
        return span_of(type) * width(type)
    except Untimed:
        return None
