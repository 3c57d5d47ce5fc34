"""The native header: macros, structs and functions of one model, each with its comment."""

from __future__ import annotations

from collections.abc import Mapping

from ...c.alignment import MACRO
from ...c.comment_text import comment_text
from ...c.literals import floating
from ..description import Pool, Side, Tensor
from . import stream
from .naming import NativeNames

_BYTE_ORDER = """\
#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__)
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the files with the contents of constant pools are for little-endian processors"
#endif
#endif

"""


def header(native: NativeNames) -> str:
    """The text of `include/<m>.h`: C99 and C++."""
    model = native.model
    guard = f"{native.upper}_H"
    parts = [
        f"/* {comment_text(model.name)}: the interface.\n *\n{_about(native)} */\n",
        f"#ifndef {guard}\n#define {guard}\n\n#include <stdbool.h>\n#include <stdint.h>\n\n",
        '#ifdef __cplusplus\nextern "C" {\n#endif\n\n',
        MACRO,
        "\n",
        f'#include "{native.stem}_constants.h"\n\n' if native.has_constants_header else "",
        _BYTE_ORDER if native.model.constant_pools and not native.has_constants_header else "",
        _pool_macros(native),
        native.extra_macros(),
        _tensor_macros(native, "input"),
        _tensor_macros(native, "output"),
        _codes(native),
        _stack_macro(native),
        _pool_struct(native),
        _io_struct(native, "input"),
        _io_struct(native, "output"),
        _device_struct(native),
        _functions(native),
        f"#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n",
    ]
    return "".join(parts)


def _about(native: NativeNames) -> str:
    state = f"state between calls in a pool: {native.m}_reset sets it" if native.has_reset else "no state between calls"
    lines = [
        f"No heap, no recursion, {state}. Calls with different pools and different inputs and outputs",
        "may run at the same time; calls that share a pool must not.",
    ]
    if native.builtin_pools:
        lines = [
            f"No heap, no recursion, {state}. The pools are static arrays of this artefact:",
            "only one call may run at a time.",
        ]
    if native.model.counts_damage:
        lines += ["Built to find mistakes: dead bytes of the pools are overwritten, and the ends of pools are watched."]
    return "".join(f" * {line}\n" for line in lines)


def _pool_macros(native: NativeNames) -> str:
    lines: list[str] = []
    for pool in native.model.pools:
        lines += [
            f"/* Pool {comment_text(pool.name)}: its bytes, and what its address must be a multiple of. */",
            f"#define {native.pool_size(pool)} {pool.bytes}",
            f"#define {native.pool_align(pool)} {pool.alignment}",
        ]
        blob = native.model.blob_of(pool)
        if blob is not None:
            lines += [
                f"/* The bytes of file {blob.file}: their CRC-32, as zlib and IEEE 802.3 have it. */",
                f"#define {native.pool_crc(pool)} {blob.crc32:#010x}u",
            ]
        if pool.section and not native.builds_in(pool):
            lines += [
                "/* The linker section that it was asked for; the application places it there. */",
                f'#define {native.pool_section(pool)} "{pool.section}"',
            ]
        lines += _older({native.full_pool_size(pool): native.pool_size(pool)})
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def constants_header(native: NativeNames, data: Mapping[str, bytes]) -> str:
    """The text of `include/<m>_constants.h`: what the application puts into the constant pools, by pool name."""
    guard = f"{native.upper}_CONSTANTS_H"
    parts = [f"/* {comment_text(native.model.name)}: contents of its constant pools. */\n"]
    parts.append(f"#ifndef {guard}\n#define {guard}\n\n")
    for pool in native.model.constant_pools:
        content = data.get(pool.name) or b"\0"
        rows = [", ".join(map(str, content[start : start + 20])) for start in range(0, len(content), 20)]
        body = "\\\n    " + ", \\\n    ".join(rows)
        parts.append(
            f"/* Pool {comment_text(pool.name)}, for little-endian processors:\n"
            f" * STILLPOOL_ALIGNED({native.pool_align(pool)}) static const uint8_t"
            f" {pool.identifier}[] = {native.pool_initialiser(pool)}; */\n"
            f"#define {native.pool_data(pool)} {native.data_macro(body)}\n\n"
        )
    return "".join([*parts, f"#endif /* {guard} */\n"])


