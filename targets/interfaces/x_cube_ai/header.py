"""The model's headers of the `x-cube-ai` interface: `<m>.h` with both APIs, and `<m>_data.h` with their memories."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from ..description import Side, Tensor
from ..native import comment_text
from .naming import XCubeAiNames
from .tensors import alignment, bcwh, format_name

_AI = """\
/* X-CUBE-AI. A null handle is the model's one static handle. Weights are built in: pass null.
 * Inputs and outputs within the activations may have arrays of the application's, too; a run copies them. */
ai_error {f}_create_and_init(ai_handle *network, const ai_handle activations[], const ai_handle weights[]);
ai_error {f}_create(ai_handle *network, const ai_buffer *network_config);
ai_bool {f}_init(ai_handle network, const ai_network_params *params);
ai_handle {f}_destroy(ai_handle network);
ai_error {f}_get_error(ai_handle network); /* the first since the last call */
ai_bool {f}_get_report(ai_handle network, ai_network_report *report);
ai_bool {f}_get_info(ai_handle network, ai_network_report *report);
ai_buffer *{f}_inputs_get(ai_handle network, ai_u16 *n_buffer);
ai_buffer *{f}_outputs_get(ai_handle network, ai_u16 *n_buffer);
ai_i32 {f}_run(ai_handle network, const ai_buffer *input, ai_buffer *output); /* 1: it ran; 0: see get_error */
ai_i32 {f}_forward(ai_handle network, const ai_buffer *input);
"""
_STAI = """\
/* ST Edge AI. Weights are built in; a pointer to them is taken and not looked at. */
stai_return_code {f}_init(stai_network *network);
stai_return_code {f}_deinit(stai_network *network);
stai_return_code {f}_run(stai_network *network, stai_run_mode mode);
stai_return_code {f}_get_info(stai_network *network, stai_network_info *info);
stai_return_code {f}_get_error(stai_network *network);
stai_size {f}_get_context_size(void);
stai_return_code {f}_get_activations(stai_network *network, stai_ptr *activations, stai_size *n_activations);
stai_return_code {f}_get_weights(stai_network *network, stai_ptr *weights, stai_size *n_weights); /* null */
stai_return_code {f}_get_states(stai_network *network, stai_ptr *states, stai_size *n_states); /* none: the context's */
stai_return_code {f}_set_states(stai_network *network, const stai_ptr *states, stai_size n_states);
stai_return_code {f}_set_callback(stai_network *network, const stai_event_cb cb, void *cb_cookie); /* null only */
stai_return_code {f}_get_inputs(stai_network *network, stai_ptr *inputs, stai_size *n_inputs);
stai_return_code {f}_get_outputs(stai_network *network, stai_ptr *outputs, stai_size *n_outputs);
stai_return_code {f}_set_activations(stai_network *network, const stai_ptr *activations, stai_size n_activations);
stai_return_code {f}_set_weights(stai_network *network, const stai_ptr *weights, stai_size n_weights);
stai_return_code {f}_set_inputs(stai_network *network, const stai_ptr *inputs, stai_size n_inputs);
stai_return_code {f}_set_outputs(stai_network *network, const stai_ptr *outputs, stai_size n_outputs);
"""


def header(ai: XCubeAiNames) -> str:
    """The text of `include/<m>.h`: C99 and C++."""
    model = ai.model
    lines = [
        f'#define {ai.upper}_MODEL_NAME "{ai.stem}"',
        f"#define {ai.upper}_ORIGIN_MODEL_NAME {_origin(ai)}",
        f"#define {ai.upper}_IN_NUM {len(model.inputs)}",
        f"#define {ai.upper}_OUT_NUM {len(model.outputs)}",
        *_all_inside(ai),
        *_ai_side(ai, "input"),
        *_ai_side(ai, "output"),
        "",
        *_stai(ai),
        "",
        _context(ai),
        _AI.format(f=ai.function),
        _STAI.format(f=f"st{ai.function}"),
    ]
    text = f"{comment_text(model.name)}: ST's interfaces, X-CUBE-AI's and ST Edge AI's"
    return _file(f"{ai.upper}_H", text, f'#include "stillpool_st.h"\n#include "{ai.stem}_data.h"', lines)


def data_header(ai: XCubeAiNames) -> str:
    """The text of `include/<m>_data.h`."""
    size = f"{ai.upper}_DATA_ACTIVATIONS_SIZE"
    weights = f"{ai.upper}_DATA_WEIGHTS_SIZE"
    prefix, function = f"{ai.upper}_DATA", f"{ai.function}_data"
    of, pool = "ai_buffer_of(AI_BUFFER_FORMAT_U8,", ai.activations
    lines = [
        f"#define {prefix}_CONFIG ((const ai_buffer *)NULL)",
        f"#define {size} {0 if pool is None else pool.bytes}",
        f"#define {prefix}_ACTIVATIONS_ALIGN {1 if pool is None else pool.alignment}",
        f"#define {prefix}_ACTIVATIONS_COUNT 1",
        f"#define {prefix}_ACTIVATIONS_SIZES {{{size}}}",
        f"#define {prefix}_ACTIVATION_1_SIZE {size}",
        f"#define {weights} {constant_bytes(ai)}",
        f"#define {prefix}_WEIGHTS_COUNT 1",
        f"#define {prefix}_WEIGHTS_SIZES {{{weights}}}",
        f"#define {prefix}_WEIGHT_1_SIZE {weights}",
        f"#define {prefix}_ACTIVATIONS(pointer) \\\n    {of} AI_HANDLE_PTR(pointer), {size})",
        f"#define {prefix}_WEIGHTS(pointer) \\\n    {of} AI_HANDLE_PTR(pointer), {weights})",
        f"#define {prefix}_ACTIVATIONS_TABLE_GET() ((const ai_handle *)NULL)",
        f"#define {prefix}_WEIGHTS_TABLE_GET() ((const ai_handle *)NULL)",
        "",
        f"ai_handle {function}_weights_get(void); /* null: weights are built in */",
        f"ai_bool {function}_params_get(ai_network_params *params);",
        "",
    ]
    text = f"{comment_text(ai.model.name)}: its memories, for X-CUBE-AI's interface"
    return _file(f"{ai.upper}_DATA_H", text, '#include "ai_platform.h"', lines)


def _file(guard: str, about: str, include: str, lines: Sequence[str]) -> str:
    head = [f"/* {about}. */", f"#ifndef {guard}", f"#define {guard}", "", include, ""]
    head += ["#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    foot = ["#ifdef __cplusplus", "}", "#endif", "", f"#endif /* {guard} */"]
    return "".join(f"{line}\n" for line in (*head, *lines, *foot))


def constant_bytes(ai: XCubeAiNames) -> int:
    """Bytes of all constants."""
    return ai.model.constants.payload + sum(pool.bytes for pool in ai.model.constant_pools)


def _all_inside(ai: XCubeAiNames) -> Iterator[str]:
    sides: tuple[Side, ...] = ("input", "output")
    for side in sides:
        tensors = ai.model.side(side)
        if tensors and not ai.model.caller_owned(side):
            yield f"#define {ai.upper}_{side.upper()}S_IN_ACTIVATIONS {len(tensors)}"


def _about(side: Side, tensor: Tensor) -> str:
    shape = "x".join(map(str, tensor.shape)) or "scalar"
    owner = "the application's" if tensor.pool is None else "within the activations"
    return f"/* {side.capitalize()} {comment_text(tensor.name)}: {tensor.dtype} {shape}, {owner}. */"


def _facts(tensor: Tensor, prefix: str) -> dict[str, object]:
    _, channel, width, height, *_ = bcwh(tensor)
    form = format_name(tensor, prefix)
    sizes = {"SIZE": tensor.count, "SIZE_BYTES": tensor.bytes}
    return {"FORMAT": form, "HEIGHT": height, "WIDTH": width, "CHANNEL": channel, **sizes}


def _ai_side(ai: XCubeAiNames, side: Side) -> Iterator[str]:
    tensors = ai.model.side(side)
    short = "IN" if side == "input" else "OUT"
    yield f"#define {ai.upper}_{short} {ai.function}_{side}s_get(AI_HANDLE_NULL, NULL)"
    yield f"#define {ai.upper}_{short}_SIZE {{{', '.join(str(tensor.count) for tensor in tensors)}}}"
    yield f"#define {ai.upper}_{short}_SIZE_BYTES {{{', '.join(str(tensor.bytes) for tensor in tensors)}}}"
    for tensor in tensors:
        yield _about(side, tensor)
        for what, value in _facts(tensor, "AI_BUFFER_FORMAT").items():
            yield f"#define {ai.io_macro(side, tensor, what)} {value}"


def flags_of(tensor: Tensor, side: Side) -> str:
    """Flags of ST Edge AI for an input or output, as C."""
    owner = "" if tensor.pool is None else " | STAI_FLAG_PREALLOCATED"
    return f"(STAI_FLAG_{side.upper()}S{owner} | STAI_FLAG_CHANNEL_LAST | STAI_FLAG_HAS_BATCH)"


def _stai(ai: XCubeAiNames) -> Iterator[str]:
    model, pool, up = ai.model, ai.activations, ai.stai_upper
    size, aligned = (0, 1) if pool is None else (pool.bytes, pool.alignment)
    sides: tuple[Side, ...] = ("input", "output")
    flags = [f"STAI_FLAG_{side.upper()}S" for side in sides if not model.caller_owned(side)]
    flags += ["STAI_FLAG_WEIGHTS", *(["STAI_FLAG_ACTIVATIONS"] if ai.builtin_pools else [])]
    yield f'#define {up}_MODEL_NAME "{ai.stem}"'
    yield f"#define {up}_MODEL_SIGNATURE {signature(ai)}"
    yield f"#define {up}_ORIGIN_MODEL_NAME {_origin(ai)}"
    yield f"#define {up}_ORIGIN_MODEL_SIGNATURE {json.dumps(model.revision)}"
    yield f"#define {up}_FLAGS ({' | '.join(flags)})"
    yield f"#define {up}_NODES_NUM {len(model.operators)}"
    yield f"#define {up}_MACC_NUM {sum(operator.macs for operator in model.operators)}"
    for what, count, bytes, at in (("ACTIVATION", 1, size, aligned), ("WEIGHT", 1, constant_bytes(ai), 1)):
        yield f"#define {up}_{what}S_NUM {count}"
        for name in ("SIZE", "SIZE_BYTES"):
            yield f"#define {up}_{what}S_{name} {bytes}"
            yield f"#define {up}_{what}S_{name.replace('SIZE', 'SIZES')} {{{bytes}}}"
            yield f"#define {up}_{what}_1_{name} {bytes}"
        yield f"#define {up}_{what}S_ALIGNMENTS {{{at}}}"
        yield f"#define {up}_{what}_1_ALIGNMENT {at}"
    yield f"#define {up}_STATES_NUM 0"
    yield from _stai_side(ai, "input")
    yield from _stai_side(ai, "output")


def signature(ai: XCubeAiNames) -> str:
    """The number that changes with the model file, as C."""
    return f"0x{ai.model.revision[:8] or '0'}u"


def _origin(ai: XCubeAiNames) -> str:
    """The name of the model file without its ending, as C; that of the model where there is none."""
    origin = ai.model.origin
    return json.dumps(comment_text(ai.stem if origin is None else PurePath(origin.file).stem))


def _name(tensor: Tensor) -> str:
    return json.dumps(comment_text(tensor.name))


def _stai_side(ai: XCubeAiNames, side: Side) -> Iterator[str]:
    tensors = ai.model.side(side)
    stem = f"{ai.stai_upper}_{'IN' if side == 'input' else 'OUT'}"
    yield f"#define {stem}_NUM {len(tensors)}"
    yield f"#define {stem}_SIZE_BYTES {sum(tensor.bytes for tensor in tensors)}"
    yield f"#define {stem}_NAMES \\\n    {{{', '.join(_name(tensor) for tensor in tensors)}}}"
    yield f"#define {stem}_ALIGNMENTS {{{', '.join(str(alignment(tensor)) for tensor in tensors)}}}"
    yield f"#define {stem}_FORMATS {{{', '.join(format_name(tensor, 'STAI_FORMAT') for tensor in tensors)}}}"
    yield f"#define {stem}_SIZES {{{', '.join(str(tensor.count) for tensor in tensors)}}}"
    yield f"#define {stem}_SIZES_BYTES {{{', '.join(str(tensor.bytes) for tensor in tensors)}}}"
    for number, tensor in enumerate(tensors, 1):
        facts = {**_facts(tensor, "STAI_FORMAT"), "BATCH": bcwh(tensor)[0], "RANK": len(tensor.shape)}
        facts |= {"NAME": _name(tensor), "ALIGNMENT": alignment(tensor), "FLAGS": flags_of(tensor, side)}
        for what, value in facts.items():
            # Flags are long, and so may names be.
            space = " \\\n    " if what in ("NAME", "FLAGS") else " "
            yield f"#define {stem}_{number}_{what}{space}{value}"


def _context(ai: XCubeAiNames) -> str:
    state = ai.state
    tensors = max(1, len(ai.model.inputs) + len(ai.model.outputs))
    lines = ["typedef struct {", "    stillpool_st_context context;", f"    void *data[{tensors}];"]
    if state is not None:
        lines.append(f"    AI_ALIGNED({state.alignment}) uint8_t state[{state.bytes}];")
    lines += [f"}} {ai.stem}_st_handle;", f"#define {ai.stai_upper}_CONTEXT_SIZE sizeof({ai.stem}_st_handle)"]
    lines += [f"#define {ai.stai_upper}_CONTEXT_ALIGNMENT {ai.context_alignment}"]
    return "\n".join(["/* A context, what a handle points to. */", *lines, ""])
