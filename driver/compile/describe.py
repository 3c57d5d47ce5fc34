"""Read a compiled model's description out of its IR."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    IntegerAttr,
    MemRefType,
    ModuleOp,
    TensorType,
)
from xdsl.ir import Operation

from ...dialects import nn_keys
from ...dialects.external import BufferOp, LaunchOp, RunType
from ...dialects.operations import all_of, operations
from ...dialects.pool import keys
from ...dialects.pool.kinds import BufferKind
from ...errors import StillpoolError
from ...lowering.emit_c.external import externals
from ...targets.c.literals import literal
from ...targets.identifiers import identifier, model_identifier, unique_identifiers
from ...targets.interfaces.description import Argument, Buffer, Constants, Description, Operator, Pool, State, Tensor
from ...transforms.usmp.analysis.contract import released_after
from ...transforms.usmp.analysis.liveness import is_state
from ...transforms.usmp.analysis.structure import buffer_name, functions, is_operator, placed, pools, size_of
from ...transforms.usmp.placing.divided import parts_of
from ..models.entry import attributes_of, dtype_of, entry_function


def _dtype(type_: MemRefType | TensorType) -> str:
    found = dtype_of(type_.element_type)
    assert found is not None, f"element type {type_.element_type} has no C type"
    return found


def describe(lowered: Signature, planned: ModuleOp, materialised: ModuleOp, *, name: str) -> Description:
    """Describe a model from its signature before planning, its planned module (offsets as attributes on the allocs)
    and its materialised one (pools as arguments).
    """
    found = _pools(planned)
    placed = _placed(planned)
    inputs, outputs = _side(lowered.inputs, placed["input"]), _side(lowered.outputs, placed["output"])
    released = _released(planned)
    constants, pooled = _constants(planned, materialised)
    inputs = tuple(replace(tensor, released_after=released.get(number)) for number, tensor in enumerate(inputs))
    return Description(
        name,
        model_identifier(name),
        inputs,
        outputs,
        found,
        tuple(_buffers(planned)),
        tuple(_operators(planned)),
        tuple(_arguments(materialised, inputs, outputs, found)),
        constants,
        tuple(_states(planned)),
        any(keys.CALLBACK.within(op.attributes) for op in operations(planned)),
        tells_operators=any(keys.HOOK.within(op.attributes) for op in operations(materialised)),
        counts_damage=bool(entry_function(materialised).function_type.outputs.data),
        pooled=pooled,
        call_sites=_call_sites(materialised),
        externals=externals(materialised) if any(all_of(planned, BufferOp)) else None,
    )


@dataclass(frozen=True)
class Signature:
    """The inputs and outputs of an entry function on memrefs, all of them still arguments."""

    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]

    @staticmethod
    def of(module: ModuleOp) -> Signature:
        """Read the entry function's arguments that carry `pool.io`."""
        entry = entry_function(module)
        types = entry.function_type.inputs.data
        sides: dict[str, list[Tensor]] = {"input": [], "output": []}
        for attributes, type_ in zip(attributes_of(entry.arg_attrs, len(types)), types, strict=True):
            given = keys.IO.get(attributes)
            side = given.value if given else ""
            assert side in sides, "every argument of a lowered entry function says whether it is input or output"
            assert isinstance(type_, MemRefType), "a lowered entry function takes memrefs"
            name = nn_keys.NAME.get(attributes) or f"{side}_{len(sides[side])}"
            sides[side].append(
                Tensor(
                    name,
                    identifier(name),
                    nn_keys.DTYPE.get(attributes) or _dtype(type_),
                    tuple(type_.get_shape()),
                    tuple(nn_keys.SCALE.get(attributes) or ()),
                    tuple(nn_keys.ZERO_POINT.get(attributes) or ()),
                    tuple(nn_keys.LIMITS.get(attributes) or ()),
                    streamed_rows=keys.STREAMED.get(attributes) or 0,
                )
            )
        return Signature(_identified(sides["input"]), _identified(sides["output"]))


def _identified(tensors: list[Tensor]) -> tuple[Tensor, ...]:
    """Return the tensors with identifiers that are unique on their side."""
    names = unique_identifiers(tensor.name for tensor in tensors)
    return tuple(replace(tensor, identifier=name) for tensor, name in zip(tensors, names, strict=True))