def _tensor_macros(native: NativeNames, side: Side) -> str:
    lines: list[str] = []
    for tensor in native.model.side(side):
        shape = "x".join(map(str, tensor.shape)) or "scalar"
        before = len(lines)
        lines.append(f"/* {side.capitalize()} {comment_text(tensor.name)}: {tensor.dtype} {shape}; bytes, elements")
        quantised = len(tensor.scale) == 1 and len(tensor.zero_point) == 1
        lines[-1] += ", and real = SCALE * (value - ZERO_POINT). */" if quantised else ". */"
        lines.append(f"#define {native.tensor_macro(side, tensor, 'SIZE')} {tensor.bytes}")
        lines.append(f"#define {native.tensor_macro(side, tensor, 'COUNT')} {tensor.count}")
        lines += _release_macros(native, tensor) if side == "input" else []
        lines += stream.macros(native, tensor) if tensor.streamed_rows else []
        if quantised:
            zero_point = tensor.zero_point[0]
            lines.append(f"#define {native.tensor_macro(side, tensor, 'SCALE')} {floating(tensor.scale[0], 'f')}")
            lines.append(f"#define {native.tensor_macro(side, tensor, 'ZERO_POINT')} " + _signed(zero_point))
        own, full = native.tensor_macro(side, tensor, ""), native.full_tensor_macro(side, tensor, "")
        macros = [line.split()[1] for line in lines[before:] if line.startswith(f"#define {own}")]
        lines += _older({full + macro.removeprefix(own): macro for macro in macros})
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _older(macros: Mapping[str, str]) -> list[str]:
    """Lines that keep older names of macros, where they differ."""
    lines = [f"#define {older} {macro}" for older, macro in macros.items() if older != macro]
    return [f"/* Older name{'s' if len(lines) > 1 else ''} of the same: */", *lines] if lines else []


def _release_macros(native: NativeNames, tensor: Tensor) -> list[str]:
    """When an input may be refilled, for applications that follow a run's operators or hear the callback."""
    lines: list[str] = []
    after = tensor.released_after
    if after is not None:
        where = "a run needs it at no position" if after < 0 else f"in use until {native.model.operators[after].label}"
        lines += [f"/* {comment_text(where)}; positions count the run, an index the operators of the model file. */"]
        lines.append(f"#define {native.tensor_macro('input', tensor, 'RELEASED_AFTER')} {_signed(after)}")
    if native.model.calls_back:
        lines.append(f"#define {native.tensor_macro('input', tensor, 'NUMBER')} {native.model.inputs.index(tensor)}")
    return lines


