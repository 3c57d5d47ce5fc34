"""The native functions around the emitted network: they check pointers, find tensors in pools, and call it."""

from __future__ import annotations

from collections.abc import Sequence

from ..description import ELEMENT_BYTES, Description, Pool, Side, State, Tensor
from . import stream
from .naming import NativeNames


def wrapper(native: NativeNames) -> str:
    """C text to append to the emitted source: built-in pools, `map_inputs`, `map_outputs`, `reset`, `run`."""
    parts = [builtin_pool(native, pool) for pool in native.model.pools if native.builds_in(pool)]
    parts += [_map(native, side) for side in ("input", "output") if native.has_map(side)]
    parts += [_reset(native)] if native.has_reset else []
    parts.append(_run(native))
    if (streamed := native.model.streamed) is not None:
        call = _network(native, "rows", "stream->taken")
        parts.append(stream.functions(native, streamed, _stream_checks(native), call))
    return "\n".join(parts)


def _storage(native: NativeNames, pool: Pool) -> str:
    return native.builtin_pool(pool) if native.builds_in(pool) else native.pool_member(pool)


def builtin_pool(native: NativeNames, pool: Pool) -> str:
    name = _storage(native, pool)
    const = "const " if pool.kind == "constant" else ""
    shared = ""
    if native.pools_of:
        # C++ gives constants internal linkage unless a declaration says otherwise.
        shared = f"extern {const}uint8_t {name}[];\n"
        if native.pools_of[pool.name] != native.stem:
            return shared
    size = native.pool_size(pool) if pool.bytes else "1"
    section = f"""__attribute__((section("{pool.section}"))) """ if pool.section else ""
    value = f" = {native.pool_initialiser(pool)}" if const else ""
    static = "" if shared else "static "
    declaration = f"{static}{const}uint8_t {name}[{size}]{value};"
    return f"{shared}{section}STILLPOOL_ALIGNED({native.pool_align(pool)})\n{declaration}\n"


def _map(native: NativeNames, side: Side) -> str:
    pools = {pool.name: pool for pool in native.model.workspace_pools}
    lines = [f"{native.map_declaration(side)}", "{", f"    {native.io_type(side)} {side}s;"]
    for tensor in native.model.side(side):
        place = f"{side}s.{tensor.identifier}"
        if tensor.pool is None:
            lines.append(f"    {place} = NULL;")
            continue
        found = [(_storage(native, pools[pool]), offset) for pool, offset in _places(tensor)]
        outer = [pools[pool] for pool, _ in _places(tensor) if not native.builds_in(pools[pool])]
        present = [f"{storage} != NULL" for storage in dict.fromkeys(_storage(native, pool) for pool in outer)]
        conditions = ["pools != NULL", *present] if outer else []
        conditions += ["(slot == 0 || slot == 1)"] if tensor.slots else []
        addresses = [f"({tensor.c_type} *)(void *)({storage} + {offset})" for storage, offset in found]
        address = f"(slot == 0 ? {addresses[0]} : {addresses[1]})" if tensor.slots else addresses[0]
        value = f"({' && '.join(conditions)}) ? {address} : NULL" if conditions else address
        lines.append(f"    {place} = {value};")
    if native.takes_pools and not any("pools" in line for line in lines[3:]):
        lines.insert(3, "    (void)pools;")
    return "\n".join([*lines, f"    return {side}s;", "}", ""])


def _refuse(condition: str, code: str) -> list[str]:
    return [f"    if ({condition}) {{", f"        return {code};", "    }"]


def _check_pools(native: NativeNames, pools: Sequence[Pool]) -> list[str]:
    outer = [pool for pool in pools if not native.builds_in(pool)]
    lines = _refuse("pools == NULL", native.error("NULL_POOL")) if outer else []
    # A pool that the plan leaves empty, or to other models, need not exist.
    for pool in (pool for pool in outer if native.model.uses(pool)):
        storage = _storage(native, pool)
        lines += _refuse(f"{storage} == NULL", native.error("NULL_POOL"))
        lines += _refuse(f"(uintptr_t){storage} % {native.pool_align(pool)} != 0", native.error("MISALIGNED_POOL"))
    return lines


def _check_side(native: NativeNames, side: Side, *, streams: bool = False) -> list[str]:
    """Refusals of null and misaligned pointers; not of an input that comes row by row if it `streams`."""
    owned = [tensor for tensor in native.model.caller_owned(side) if not (streams and tensor.streamed_rows)]
    if not owned:
        return []
    lines = _refuse(f"{side}s == NULL", native.error(f"NULL_{side.upper()}"))
    for tensor in owned:
        pointer = f"{side}s->{tensor.identifier}"
        lines += _refuse(f"{pointer} == NULL", native.error(f"NULL_{side.upper()}"))
        size = ELEMENT_BYTES[tensor.dtype]
        if size > 1:
            lines += _refuse(f"(uintptr_t){pointer} % {size} != 0", native.error("MISALIGNED_IO"))
    return lines


def _reset(native: NativeNames) -> str:
    pools = [pool for pool in native.model.workspace_pools if native.model.states_in(pool)]
    lines = [native.reset_declaration, "{", *state_values(native.model), "    int32_t i;", *_check_pools(native, pools)]
    for number, state in enumerate(native.model.states):
        pool = next(pool for pool in pools if pool.name == state.pool)
        lines += set_state(state, f"{_storage(native, pool)} + {state.offset}", number)
    return "\n".join([*lines, "    return 0;", "}", ""])


