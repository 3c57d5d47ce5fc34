"""Read a compiled model's description out of its IR."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    DictionaryAttr,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation

from ..dialects.nn.attributes import OriginAttr
from ..dialects.pool.declare import DeclareOp
from ..errors import StillpoolError
from ..targets.c.literals import literal
from ..targets.interfaces.description import (
    ELEMENT_BYTES,
    Argument,
    Buffer,
    Description,
    Operator,
    Pool,
    Side,
    State,
    Tensor,
)
from ..targets.interfaces.identifiers import identifier, unique_identifiers
from ..transforms.usmp import poison
from ..transforms.usmp.inputs import KEEP, NUMBER, OF_SLOTS, SLOT
from ..transforms.usmp.liveness import is_state
from ..transforms.usmp.release_inputs import MARK, released_after
from ..transforms.usmp.structure import buffer_name

_DTYPES = {
    "i1": "bool",
    "i8": "int8",
    "si8": "int8",
    "ui8": "uint8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "f32": "float32",
    "f64": "float64",
}


def entry_function(module: ModuleOp) -> func.FuncOp:
    """The model's function: the public one with a body."""
    entries = [
        op
        for op in module.ops
        if isinstance(op, func.FuncOp)
        and not op.is_declaration
        and (op.sym_visibility is None or op.sym_visibility.data != "private")
    ]
    assert len(entries) == 1, f"a module of one model has one public function, not {len(entries)}"
    return entries[0]


def tensor_names(module: ModuleOp, side: Side) -> Sequence[str]:
    """Names of the inputs or outputs of an `nn` module, in order."""
    entry = entry_function(module)
    attributes = entry.arg_attrs if side == "input" else entry.res_attrs
    types = entry.function_type.inputs if side == "input" else entry.function_type.outputs
    return [
        _text(entry_attributes, "nn.name") or f"{side}_{index}"
        for index, entry_attributes in enumerate(_dictionaries(attributes, len(types)))
    ]


