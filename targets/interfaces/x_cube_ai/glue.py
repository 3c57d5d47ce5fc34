"""C text behind the network in a model's file: tables for the shared header, and ST's functions."""

from __future__ import annotations

import json

from ....version import __version__
from ...c.literals import floating
from ..ai.glue import pool_macros, reset, run
from ..description import Tensor
from ..native import comment_text
from ..native.wrapper import builtin_pool
from .functions import FUNCTIONS
from .header import constant_bytes, flags_of, signature
from .naming import XCubeAiNames
from .tensors import alignment, bcwh, format_name

_ZERO_POINTS = {"int8": ("ai_i8", "S8"), "uint8": ("ai_u8", "U8"), "uint16": ("ai_u16", "U16")}
"""Types of zero points by those of elements; 16 bits with a sign for all others."""


def glue(ai: XCubeAiNames) -> str:
    """C text that makes the static function `network` a model of ST's interfaces."""
    tensors = (*ai.model.inputs, *ai.model.outputs)
    constants = f'#include "{ai.stem}_constants.h"\n' if ai.model.constant_pools else ""
    aligned = "#define STILLPOOL_ALIGNED(n) AI_ALIGNED(n)\n"
    parts = [
        f'#include "{ai.stem}_data.h"\n{constants}{aligned}{pool_macros(ai)}',
        *(builtin_pool(ai, pool) for pool in ai.model.pools if ai.builds_in(pool)),
        *(_quantisation(f"{ai.stem}_st_{number}", tensor) for number, tensor in enumerate(tensors)),
        _tensors(ai, tensors),
        _infos(ai, tensors),
        _memories(ai),
        run(ai),
        *([reset(ai)] if ai.has_reset else []),
        _model(ai),
        _functions(ai),
    ]
    return "\n".join(parts)


def _functions(ai: XCubeAiNames) -> str:
    names = {
        "m": ai.stem,
        "f": ai.function,
        "handle": f"{ai.stem}_st_handle",
        "instance": ai.instance,
        "buffers": ai.buffers,
        "memories": ai.memories,
        "descriptor": ai.descriptor,
        "inputs": len(ai.model.inputs),
        "outputs": len(ai.model.outputs),
        "count": max(1, len(ai.model.inputs) + len(ai.model.outputs)),
    }
    return FUNCTIONS.format(**names)


def _quantisation(name: str, tensor: Tensor) -> str:
    shape = ", ".join(f"{extent}u" for extent in bcwh(tensor))
    text = f"static const ai_shape_dimension {name}_bcwh[] = {{{shape}}};\n"
    text += f"static const int32_t {name}_shape[] = {{{', '.join(map(str, tensor.shape or (1,)))}}};\n"
    if tensor.scale:
        kind, flag = _ZERO_POINTS.get(tensor.dtype, ("ai_i16", "S16"))
        scales = ", ".join(floating(scale, "f") for scale in tensor.scale)
        points = ", ".join(map(str, tensor.zero_point or (0,) * len(tensor.scale)))
        mask = f"AI_BUFFER_META_FLAG_SCALE_FLOAT | AI_BUFFER_META_FLAG_ZEROPOINT_{flag}"
        text += f"static const ai_float {name}_scale[] = {{{scales}}};\n"
        text += f"static const {kind} {name}_zero_point[] = {{{points}}};\n"
        text += f"static const int16_t {name}_zero_point_16[] = {{{points}}};\n"
        text += f"static const ai_intq_info {name}_intq = {{{name}_scale, {name}_zero_point}};\n"
        text += f"static const ai_intq_info_list {name}_list = {{{mask}, {len(tensor.scale)}, &{name}_intq}};\n"
        text += f"static const ai_buffer_meta_info {name}_meta = {{AI_BUFFER_META_HAS_INTQ_INFO, &{name}_list}};\n"
    return text