def _side(tensors: tuple[Tensor, ...], placed: dict[str, list[Buffer]]) -> tuple[Tensor, ...]:
    """The tensors of one side with their places in pools."""
    result: list[Tensor] = []
    for tensor in tensors:
        places = placed.get(tensor.name, [])
        place = places.pop(0) if places else None
        if place is None:
            result.append(tensor)
            continue
        others = [places.pop(0)] if place.slot is not None else []
        slots = tuple((slot.pool, slot.offset) for slot in [place, *others] if others)
        result.append(replace(tensor, pool=place.pool, offset=place.offset, slots=slots, is_kept=place.is_kept))
    assert not any(placed.values()), "every input and output in a pool is one of the signature's"
    return tuple(result)


def _placed(planned: ModuleOp) -> dict[str, dict[str, list[Buffer]]]:
    """The inputs and outputs that lie in pools: side, then name, then buffers in the order of the arguments."""
    sides: dict[str, dict[str, list[Buffer]]] = {"input": {}, "output": {}}
    for buffer in _buffers(planned):
        if buffer.kind in sides:
            sides[buffer.kind].setdefault(buffer.name, []).append(buffer)
    return sides


def _pools(planned: ModuleOp) -> tuple[Pool, ...]:
    declared = pools(planned)
    names = unique_identifiers(declared)
    return tuple(
        Pool(
            op.sym_name.data,
            name,
            op.kind.data.value,
            _value(op.size) or 0,
            op.alignment,
            _value(op.limit),
            _value(op.lower_bound),
            op.algorithm.data if op.algorithm else None,
            op.optimal is not None,
            op.section.data if op.section else None,
            op.persistent is not None,
        )
        for op, name in zip(declared.values(), names, strict=True)
    )


def _value(attribute: IntegerAttr | None) -> int | None:
    return None if attribute is None else attribute.value.data


def _buffers(planned: ModuleOp) -> Iterator[Buffer]:
    """The placed buffers and constants in program order."""
    calls = (op for op in operations(entry_function(planned).body) if is_operator(op))
    positions: dict[Operation, int] = {op: position for position, op in enumerate(calls)}
    for place in placed(planned):
        given = place.op.attributes
        is_constant = isinstance(place.op, memref.GlobalOp)
        kind = "constant" if is_constant else (keys.KIND.get(given) or BufferKind.SCRATCH).value
        if kind == BufferKind.POISON.value:
            continue
        yield Buffer(
            buffer_name(place.op),
            kind,
            place.pool,
            place.offset,
            size_of(place.type),
            keys.FIRST_USE.get(given) or 0,
            keys.LAST_USE.get(given) or 0,
            keys.SLOT.get(given),
            keys.KEEP.within(given),
            keys.ROW.get(given),
            tuple(_parts(place.op, positions)) if keys.DIVIDED.within(given) else (),
        )


def _parts(op: Operation, positions: Mapping[Operation, int]) -> Iterator[tuple[int, int, int, int]]:
    assert isinstance(op, memref.AllocOp), "inputs and outputs are buffers"
    begin, end = keys.FIRST_USE.get(op.attributes) or 0, keys.LAST_USE.get(op.attributes) or 0
    is_output = keys.KIND.get(op.attributes) is BufferKind.OUTPUT
    for part in parts_of(op, {call: (position, position) for call, position in positions.items()}) or ():
        first, last = (part.first, end) if is_output else (begin, part.last)
        yield part.offset, part.size, first, last


def _states(planned: ModuleOp) -> Iterator[State]:
    """State that the model keeps from one run to the next; buffers that are one under a name come once."""
    seen: set[tuple[str, int]] = set()
    for place in placed(planned):
        if not isinstance(place.op, memref.AllocOp) or not is_state(place.op) or (place.pool, place.offset) in seen:
            continue
        seen.add((place.pool, place.offset))
        initial = tuple(_initial(place.op, place.type))
        shape = tuple(place.type.get_shape())
        yield State(buffer_name(place.op), _dtype(place.type), shape, place.pool, place.offset, initial)


def _initial(op: memref.AllocOp, type_: MemRefType) -> list[str]:
    """Values of state after a reset, as C literals: zeros unless the buffer says otherwise."""
    initial = keys.INITIAL.get(op.attributes)
    if initial is None:
        return ["0"]
    if initial.get_shape() != type_.get_shape():
        raise StillpoolError(f"state '{buffer_name(op)}' of {type_} has the initial value {initial}")
    if initial.is_splat():
        return [literal(next(iter(initial.iter_attrs())))]
    return [literal(value) for value in initial.iter_attrs()]