def state_values(model: Description) -> list[str]:
    """Declarations of the initial values of state that are not all equal, for `set_state`."""
    lines: list[str] = []
    for number, state in enumerate(model.states):
        values = state.initial
        if len(values) > 1:
            rows = [", ".join(values[start : start + 16]) for start in range(0, state.count, 16)]
            body = ",\n        ".join(rows)
            lines.append(f"    static const {state.c_type} initial_{number}[{state.count}] = {{\n        {body}}};")
    return lines


def set_state(state: State, address: str, number: int) -> list[str]:
    """Statements that write the initial values of one state tensor."""
    value = f"initial_{number}[i]" if len(state.initial) > 1 else "".join(state.initial)
    return [
        f"    for (i = 0; i < {state.count}; ++i) {{",
        f"        (({state.c_type} *)(void *)({address}))[i] = {value};",
        "    }",
    ]


def _stream_checks(native: NativeNames) -> list[str]:
    """Refusals of what rows are not computed with."""
    inputs = _check_side(native, "input", streams=True) if stream.has_others(native) else []
    return [*_check_pools(native, native.model.pools), *inputs, *_check_side(native, "output")]


def _network(native: NativeNames, rows: str = "", stage: str = "") -> str:
    """A call of the network; of one that takes an input row by row with the address of a row and its number."""
    model = native.model
    tensors: dict[str, tuple[Tensor, ...]] = {"input": model.inputs, "output": model.outputs}
    arguments: list[str] = []
    for argument in model.arguments:
        if argument.kind == "pool":
            pool = model.pools[argument.index]
            arguments.append(f"({'const ' if pool.kind == 'constant' else ''}int8_t *){_storage(native, pool)}")
        elif argument.kind == "slot":
            arguments.append(_slot(native, model.inputs[argument.index]))
        elif argument.kind == "stage":
            arguments.append(stage)
        elif argument.kind == "run":
            arguments.append("&run")
        else:
            tensor = tensors[argument.kind][argument.index]
            # Truth values and unsigned bytes are stored as int8_t.
            const = "const " if argument.kind == "input" else ""
            cast = f"({const}int8_t *)" if tensor.dtype in ("bool", "uint8") else ""
            place = native.typed(tensor, f"{argument.kind}s->{tensor.identifier}")
            arguments.append(cast + (rows if tensor.streamed_rows else place))
    return f"{native.network}({', '.join(arguments)})"


def _run(native: NativeNames) -> str:
    return "\n".join(
        [
            native.run_declaration,
            "{",
            *_check_pools(native, native.model.pools),
            *(_refuse("slot != 0 && slot != 1", native.error("NO_SLOT")) if native.has_slots else []),
            *_check_side(native, "input"),
            *_check_side(native, "output"),
            *(_refuse("devices == NULL", native.error("NULL_DEVICES")) if native.devices else []),
            *_calls(native),
            "}",
            "",
        ]
    )


def _calls(native: NativeNames) -> list[str]:
    """Statements that run the network and return."""
    tensor = native.model.streamed
    if tensor is None:
        return _call(native, _network(native))
    rows, elements = stream.row_count(native, tensor), stream.row_elements(native, tensor)
    return [
        "    int32_t row;",
        *(["    external_run run;", "    run.status = 0;"] if native.model.externals is not None else []),
        f"    for (row = 0; row < {rows}; ++row) {{",
        f"        {_network(native, f'(inputs->{tensor.identifier} + row * {elements})', 'row')};",
        *stream.refuse_external(native),
        "    }",
        "    return 0;",
    ]


def _places(tensor: Tensor) -> Sequence[tuple[str, int]]:
    """Pool and offset of a tensor in the workspace, or of its slots."""
    assert tensor.pool is not None, "the tensor lies in the workspace"
    assert tensor.offset is not None, "the tensor lies in the workspace"
    return tensor.slots or ((tensor.pool, tensor.offset),)


def _slot(native: NativeNames, tensor: Tensor) -> str:
    """The address of a double-buffered input in the slot of the run."""
    pools = {pool.name: pool for pool in native.model.workspace_pools}
    first, second = (f"{_storage(native, pools[pool])} + {offset}" for pool, offset in tensor.slots)
    stored = "int8_t" if tensor.dtype in ("bool", "uint8") else tensor.c_type
    return f"(const {stored} *)(const void *)(slot == 0 ? {first} : {second})"


def _call(native: NativeNames, call: str) -> list[str]:
    """Statements that run the network and return."""
    damaged = native.error("DAMAGED_POOL")
    if native.model.externals is not None:
        external = f"run.status != 0 ? {native.error('EXTERNAL')} : 0"
        counts = native.model.counts_damage
        return [
            "    external_run run;",
            *(["    int32_t damaged;"] if counts else []),
            "    run.status = 0;",
            *(f"    run.{device} = devices->{device};" for device in native.devices),
            f"    {'damaged = ' if counts else ''}{call};",
            f"    return {f'damaged != 0 ? {damaged} : ({external})' if counts else external};",
        ]
    if native.model.counts_damage:
        return [f"    return {call} != 0 ? {damaged} : 0;"]
    return [f"    {call};", "    return 0;"]