def _signed(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def _codes(native: NativeNames) -> str:
    lines = [f"/* What {native.m}_run returns. */", f"#define {native.upper}_OK 0"]
    lines += [f"#define {native.error(name)} ({value}) /* {meaning} */" for name, value, meaning in native.errors]
    return "".join(f"{line}\n" for line in lines) + "\n"


def _stack_macro(native: NativeNames) -> str:
    stack = native.model.stack
    if stack is None:
        return ""
    if not stack.compiler:
        return f"/* Stack not measured: {native.m}_run could not be built for {stack.target}. */\n\n"
    where = f"{native.m}_run on {stack.target}, compiled by {comment_text(stack.compiler)}"
    if stack.worst_case_bytes is None:
        return f"/* The worst case of the stack of {where}, is unknown. */\n\n"
    return (
        f"/* Worst-case stack of {where}: no run takes\n"
        " * more bytes, what it calls included. Other compilers and options may need others. */\n"
        f"#define {native.upper}_RUN_STACK_SIZE {stack.worst_case_bytes}\n\n"
    )


def _pool_struct(native: NativeNames) -> str:
    if not native.takes_pools:
        return ""
    members = "".join(
        f"    {native.pool_type(pool)} *{pool.identifier}; /* {native.pool_size(pool)} bytes, aligned to"
        f" {native.pool_align(pool)}{_lasting(native, pool)} */\n"
        for pool in native.outer_workspace_pools
    )
    members += "".join(
        f"    {native.pool_type(pool)} *{pool.identifier}; /* {native.pool_size(pool)} bytes of constants, aligned to"
        f" {native.pool_align(pool)}:\n        {_contents(native, pool)} */\n"
        for pool in native.outer_constant_pools
    )
    return (
        "/* Memory for the duration of one call; the application owns it and may use it for anything between calls"
        f"{_kept(native)}. */\n"
        f"typedef struct {native.pools_type} {{\n{members}}} {native.pools_type};\n\n"
    )


def _contents(native: NativeNames, pool: Pool) -> str:
    """Macro with the bytes that the application puts into a constant pool."""
    blob = native.model.blob_of(pool)
    return f"an array initialised with {native.pool_initialiser(pool)}" if blob is None else f"those of {blob.file}"


def _lasting(native: NativeNames, pool: Pool) -> str:
    """Comment on the bytes of a pool that the application leaves alone between calls."""
    states = native.model.states_in(pool)
    if pool.bytes and not native.model.uses(pool):
        return ";\n        nothing of this model lies there: it may be null"
    if pool.persistent:
        return "; kept between calls"
    return "".join(f";\n        keep bytes {s.offset} to {s.offset + s.bytes - 1} between calls" for s in states)


def _kept(native: NativeNames) -> str:
    return (" (but what must be kept)" if native.has_reset else "") + _kept_io(native)


def _kept_io(native: NativeNames) -> str:
    if not (native.has_map("input") or native.has_map("output")):
        return ""
    return ",\n * as long as inputs are written after that and outputs are read before"


def _io_struct(native: NativeNames, side: Side) -> str:
    if not native.has_struct(side):
        return ""
    members = "".join(_member(native, side, tensor) for tensor in native.model.side(side))
    verb = "read" if side == "input" else "written"
    if not native.model.in_workspace(side):
        what = (
            f"/* Where the {side}s are: the application owns the arrays; they are {verb} during the call only\n"
            f" * and must not overlap other {'inputs, outputs or' if side == 'output' else 'outputs or'} pools. */\n"
        )
    else:
        what = f"/* Where the {side}s are; {native.m}_map_{side}s fills in those that lie in a pool. */\n"
    return f"{what}typedef struct {native.io_type(side)} {{\n{members}}} {native.io_type(side)};\n\n"


def _member(native: NativeNames, side: Side, tensor: Tensor) -> str:
    count = native.tensor_macro(side, tensor, "COUNT")
    owner = "the application's" if tensor.pool is None else f"in pool {comment_text(tensor.pool)}"
    return f"    {native.member_type(tensor)} *{tensor.identifier}; /* {count} elements, {owner} */\n"


def _device_struct(native: NativeNames) -> str:
    if not native.devices:
        return ""
    members = "".join(f"    void *{device};\n" for device in native.devices)
    return (
        "/* Handles of the devices that external functions drive: passed on to them and to the hooks as they are. */\n"
        f"typedef struct {native.devices_type} {{\n{members}}} {native.devices_type};\n\n"
    )


def _lifetime(native: NativeNames) -> str:
    """When inputs in pools are to be written."""
    inside = native.model.in_workspace("input")
    if native.has_slots:
        return (
            " * Each has two slots: fill one of them, at any time, while a run reads the other; say 0 or 1 here and\n"
            " * to run. Runs leave both as they are."
        )
    if all(tensor.is_kept for tensor in inside):
        return " * They stay as they are until they are written again or something else uses the pool: runs keep them."
    return " * Write every input before every call: the network reuses the memory of its inputs as it goes."


def _functions(native: NativeNames) -> str:
    text = ""
    argument = "the pools' addresses" if native.takes_pools else "the built-in pools"
    if native.has_map("input"):
        text += (
            f"/* The places of the inputs within {argument}; null where a pool is null or the caller owns the input.\n"
            f"{_lifetime(native)} */\n"
            f"{native.map_declaration('input')};\n\n"
        )
    if native.has_map("output"):
        text += (
            f"/* The places of the outputs within {argument}; null where a pool is null or the caller owns the"
            " output.\n * Outputs stay valid until inputs are written, the next call, or another use of the pool. */\n"
            f"{native.map_declaration('output')};\n\n"
        )
    if native.model.calls_back:
        text += (
            "/* Defined by the application. A run calls it when it needs the bytes of an input no more, with\n"
            " * the input's ..._NUMBER: from then on they may be refilled for the next run, at once or later. Inputs\n"
            " * whose bytes are in use until the outputs have been read have no ..._RELEASED_AFTER: no call. */\n"
            f"{native.callback_declaration};\n\n"
        )
    if native.model.tells_operators:
        text += (
            "/* Defined by the application. A run calls it after each operator with its position in the run, from 0\n"
            " * on; the manifest has the operators by position. */\n"
            f"#define {native.operator_count} {len(native.model.operators)}\n"
            f"{native.hook_declaration};\n\n"
        )
    if native.has_reset:
        names = ", ".join(comment_text(state.name) for state in native.model.states)
        text += (
            "/* Sets what the network keeps from one run to the next to its initial values. Call it before the first\n"
            f" * run, and whenever a new sequence begins. Returns {native.upper}_OK, or a negative code as run does.\n"
            f" * Kept are: {names}. */\n"
            f"{native.reset_declaration};\n\n"
        )
    text += (
        f"/* Runs the network once. Returns {native.upper}_OK, or one of the negative codes above and does nothing.\n"
        " * Re-entrant as long as concurrent calls share neither pools nor outputs. */\n"
        if not native.builtin_pools
        else f"/* Runs the network once. Returns {native.upper}_OK, or one of the negative codes above and does"
        " nothing.\n * Not re-entrant: all calls use the built-in pools. */\n"
    )
    streamed = native.model.streamed
    streaming = stream.declarations(native, streamed) if streamed is not None else ""
    return f"{text}{native.run_declaration};\n\n{streaming}"
