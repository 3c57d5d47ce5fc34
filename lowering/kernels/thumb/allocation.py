"""Registers for the values of a kernel, from its first instruction on.

xDSL's own allocator begins with the last one. It meets the words of an LDM one by one where each is read last, when the
registers that would keep them in order are taken; and last of all what a kernel is given, in registers that are set.

Many instructions have an encoding of 16 bits, but only with the registers r0 to r7. Others leave these to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, count

from xdsl.backend.assembly_printer import reg
from xdsl.backend.register_allocator import BlockAllocator, live_ins_per_block
from xdsl.backend.register_stack import RegisterStack
from xdsl.backend.register_type import RegisterType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.disjoint_set import DisjointSet

from ....dialects.operations import all_of, operations
from .check import check_registers
from .control import Around, Carrying, EnteringOp, FrameOp, KernelOp, LoopOp, UntilOp, YieldOp
from .instruction import Instruction
from .memory import spill, stm
from .registers import FLOATS, GENERAL, RESULTS, AnyRegister, Register, register_of

_GIVEN: dict[Hashable, tuple[Sequence[Attribute], Sequence[str]]] = {}
"""By the form of kernels: the registers of their values, and what is left behind. A check depends on nothing else."""


def allocate(kernel: KernelOp) -> Sequence[str]:
    """Give each value of a kernel a register, if it has none, and check them.

    Returns:
        The registers in which it leaves something behind: see `check_registers`.

    Raises:
        DiagnosticException: there are not enough registers.
        VerifyException: see `check_registers`.
    """
    ops = operations(kernel)
    values = [value for op in ops for value in _made(op)]
    form = _form(kernel, ops, values)
    if form not in _GIVEN:
        _allocate(kernel)
        left = check_registers(kernel)
        _GIVEN[form] = [value.type for value in values], left
    registers, left = _GIVEN[form]
    for value, register in zip(values, registers, strict=True):
        _put(value, register)
    return left


def _made(op: Operation) -> Sequence[SSAValue]:
    """The values of an operation: its results, and what its blocks are given."""
    if not op.regions:
        return op.results
    return (*op.results, *(argument for region in op.regions for argument in region.block.args))


def _form(kernel: KernelOp, ops: Iterable[Operation], values: Sequence[SSAValue]) -> Hashable:
    """What registers depend on, which is the same for kernels that read other places."""
    number: dict[SSAValue | None, int] = {value: n for n, value in enumerate(values)}
    written = [
        (op.__class__, len(op.results), *map(number.get, op.operands))
        + ((op.is_short, number.get(op.changed)) if isinstance(op, Instruction) else ())
        + ((op.constants["by"],) if isinstance(op, spill) else ())
        for op in ops
    ]
    # Names, not registers: those are compared and hashed part by part.
    types = tuple([(value.type.__class__, reg(value)) for value in values])
    return kernel.registers, types, tuple(written)


def _allocate(kernel: KernelOp) -> None:
    block, registers = kernel.body.block, GENERAL if kernel.registers is None else kernel.registers.data
    entering = [op.result for op in block.ops if isinstance(op, EnteringOp)]
    given = {value.type for value in (*block.args, *entering)}
    free = RegisterStack.get(one for one in (*registers, *FLOATS) if one not in given)
    free.allow_infinite = set(GENERAL).isdisjoint(registers)
    free.next_infinite_indices[Register.register_pool_key()] = len(block.args)
    allocator = _Allocator(free, AnyRegister)
    allocator.live_ins_per_block, allocator.wanted = live_ins_per_block(block), _wanted(kernel, registers)
    allocator.high = _high(kernel) if kernel.registers is None else {}
    allocator.allocate_block(block, [*entering, *(value for value in block.args if value.type not in registers)])


def _wanted(kernel: KernelOp, registers: Sequence[AnyRegister]) -> dict[SSAValue, AnyRegister]:
    """Registers for results, for the words that each STM stores, in its order, and for what these are made of."""
    wanted = dict[SSAValue, AnyRegister](zip(kernel.yielded, RESULTS, strict=False) if kernel.registers is None else ())
    for op in kernel.body.block.walk(reverse=True):
        if isinstance(op, stm):
            wanted.update(zip(op.stored, registers, strict=False))
        for result, source in _passed_on(op):
            if result in wanted:
                wanted.setdefault(source, wanted[result])
    return wanted


def _high(kernel: KernelOp) -> dict[SSAValue, int]:
    """Results that leave low registers to others, and how many of the same instruction come behind each.

    Most of what writes to their registers has no encoding of 16 bits.
    """
    ops = operations(kernel)
    chains = DisjointSet[SSAValue]([*chain.from_iterable(map(_made, ops))])
    for result, source in chain.from_iterable(map(_passed_on, ops)):
        chains.union(result, source)
    instructions, gains = all_of(kernel, Instruction), Counter[SSAValue]()
    for op in instructions:
        gains.update({chains.find(result): 1 if op.is_short else -1 for result in op.results})
    high: dict[SSAValue, int] = {}
    for op in instructions:
        outs = op.get_register_constraints().outs
        # Several that an instruction loads go the same way, for their registers ascend.
        if all(isinstance(one.type, Register) and gains[chains.find(one)] < 0 for one in outs):
            high.update(zip(reversed(outs), count()))
    return high


def _passed_on(op: Operation) -> Iterable[tuple[SSAValue, SSAValue]]:
    """Results of an operation, each with a value whose register it may have."""
    if not op.regions:
        return zip(op.results, op.operands[:1], strict=False)
    assert isinstance(op, Around), "no other operation has a region"
    passed = (*op.yielded, *op.carried, *op.body.block.args) if isinstance(op, Carrying) else op.yielded
    return zip(op.results * 3, passed, strict=False)


def _put(value: SSAValue, register: Attribute) -> None:
    """Write a register on a value: another one in its place would be put into all uses, too."""
    value._type = register  # pyright: ignore[reportPrivateUsage]


class _Allocator(BlockAllocator):
    """The free register of the least number is the next one, as LDM fills them, if a value wants none.

    Values that leave low registers to others have those of the greatest numbers.
    """

    wanted: dict[SSAValue, AnyRegister]
    high: dict[SSAValue, int]
    """How many registers of greater numbers others of the same instruction take, behind it."""

    def new_type_for_value(self, reg: SSAValue) -> RegisterType | None:
        kind = register_of(reg)
        if kind.is_allocated:
            return None
        if wanted := self.wanted.get(reg):
            self.available_registers.exclude_register(wanted)
            return wanted
        free = self.available_registers.available_registers[kind.register_pool_key()]
        free.sort(key=abs, reverse=True)
        place = self.high.get(reg, len(free))
        if place < len(free):
            free.append(free.pop(place))
        return super().new_type_for_value(reg)

    def _replace_value_with_new_type(self, val: SSAValue, new_type: Attribute) -> SSAValue:
        _put(val, new_type)
        return val

    def free_value(self, val: SSAValue) -> None:
        self.available_registers.include_register(register_of(val))

    def allocate_block(self, block: Block, outliving: Iterable[SSAValue] = ()) -> None:
        """Allocate the registers of a block, behind which there is need of values."""
        ends = self._ends(block, outliving)
        for op in block.ops:
            ended = ends[op]
            if isinstance(op, Instruction):
                self._pass_on(op, ended)
            elif isinstance(op, FrameOp | Carrying):
                self._allocate_body(op, ended)
            carried = op.carried.types if isinstance(op, UntilOp | YieldOp) else op.result_types
            for value in ended:
                if value.type not in carried:
                    self.free_value(value)
            for result in op.results:
                self.allocate_value(result)
            for result in op.results:
                if result.first_use is None:
                    self.free_value(result)

    def _ends(self, block: Block, outliving: Iterable[SSAValue]) -> dict[Operation, list[SSAValue]]:
        """Values by the operation of a block that is the last one to read them."""
        read, ends = set(outliving), dict[Operation, list[SSAValue]]()
        for op in reversed(block.ops):
            inside = (value for region in op.regions for value in self.live_ins_per_block[region.block])
            values = dict.fromkeys((*op.operands, *inside))
            ends[op] = [value for value in values if value not in read]
            read.update(values)
        return ends

    def _pass_on(self, op: Instruction, ended: Sequence[SSAValue]) -> None:
        """Leave a register that is changed to the first result, and the first one that is read last to a single one."""
        ins, outs, inouts = op.get_register_constraints()
        kind = register_of(outs[0]).__class__ if len(outs) == 1 else None
        left = [value for value in ins if value in ended and register_of(value).__class__ is kind]
        for pair in [*inouts, *zip(() if op.EARLY else left, outs, strict=False)]:
            self.allocate_values_same_reg(pair)
        for result in outs if op.EARLY else ():
            self.allocate_value(result)

    def _allocate_body(self, op: FrameOp | Carrying, ended: Sequence[SSAValue]) -> None:
        """What a loop reads from outside it reads again in the next pass. A frame's registers are free inside of it."""
        body = op.body.block
        inside = set(self.live_ins_per_block[body])
        free = [register_of(value) for value in op.carried if value not in inside] if isinstance(op, FrameOp) else []
        if isinstance(op, Carrying):
            for same in zip(op.carried * 2, (*op.results, *body.args), strict=False):
                self.allocate_values_same_reg(same)
        for register in free:
            self.available_registers.include_register(register)
        self.allocate_block(body, inside if isinstance(op, LoopOp) else inside.difference(ended))
        for register in free:
            self.available_registers.exclude_register(register)
        for same in zip(op.yielded, op.results, strict=True):
            self.allocate_values_same_reg(same)
