"""The shim `table`: a model as a constant of type `stillpool_model`."""

from __future__ import annotations

import json

from ..c.literals import floating
from ..identifiers import macro_stem
from ..interfaces.description import Pool, Side, Tensor
from ..interfaces.native import Native, comment_text


def upper(native: Native) -> str:
    """The prefix of the shims' macros."""
    return macro_stem(native.model.identifier)


def model_name(native: Native) -> str:
    """The constant."""
    return f"{native.stem}_model"


def pools(native: Native) -> tuple[Pool, ...]:
    """The pools in the order of the table."""
    return (*native.outer_workspace_pools, *native.outer_constant_pools)


def texts(native: Native) -> dict[str, str]:
    """`include/<m>_model.h` and `src/<m>_model.c`."""
    return {
        f"include/{native.stem}_model.h": _header(native),
        f"src/{native.stem}_model.c": _source(native),
    }


def _header(native: Native) -> str:
    model, guard = native.model, f"{upper(native)}_MODEL_H"
    count = max(1, len(model.inputs) + len(model.outputs) + len(pools(native)) + len(native.devices))
    return (
        f"/* {comment_text(model.name)}: to be run by handle. */\n"
        f'#ifndef {guard}\n#define {guard}\n\n#include "stillpool_model.h"\n\n'
        '#ifdef __cplusplus\nextern "C" {\n#endif\n\n'
        f"/* Pointers that stillpool_open needs room for. */\n#define {upper(native)}_MODEL_POINTERS {count}\n\n"
        f"extern const stillpool_model {model_name(native)};\n\n"
        f"#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n"
    )


def _source(native: Native) -> str:
    model = native.model
    parts = [
        f"/* {comment_text(model.name)}: as data. */\n"
        f'#include "{native.header_name}"\n#include "{native.stem}_model.h"\n\n',
        _infos(native, "input"),
        _infos(native, "output"),
        _pool_infos(native),
        _devices(native),
        _map(native),
        _run(native),
        _reset(native),
        _descriptor(native),
    ]
    return "".join(parts)


def _infos(native: Native, side: Side) -> str:
    tensors = native.model.side(side)
    if not tensors:
        return ""
    shapes = [
        f"static const int32_t {side}_{number}_shape[] = {{{', '.join(map(str, tensor.shape or (1,)))}}};\n"
        for number, tensor in enumerate(tensors)
    ]
    rows = [f"    {_info(f'{side}_{number}_shape', tensor)},\n" for number, tensor in enumerate(tensors)]
    return f"{''.join(shapes)}static const stillpool_tensor_info {side}s_info[] = {{\n{''.join(rows)}}};\n\n"


def _info(shape: str, tensor: Tensor) -> str:
    one = len(tensor.scale) == 1
    values = [
        json.dumps(comment_text(tensor.name)),
        f"STILLPOOL_TYPE_{tensor.dtype.upper()}",
        str(len(tensor.shape)),
        shape,
        str(tensor.count),
        str(tensor.bytes),
        floating(tensor.scale[0], "f") if one else "0.0f",
        str(tensor.zero_point[0]) if one and tensor.zero_point else "0",
        str(int(tensor.pool is not None)),
    ]
    return f"{{{', '.join(values)}}}"


def _pool_infos(native: Native) -> str:
    rows = [
        f"    {{{json.dumps(pool.name)}, {pool.bytes if native.model.uses(pool) else 0}, {pool.alignment},"
        f" {int(pool.kind == 'constant')}}},\n"
        for pool in pools(native)
    ]
    return f"static const stillpool_pool_info pools_info[] = {{\n{''.join(rows)}}};\n\n" if rows else ""


def _devices(native: Native) -> str:
    names = ", ".join(json.dumps(device) for device in native.devices)
    return f"static const char *const devices_info[] = {{{names}}};\n\n" if names else ""


def _pools(native: Native) -> list[str]:
    """Statements that declare and fill the interface's struct of pools."""
    if not native.takes_pools:
        return []
    fill = [
        f"    memory.{pool.identifier} = ({'const ' * (pool.kind == 'constant')}uint8_t *)pools[{number}];"
        for number, pool in enumerate(pools(native))
    ]
    return [f"    {native.pools_type} memory;", *fill]


def _map(native: Native) -> str:
    argument = "&memory" if native.takes_pools else ""
    sides: list[Side] = [side for side in ("input", "output") if native.has_map(side)]
    declared = [f"    {native.io_type(side)} {side}_places;" for side in sides]
    lines = ["static void map(void *const *pools, void **inputs, void **outputs)", "{", *declared]
    lines += _pools(native) if sides else []
    lines += ["    (void)pools;", "    (void)inputs;", "    (void)outputs;"]
    for side in sides:
        lines.append(f"    {side}_places = {native.m}_map_{side}s({argument});")
        lines += [
            f"    {side}s[{number}] = {side}_places.{tensor.identifier};"
            for number, tensor in enumerate(native.model.side(side))
            if tensor.pool is not None
        ]
    return "\n".join([*lines, "}", "", ""])


def _run(native: Native) -> str:
    lines = ["static int32_t run(void *const *inputs, void *const *outputs, void *const *pools)", "{"]
    arguments: list[str] = []
    fill: list[str] = []
    for side in ("input", "output"):
        if not native.model.caller_owned(side):
            continue
        lines.append(f"    {native.io_type(side)} {side}_places;")
        arguments.append(f"&{side}_places")
        fill += [
            f"    {side}_places.{tensor.identifier} = ({tensor.c_type} *){side}s[{number}];"
            for number, tensor in enumerate(native.model.side(side))
        ]
    lines += [*_pools(native), "    (void)pools;", "    (void)inputs;", "    (void)outputs;"]
    arguments += ["&memory"] if native.takes_pools else []
    if native.devices:
        lines.insert(2, f"    {native.devices_type} devices;")
        fill += [
            f"    devices.{device} = pools[{len(pools(native)) + number}];"
            for number, device in enumerate(native.devices)
        ]
        arguments.append("&devices")
    return "\n".join([*lines, *fill, f"    return {native.run_function}({', '.join(arguments)});", "}", "", ""])


def _reset(native: Native) -> str:
    if not native.has_reset:
        return ""
    argument = "&memory" if native.takes_pools else ""
    lines = ["static int32_t reset(void *const *pools)", "{", *_pools(native), "    (void)pools;"]
    return "\n".join([*lines, f"    return {native.m}_reset({argument});", "}", "", ""])


def _descriptor(native: Native) -> str:
    model = native.model
    values = [
        json.dumps(comment_text(model.name)),
        json.dumps(model.revision),
        str(len(model.inputs)),
        str(len(model.outputs)),
        str(len(pools(native))),
        str(len(native.devices)),
        str(len(model.operators)),
        "inputs_info" if model.inputs else "NULL",
        "outputs_info" if model.outputs else "NULL",
        "pools_info" if pools(native) else "NULL",
        "devices_info" if native.devices else "NULL",
        "map",
        "run",
        "reset" if native.has_reset else "NULL",
    ]
    body = ",\n".join(f"    {value}" for value in values)
    return f"const stillpool_model {model_name(native)} = {{\n{body}}};\n"
