"""C text behind the network in a model's file: its descriptor, its static handle, and the call of the network."""

from __future__ import annotations

import json

from ....version import __version__
from ...c.literals import floating
from ..description import Argument, Pool, Side, Tensor
from ..native import comment_text
from ..native.wrapper import builtin_pool, set_state, state_values
from .naming import AiNames

_CODES = {"bool": "kDLBool", "uint8": "kDLUInt", "float32": "kDLFloat", "float64": "kDLFloat"}

_ENTRY = """\
#if defined(__ELF__)
#if defined(__has_attribute)
#if __has_attribute(retain) && (defined(__clang__) || defined(__gnu_linux__))
__attribute__((retain))
#endif
#endif
__attribute__((used, section("stillpool_ai")))
static ai_model_info *const {m}_ai_entry = &{descriptor};
#endif
"""


def glue(ai: AiNames) -> str:
    """C text that makes the static function `network` a model of `ai_runtime_api.h`."""
    aligned = "#define STILLPOOL_ALIGNED(n) AI_ALIGNED(n)\n"
    constants = f'#include "{ai.stem}_constants.h"\n' if ai.model.constant_pools else ""
    parts = [
        f"{constants}{aligned}{pool_macros(ai)}",
        *(builtin_pool(ai, pool) for pool in ai.model.pools if ai.builds_in(pool)),
        _handle(ai),
        run(ai),
        *([reset(ai)] if ai.has_reset else []),
        *(_tensors(ai, side) for side in ("input", "output")),
        *([_devices(ai)] if ai.devices else []),
        _descriptor(ai),
        _ENTRY.format(m=ai.stem, descriptor=ai.descriptor),
    ]
    return "\n".join(parts)


def pool_macros(ai: AiNames) -> str:
    """Sizes and alignments of all pools."""
    lines = [
        f"#define {macro} {value}\n"
        for pool in ai.model.pools
        for macro, value in ((ai.pool_size(pool), pool.bytes), (ai.pool_align(pool), pool.alignment))
    ]
    return "".join(lines)


def _handle(ai: AiNames) -> str:
    tensors = len(ai.model.inputs) + len(ai.model.outputs)
    lines = [f"typedef struct {ai.stem}_ai_handle {{", "    ai_network network;", f"    ai_tensor tensors[{tensors}];"]
    if ai.devices:
        lines.append(f"    void *devices[{len(ai.devices)}];")
    if ai.state is not None:
        lines.append(f"    STILLPOOL_ALIGNED({ai.state.alignment}) uint8_t state[{ai.state.bytes}];")
    return "\n".join([*lines, f"}} {ai.stem}_ai_handle;", "", f"static {ai.stem}_ai_handle {ai.instance};", ""])


def _storage(ai: AiNames, pool: Pool) -> str:
    if pool == ai.activations:
        return "network->activations"
    return "network->state" if pool == ai.state else ai.builtin_pool(pool)


def _argument(ai: AiNames, argument: Argument) -> str:
    if argument.kind == "pool":
        pool = ai.model.pools[argument.index]
        return f"({'const ' if pool.kind == 'constant' else ''}int8_t *){_storage(ai, pool)}"
    if argument.kind == "run":
        return "&run"
    side: Side = "input" if argument.kind == "input" else "output"
    tensor = ai.model.side(side)[argument.index]
    stored = "int8_t" if tensor.dtype in ("bool", "uint8") else tensor.c_type
    const = "const " if side == "input" else ""
    return f"({const}{stored} *){ai.data(side, argument.index)}"


def run(ai: AiNames) -> str:
    """The static function that calls the network on the handle `network`; it returns 0, or an `AI_RUN_...`."""
    call = f"{ai.network}({', '.join(_argument(ai, argument) for argument in ai.model.arguments)})"
    counts = ai.model.counts_damage
    if ai.model.externals is not None:
        body = [
            "    external_run run;",
            *(["    int32_t damaged;"] if counts else []),
            "    (void)network;",
            "    run.status = 0;",
            *(f"    run.{device} = network->devices[{number}];" for number, device in enumerate(ai.devices)),
            f"    {'damaged = ' if counts else ''}{call};",
            f"    {'return damaged != 0 ? AI_RUN_DAMAGED : ' if counts else 'return '}"
            f"{'(' if counts else ''}run.status != 0 ? AI_RUN_EXTERNAL : 0{')' if counts else ''};",
        ]
    elif counts:
        body = ["    (void)network;", f"    return {call} != 0 ? AI_RUN_DAMAGED : 0;"]
    else:
        body = ["    (void)network;", f"    {call};", "    return 0;"]
    return "\n".join([f"static int32_t {ai.static_run}({ai.context_type} *network)", "{", *body, "}", ""])