def _dictionaries(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[dict[str, Attribute]]:
    return [{}] * count if attributes is None else [dict(entry.data) for entry in attributes]


def _text(attributes: dict[str, Attribute], key: str) -> str | None:
    value = attributes.get(key)
    return value.data if isinstance(value, StringAttr) else None


def _number(attributes: dict[str, Attribute], key: str) -> int | None:
    value = attributes.get(key)
    return value.value.data if isinstance(value, IntegerAttr) else None


def _symbol(attributes: dict[str, Attribute], key: str) -> str | None:
    value = attributes.get(key)
    return value.string_value() if isinstance(value, SymbolRefAttr) else None


def _bytes(type_: MemRefType) -> int:
    return math.prod(type_.get_shape()) * ELEMENT_BYTES[_dtype(type_)]


def _dtype(type_: MemRefType | TensorType) -> str:
    element = type_.element_type
    text = str(element)
    assert text in _DTYPES, f"element type {text} has no C type"
    return _DTYPES[text]


def describe(lowered: Signature, planned: ModuleOp, materialised: ModuleOp, *, name: str) -> Description:
    """Describe a model from its signature before planning, its planned module (offsets as attributes on the allocs)
    and its materialised one (pools as arguments).
    """
    pools = _pools(planned)
    placed = _placed(planned)
    inputs, outputs = _side(lowered.inputs, placed["input"]), _side(lowered.outputs, placed["output"])
    released = _released(planned)
    inputs = tuple(replace(tensor, released_after=released.get(number)) for number, tensor in enumerate(inputs))
    return Description(
        name,
        identifier(name),
        inputs,
        outputs,
        pools,
        tuple(_buffers(planned)),
        tuple(_operators(planned)),
        tuple(_arguments(materialised, inputs, outputs, pools)),
        sum(_bytes(op.type) for op in materialised.walk() if isinstance(op, memref.GlobalOp)),
        tuple(_states(planned)),
        any(MARK in op.attributes for op in planned.walk()),
        counts_damage=bool(entry_function(materialised).function_type.outputs.data),
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
        for attributes, type_ in zip(_dictionaries(entry.arg_attrs, len(types)), types, strict=True):
            side = _text(attributes, "pool.io")
            assert side in sides, "every argument of a lowered entry function says whether it is input or output"
            assert isinstance(type_, MemRefType), "a lowered entry function takes memrefs"
            name = _text(attributes, "nn.name") or f"{side}_{len(sides[side])}"
            sides[side].append(
                Tensor(
                    name,
                    identifier(name),
                    _text(attributes, "nn.dtype") or _dtype(type_),
                    tuple(type_.get_shape()),
                    tuple(float(value) for value in _array(attributes, "nn.scale")),
                    tuple(int(value) for value in _array(attributes, "nn.zero_point")),
                    tuple(int(value) for value in _array(attributes, "nn.limits")),
                )
            )
        return Signature(_identified(sides["input"]), _identified(sides["output"]))


def _identified(tensors: list[Tensor]) -> tuple[Tensor, ...]:
    """The same tensors with identifiers that are unique on their side."""
    names = unique_identifiers(tensor.name for tensor in tensors)
    return tuple(replace(tensor, identifier=name) for tensor, name in zip(tensors, names, strict=True))


def _array(attributes: dict[str, Attribute], key: str) -> Sequence[float]:
    value = attributes.get(key)
    return cast(DenseArrayBase[Any], value).get_values() if isinstance(value, DenseArrayBase) else ()


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
    return tuple(result)


def _placed(planned: ModuleOp) -> dict[str, dict[str, list[Buffer]]]:
    """The inputs and outputs that lie in pools: side, then name, then buffers in the order of the arguments."""
    sides: dict[str, dict[str, list[Buffer]]] = {"input": {}, "output": {}}
    for buffer in _buffers(planned):
        if buffer.kind in sides:
            sides[buffer.kind].setdefault(buffer.name, []).append(buffer)
    return sides


def _pools(planned: ModuleOp) -> tuple[Pool, ...]:
    declared = [op for op in planned.ops if isinstance(op, DeclareOp)]
    names = unique_identifiers(op.sym_name.data for op in declared)
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
        for op, name in zip(declared, names, strict=True)
    )


def _value(attribute: IntegerAttr | None) -> int | None:
    return None if attribute is None else attribute.value.data


def _buffers(planned: ModuleOp) -> Iterator[Buffer]:
    """The placed allocs and globals in program order."""
    for op in planned.walk():
        if isinstance(op, memref.AllocOp):
            type_, kind, default = op.memref.type, _text(op.attributes, "pool.kind") or "scratch", "buffer"
        elif isinstance(op, memref.GlobalOp):
            type_, kind, default = op.type, "constant", op.sym_name.data
        else:
            continue
        pool, offset = _symbol(op.attributes, "pool.assigned"), _number(op.attributes, "pool.offset")
        if pool is None or offset is None or kind == poison.KIND:
            continue
        assert isinstance(type_, MemRefType), "memref.alloc gives a memref"
        yield Buffer(
            _text(op.attributes, "pool.name") or _text(op.attributes, "nn.name") or default,
            kind,
            pool,
            offset,
            _bytes(type_),
            _number(op.attributes, "pool.first_use") or 0,
            _number(op.attributes, "pool.last_use") or 0,
            _number(op.attributes, SLOT),
            KEEP in op.attributes,
        )


def _states(planned: ModuleOp) -> Iterator[State]:
    """What the model keeps from one run to the next; buffers that are one under a name come once."""
    seen: set[tuple[str, int]] = set()
    for op in planned.walk():
        if not isinstance(op, memref.AllocOp) or not is_state(op):
            continue
        pool, offset = _symbol(op.attributes, "pool.assigned"), _number(op.attributes, "pool.offset")
        assert pool is not None, "the module is planned"
        assert offset is not None, "the module is planned"
        if (pool, offset) in seen:
            continue
        seen.add((pool, offset))
        type_ = op.memref.type
        assert isinstance(type_, MemRefType), "memref.alloc gives a memref"
        yield State(buffer_name(op), _dtype(type_), tuple(type_.get_shape()), pool, offset, tuple(_initial(op, type_)))


def _initial(op: memref.AllocOp, type_: MemRefType) -> list[str]:
    """What state holds after a reset, as C literals: zeros unless the buffer says otherwise."""
    initial = op.attributes.get("pool.initial")
    if initial is None:
        return ["0"]
    if not isinstance(initial, DenseIntOrFPElementsAttr) or initial.get_shape() != type_.get_shape():
        raise StillpoolError(f"state '{buffer_name(op)}' of {type_} has the initial value {initial}")
    if initial.is_splat():
        return [literal(next(iter(initial.iter_attrs())))]
    return [literal(value) for value in initial.iter_attrs()]


def _is_operator(op: Operation) -> bool:
    return isinstance(op, func.CallOp) and not {poison.MARK, MARK} & op.attributes.keys()


def _released(planned: ModuleOp) -> dict[int, int]:
    """For inputs by number, after which operator they are released."""
    found: dict[int, int] = {}
    position = -1
    for op in entry_function(planned).body.block.ops:
        position += sum(_is_operator(inner) for inner in op.walk())
        found |= dict.fromkeys(released_after(op), position)
    return found


def _operators(module: ModuleOp) -> Iterator[Operator]:
    """The operator calls of the entry function, in order."""
    for op in entry_function(module).body.walk():
        if not _is_operator(op):
            continue
        assert isinstance(op, func.CallOp), "operators are calls"
        origin = op.attributes.get("nn.origin")
        function = op.callee.string_value()
        macs = _number(op.attributes, "nn.macs") or 0
        if isinstance(origin, OriginAttr):
            yield Operator(origin.index.data, origin.opcode.data, origin.tensor.data, macs, function)
        else:
            yield Operator(-1, function, function, macs, function)


def _arguments(
    materialised: ModuleOp, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...], pools: tuple[Pool, ...]
) -> Iterator[Argument]:
    """What the arguments of the final entry function stand for."""
    entry = entry_function(materialised)
    numbers = {pool.name: index for index, pool in enumerate(pools)}
    owned = {
        "input": iter([index for index, tensor in enumerate(inputs) if tensor.pool is None]),
        "output": iter([index for index, tensor in enumerate(outputs) if tensor.pool is None]),
    }
    for attributes in _dictionaries(entry.arg_attrs, len(entry.function_type.inputs.data)):
        pool, side = _symbol(attributes, "pool.pool"), _text(attributes, "pool.io")
        number = _number(attributes, NUMBER)
        if pool is not None:
            yield Argument("pool", numbers[pool])
        elif OF_SLOTS in attributes and number is not None:
            yield Argument("slot", number)
        else:
            assert side == "input" or side == "output", "arguments of the entry function are pools, inputs and outputs"
            yield Argument(side, next(owned[side]))
