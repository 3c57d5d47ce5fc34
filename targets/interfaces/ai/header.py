"""The model's header of the `ai` interface: macros as X-CUBE-AI names them, and the descriptor."""

from __future__ import annotations

from ...identifiers import macro_stem
from ..description import Side
from ..native import comment_text
from .naming import AiNames


def header(ai: AiNames) -> str:
    """The text of `include/<m>.h`: C99 and C++."""
    guard = f"{ai.upper}_H"
    pool = ai.activations
    size, alignment = (0, 1) if pool is None else (pool.bytes, pool.alignment)
    built = "They are built in: pass null." if ai.builtin_pools else "The application passes them to ai_create."
    weights = ai.model.constants.payload + sum(pool.bytes for pool in ai.model.constant_pools)
    lines = [
        f"/* {comment_text(ai.model.name)}: run as ai_runtime_api.h says. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        '#include <stdbool.h>\n\n#include "ai_runtime_api.h"',
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        f"/* The activations: bytes, and what their address must be a multiple of. {built} */",
        f"#define {ai.upper}_DATA_ACTIVATIONS_SIZE {size}",
        f"#define {ai.upper}_DATA_ACTIVATIONS_ALIGN {alignment}",
        f"/* Bytes of constants, which are built in. */\n#define {ai.upper}_DATA_WEIGHTS_SIZE {weights}",
        "",
        f"#define {ai.upper}_IN_NUM {len(ai.model.inputs)}",
        f"#define {ai.upper}_OUT_NUM {len(ai.model.outputs)}",
        *_side(ai, "input"),
        *_side(ai, "output"),
        *_devices(ai),
        "",
        *_stack(ai),
        "/* The model: for ai_create, and one of those that ai_model_iterator gives. */",
        f"extern ai_model_info {ai.descriptor};",
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "",
        f"#endif /* {guard} */",
    ]
    return "".join(f"{line}\n" for line in lines)


def _side(ai: AiNames, side: Side) -> list[str]:
    lines: list[str] = []
    for tensor in ai.model.side(side):
        shape = "x".join(map(str, tensor.shape)) or "scalar"
        owner = "the application's" if tensor.pool is None else "within the activations"
        lines += [
            f"/* {side.capitalize()} {comment_text(tensor.name)}: {tensor.dtype} {shape}, {owner}; elements, bytes. */",
            f"#define {ai.io_macro(side, tensor, 'SIZE')} {tensor.count}",
            f"#define {ai.io_macro(side, tensor, 'SIZE_BYTES')} {tensor.bytes}",
        ]
    return lines


def _devices(ai: AiNames) -> list[str]:
    if not ai.devices:
        return []
    macros = [f"#define {ai.upper}_DEVICE_{macro_stem(device)} {number}" for number, device in enumerate(ai.devices)]
    return ["/* The devices whose handles ai_set_device takes. */", *macros]


def _stack(ai: AiNames) -> list[str]:
    stack = ai.model.stack
    if stack is not None and not stack.compiler:
        return [f"/* Stack not measured: a run could not be built for {stack.target}. */", ""]
    if stack is None or stack.worst_case_bytes is None:
        return []
    where = f"{stack.target}, compiled by {comment_text(stack.compiler)}"
    return [
        f"/* Worst-case stack of a run on {where}. */",
        f"#define {ai.upper}_STACK_SIZE {stack.worst_case_bytes}",
        "",
    ]