def _constants(planned: ModuleOp, materialised: ModuleOp) -> tuple[Constants, Constants]:
    """The constants outside of constant pools, and those in them."""
    sizes = Counter[tuple[bool, bool]]()
    own = [op for op in materialised.ops if nn_keys.OWN.within(op.attributes)]
    for op in (*all_of(planned, memref.GlobalOp), *own):
        if isinstance(op, memref.GlobalOp):
            assert isinstance(op.type, MemRefType), "memref.global has the type of a memref"
            is_pooled, is_table = keys.ASSIGNED.within(op.attributes), nn_keys.TABLE.within(op.attributes)
            sizes[is_pooled, is_table] += size_of(op.type)
    outside, pooled = (Constants(sizes[where, False], sizes[where, True]) for where in (False, True))
    return outside, pooled


def _call_sites(materialised: ModuleOp) -> tuple[tuple[int, ...], ...]:
    """For each call of an operator in the text of the entry function the positions at which it runs."""
    found, position = list[tuple[int, ...]](), 0
    for op in operations(entry_function(materialised).body):
        if is_operator(op):
            several = nn_keys.POSITIONS.get(op.attributes)
            found.append((position,) if several is None else tuple(several))
            position = max(found[-1]) + 1 if several is None else position + len(found[-1])
    return tuple(found)


def _released(planned: ModuleOp) -> dict[int, int]:
    """For inputs by number, after which operator they are released."""
    found: dict[int, int] = {}
    position = -1
    for op in entry_function(planned).body.block.ops:
        position += sum(is_operator(inner) for inner in operations(op))
        found |= dict.fromkeys(released_after(op), position)
    return found


def _operators(module: ModuleOp) -> Iterator[Operator]:
    """The operator calls of the entry function, in order."""
    calls, table = (op for op in operations(entry_function(module).body) if is_operator(op)), functions(module)
    sizes = {
        op.sym_name.data: size_of(op.type)
        for op in module.ops
        if isinstance(op, memref.GlobalOp) and not nn_keys.TABLE.within(op.attributes)
    }
    for position, op in enumerate(calls):
        assert isinstance(op, func.CallOp | LaunchOp), "operators are called or launched"
        function = op.function.data if isinstance(op, LaunchOp) else op.callee.string_value()
        origin = nn_keys.ORIGIN.get(op.attributes)
        macs = nn_keys.MACS.get(op.attributes) or 0
        row = nn_keys.ROW.get(op.attributes)
        remark = (nn_keys.REMARK.get(table[function].attributes) if function in table else None) or ""
        if origin is not None:
            said = origin.index.data, origin.opcode.data, origin.tensor.data
        else:
            said = -1, function, function
        body = op if isinstance(op, LaunchOp) else table.get(function)
        device = "" if body is None else _device(body)
        weights = sum(sizes.get(name, 0) for name in _read(op, body))
        yield Operator(position, *said, macs, function, row, remark, device, weights)


def _read(call: Operation, body: Operation | None) -> set[str]:
    """Names of the constants that an operator is handed, or takes itself."""
    given = (value.owner for value in call.operands)
    inside = () if body is None else all_of(body, memref.GetGlobalOp)
    return {op.name_.string_value() for op in (*given, *inside) if isinstance(op, memref.GetGlobalOp)}


def _device(body: Operation) -> str:
    """The device of the external function that an operator is, or calls."""
    found = (op.device.data for op in all_of(body, BufferOp) if op.device is not None)
    return next(found, "")


def _arguments(
    materialised: ModuleOp, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], pools: tuple[Pool, ...]
) -> Iterator[Argument]:
    """Meaning of the arguments of the final entry function."""
    entry = entry_function(materialised)
    numbers = {pool.name: index for index, pool in enumerate(pools)}
    owned = {
        "input": iter([index for index, tensor in enumerate(inputs) if tensor.pool is None]),
        "output": iter([index for index, tensor in enumerate(outputs) if tensor.pool is None]),
    }
    types = entry.function_type.inputs.data
    for type_, attributes in zip(types, attributes_of(entry.arg_attrs, len(types)), strict=True):
        pool, side = keys.POOL.get(attributes), keys.IO.get(attributes)
        number = keys.INPUT.get(attributes)
        if pool is not None:
            yield Argument("pool", numbers[pool])
        elif keys.SLOTS.within(attributes) and number is not None:
            yield Argument("slot", number)
        elif keys.STAGE.within(attributes):
            yield Argument("stage", 0)
        elif isinstance(type_, RunType):
            yield Argument("run", 0)
        else:
            assert side is not None, "arguments of the entry function are pools, inputs and outputs"
            yield Argument(side.value, next(owned[side.value]))
