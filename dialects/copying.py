"""Operations are copied in one pass.

xDSL 0.74 copies an operation and all inside of it without operands, and then walks through both once more to set these:
a tenth of a compilation. Here an operand that was copied before is set at once; those that come later are set in the
end.
"""

from __future__ import annotations

from typing import TypeVar, cast

from xdsl.ir import Block, Operation, Region, SSAValue

_Op = TypeVar("_Op", bound=Operation)
_Values = dict[SSAValue, SSAValue]

_cloned = Operation.clone


def _clone(
    self: _Op,
    value_mapper: _Values | None = None,
    block_mapper: dict[Block, Block] | None = None,
    *,
    clone_name_hints: bool = True,
    clone_operands: bool = True,
) -> _Op:
    values: _Values = {} if value_mapper is None else value_mapper
    blocks: dict[Block, Block] = {} if block_mapper is None else block_mapper
    if not (clone_operands and clone_name_hints):
        asked = {"clone_name_hints": clone_name_hints, "clone_operands": clone_operands}
        return cast(_Op, _cloned(self, values, blocks, **asked))
    late: list[tuple[Operation, Operation]] = []
    made = _copy(self, values, blocks, late)
    for old, new in late:
        if any(operand in values for operand in old.operands):
            new.operands = [values.get(operand, operand) for operand in old.operands]
    return made


def _copy(op: _Op, values: _Values, blocks: dict[Block, Block], late: list[tuple[Operation, Operation]]) -> _Op:
    """Copy an operation and all inside of it; `late` gets those with operands that were not copied before."""
    operands: list[SSAValue] = []
    is_late = False
    for operand in op.operands:
        copied = values.get(operand)
        if copied is None:
            is_late, copied = True, operand
        operands.append(copied)
    made = op.create(
        operands=operands,
        result_types=[result.type for result in op.results],
        properties=op.properties,
        attributes=op.attributes,
        location=op.location,
        successors=[blocks.get(block, block) for block in op.successors],
        regions=[Region() for _ in op.regions],
    )
    if is_late:
        late.append((op, made))
    for result, new in zip(op.results, made.results, strict=True):
        values[result] = new
        if result.name_hint is not None:
            new.name_hint = result.name_hint
    for region, new in zip(op.regions, made.regions, strict=True):
        _copy_region(region, new, values, blocks, late)
    return made


def _copy_region(
    region: Region,
    made: Region,
    values: _Values,
    blocks: dict[Block, Block],
    late: list[tuple[Operation, Operation]],
) -> None:
    copies: list[Block] = []
    # Blocks come before what is in them, which may branch to each.
    for block in region.blocks:
        copy = Block(arg_types=[argument.type for argument in block.args])
        for argument, new in zip(block.args, copy.args, strict=True):
            values[argument] = new
            new.location = argument.location
            if argument.name_hint is not None:
                new.name_hint = argument.name_hint
        blocks[block] = copy
        copies.append(copy)
    for block, copy in zip(region.blocks, copies, strict=True):
        for op in block.ops:
            copy.add_op(_copy(op, values, blocks, late))
    made.add_block(copies)


Operation.clone = _clone