def _tensors(ai: XCubeAiNames, tensors: tuple[Tensor, ...]) -> str:
    rows: list[str] = []
    for number, tensor in enumerate(tensors):
        name = f"{ai.stem}_st_{number}"
        base, offset = "NULL", -1
        if tensor.pool is not None:
            pool = next(pool for pool in ai.model.pools if pool.name == tensor.pool)
            base = "NULL" if pool == ai.activations else ai.builtin_pool(pool)
            offset = tensor.offset or 0
        values = (
            format_name(tensor, "AI_BUFFER_FORMAT"), tensor.count, tensor.bytes, alignment(tensor), base, offset,
            len(bcwh(tensor)), f"{name}_bcwh", f"&{name}_meta" if tensor.scale else "NULL",
        )  # fmt: skip
        rows.append(f"    {{{', '.join(map(str, values))}}}")
    body = ",\n".join(rows)
    return f"static const stillpool_st_tensor {ai.stem}_st_tensors[] = {{\n{body}}};\n"


def _infos(ai: XCubeAiNames, tensors: tuple[Tensor, ...]) -> str:
    rows: list[str] = []
    for number, tensor in enumerate(tensors):
        name, count = f"{ai.stem}_st_{number}", len(tensor.scale)
        shape = f"{{{max(1, len(tensor.shape))}, {name}_shape}}"
        scale = f"{{{count}, {f'{name}_scale' if count else 'NULL'}}}"
        points = f"{{{count}, {f'{name}_zero_point_16' if count else 'NULL'}}}"
        owner = flags_of(tensor, "input" if number < len(ai.model.inputs) else "output")
        form, text = format_name(tensor, "STAI_FORMAT"), json.dumps(comment_text(tensor.name))
        rows.append(f"    {{{tensor.bytes}, {owner}, {form}, {shape}, {scale}, {points}, {text}}}")
    body = ",\n".join(rows)
    return f"static const stai_tensor {ai.stem}_st_infos[] = {{\n{body}}};\n"


def _memories(ai: XCubeAiNames) -> str:
    pool = ai.activations
    sizes = {"activations": 0 if pool is None else pool.bytes, "weights": constant_bytes(ai)}
    name, text, rows = f"{ai.stem}_st_memory", "", list[str]()
    for number, (what, size) in enumerate(sizes.items()):
        text += f"static const int32_t {name}_{number}_shape[] = {{{size}}};\n"
        flag, shape = f"STAI_FLAG_{what.upper()}", f"{{1, {name}_{number}_shape}}"
        rows.append(f'    {{{size}, {flag}, STAI_FORMAT_U8, {shape}, {{0, NULL}}, {{0, NULL}}, "{what}"}}')
    body = ",\n".join(rows)
    return f"{text}static const stai_tensor {name}_infos[] = {{\n{body}}};\n"


def _model(ai: XCubeAiNames) -> str:
    model, pool, handle = ai.model, ai.activations, f"{ai.stem}_st_handle"
    size, aligned = (0, 1) if pool is None else (pool.bytes, pool.alignment)
    values = [
        json.dumps(ai.stem),
        json.dumps(model.revision),
        json.dumps(f"stillpool {__version__}"),
        str(sum(operator.macs for operator in model.operators)),
        str(len(model.operators)),
        str(len(model.inputs)),
        str(len(model.outputs)),
        f"{ai.stem}_st_tensors",
        f"{ai.stem}_st_infos",
        f"{ai.stem}_st_memory_infos",
        signature(ai),
        f"{ai.stai_upper}_FLAGS",
        ai.builtin_pool(pool) if pool is not None and ai.builds_in(pool) else "NULL",
        str(size),
        str(aligned),
        str(constant_bytes(ai)),
        str(ai.context_alignment),
        f"(uint32_t)offsetof({handle}, data)",
        f"(uint32_t)offsetof({handle}, state)" if ai.state is not None else "0",
        ai.static_run,
        ai.reset_function if ai.has_reset else "NULL",
    ]
    body = ",\n".join(f"    {value}" for value in values)
    return f"static const stillpool_st_model {ai.descriptor} = {{\n{body}}};\n"