def reset(ai: AiNames) -> str:
    """The static function that sets the state of the handle `network`."""
    lines = [
        f"static void {ai.reset_function}({ai.context_type} *network)",
        "{",
        *state_values(ai.model),
        "    int32_t i;",
    ]
    for number, state in enumerate(ai.model.states):
        pool = next(pool for pool in ai.model.pools if pool.name == state.pool)
        lines += set_state(state, f"{_storage(ai, pool)} + {state.offset}", number)
    return "\n".join([*lines, "}", ""])


def _tensors(ai: AiNames, side: Side) -> str:
    tensors = ai.model.side(side)
    parts = [_parts(f"{ai.stem}_ai_{side}_{number}", tensor) for number, tensor in enumerate(tensors)]
    rows = [_row(ai, f"{ai.stem}_ai_{side}_{number}", tensor) for number, tensor in enumerate(tensors)]
    if not rows:
        return ""
    array = [f"static const ai_tensor_info {ai.stem}_ai_{side}s[{len(rows)}] = {{", *rows, "};", ""]
    return "".join(parts) + "\n".join(array)


def _parts(name: str, tensor: Tensor) -> str:
    shape = ", ".join(map(str, tensor.shape or (1,)))
    text = f"static const int64_t {name}_shape[] = {{{shape}}};\n"
    if tensor.scale:
        scales = ", ".join(floating(scale, "f") for scale in tensor.scale)
        points = ", ".join(map(str, tensor.zero_point or (0,)))
        text += f"static const float {name}_scale[] = {{{scales}}};\n"
        text += f"static const int32_t {name}_zero_point[] = {{{points}}};\n"
        quant = f"{{{name}_scale, {name}_zero_point, 0, {len(tensor.scale)}}}"
        text += f"static const ai_quantization_info {name}_quant = {quant};\n"
    return text


def _row(ai: AiNames, name: str, tensor: Tensor) -> str:
    bits = 8 * tensor.bytes // tensor.count
    dtype = f"{{{_CODES.get(tensor.dtype, 'kDLInt')}, {bits}, 1}}"
    quant = f"&{name}_quant" if tensor.scale else "NULL"
    base, offset = "NULL", -1
    if tensor.pool is not None:
        pool = next(pool for pool in ai.model.pools if pool.name == tensor.pool)
        base = "NULL" if pool == ai.activations else ai.builtin_pool(pool)
        offset = tensor.offset or 0
    text = json.dumps(comment_text(tensor.name))
    return f"    {{{text}, {dtype}, {len(tensor.shape)}, {name}_shape, {quant}, {tensor.bytes}, {base}, {offset}}},"


def _devices(ai: AiNames) -> str:
    names = ", ".join(json.dumps(device) for device in ai.devices)
    return f"static const char *const {ai.device_names}[{len(ai.devices)}] = {{{names}}};\n"


def _descriptor(ai: AiNames) -> str:
    model, pool = ai.model, ai.activations
    built = ai.builtin_pool(pool) if pool is not None and ai.builds_in(pool) else "NULL"
    handle = f"{ai.stem}_ai_handle"
    state = f"offsetof({handle}, state)" if ai.state is not None else "0"
    devices = f"offsetof({handle}, devices)" if ai.devices else "0"
    alignment = max(8, ai.state.alignment if ai.state is not None else 0)
    values = [
        json.dumps(comment_text(model.name)),
        '""',
        json.dumps(model.revision),
        json.dumps(f"stillpool {__version__}"),
        "AI_API_VERSION",
        str(len(model.operators)),
        str(len(model.inputs)),
        str(len(model.outputs)),
        str(len(ai.devices)),
        f"{ai.upper}_DATA_ACTIVATIONS_SIZE",
        f"{ai.upper}_DATA_ACTIVATIONS_ALIGN",
        f"{ai.upper}_DATA_WEIGHTS_SIZE",
        built,
        f"{ai.stem}_ai_inputs" if model.inputs else "NULL",
        f"{ai.stem}_ai_outputs" if model.outputs else "NULL",
        ai.device_names if ai.devices else "NULL",
        f"&{ai.instance}",
        f"(uint32_t)sizeof({handle})",
        str(alignment),
        f"(uint32_t)offsetof({handle}, tensors)",
        f"(uint32_t){devices}",
        f"(uint32_t){state}",
        ai.run_function,
        ai.reset_function if ai.has_reset else "NULL",
    ]
    body = ",\n".join(f"    {value}" for value in values)
    return f"ai_model_info {ai.descriptor} = {{\n{body}}};\n"
