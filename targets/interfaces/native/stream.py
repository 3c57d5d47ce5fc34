"""The functions through which an application hands over an input row by row, as a camera or microphone delivers it."""

from __future__ import annotations

from collections.abc import Sequence

from ..description import Tensor
from .naming import NativeNames


def stream_type(native: NativeNames) -> str:
    """The struct that says how far a stream is."""
    return f"{native.m}_stream"


def begin_declaration(native: NativeNames) -> str:
    """The declaration of `stream_begin`, without a semicolon."""
    return f"int32_t {native.m}_stream_begin({stream_type(native)} *stream)"


def push_declaration(native: NativeNames, tensor: Tensor) -> str:
    """The declaration of `push_rows`, without a semicolon."""
    others = [f"{type_} *{name}" for type_, name in native.run_arguments if name != "inputs" or has_others(native)]
    parameters = [f"{stream_type(native)} *stream", *others, f"const {tensor.c_type} *rows", "int32_t count"]
    return f"int32_t {native.m}_push_rows({', '.join(parameters)})"


def has_others(native: NativeNames) -> bool:
    """Whether the caller owns further inputs."""
    return len(native.model.caller_owned("input")) > 1


def row_count(native: NativeNames, tensor: Tensor) -> str:
    """The macro with the number of rows."""
    return native.tensor_macro("input", tensor, "ROWS")


def row_elements(native: NativeNames, tensor: Tensor) -> str:
    """The macro with the elements of a row."""
    return native.tensor_macro("input", tensor, "ROW_COUNT")


def macros(native: NativeNames, tensor: Tensor) -> list[str]:
    """Lines of the header about rows of an input."""
    rows = tensor.streamed_rows
    return [
        "/* It can be handed over row by row: rows, and elements of a row. */",
        f"#define {row_count(native, tensor)} {rows}",
        f"#define {row_elements(native, tensor)} {tensor.count // rows}",
    ]


def declarations(native: NativeNames, tensor: Tensor) -> str:
    """The header's text on streams."""
    m, rows = native.m, row_count(native, tensor)
    pools = "the pools belong to the model, and " if native.takes_pools else ""
    return (
        f"/* How far a run is whose input {tensor.identifier} comes row by row; the application owns it. */\n"
        f"typedef struct {stream_type(native)} {{\n    int32_t taken; /* rows so far: {m}_push_rows counts them */\n"
        f"}} {stream_type(native)};\n\n"
        f"/* Begins a run, or begins anew. Returns {native.upper}_OK, or {native.error('NULL_STREAM')}. */\n"
        f"{begin_declaration(native)};\n\n"
        f"/* Takes the next `count` rows of {tensor.identifier}, {row_elements(native, tensor)} elements each,\n"
        " * one behind the other, and computes all that can be computed from what is there. The rows may be\n"
        " * overwritten as soon as it returns. Returns the number of rows that it still wants, 0 when the outputs are\n"
        " * there; or a negative code and does nothing. From the first row until the outputs have been read\n"
        f" * {pools}other inputs stay as they are.\n"
        f" * {m}_run does the same with all {rows} rows at once. */\n"
        f"{push_declaration(native, tensor)};\n\n"
    )


def functions(native: NativeNames, tensor: Tensor, checks: Sequence[str], call: str) -> str:
    """Their definitions.

    Args:
        native: the interface.
        tensor: the input that comes row by row.
        checks: statements that refuse bad arguments, of pools and of what else the caller owns.
        call: the call of the network for the row at `rows`, number `stream->taken`.
    """
    rows = row_count(native, tensor)
    has_externals = native.model.externals is not None
    refuse_stream = _refusal("stream == NULL", native.error("NULL_STREAM"))
    lines = [
        begin_declaration(native),
        "{",
        *refuse_stream,
        "    stream->taken = 0;",
        "    return 0;",
        "}",
        "",
        push_declaration(native, tensor),
        "{",
        *(["    external_run run;"] if has_externals else []),
        *refuse_stream,
        *checks,
        *_refusal("rows == NULL && count > 0", native.error("NULL_INPUT")),
        *_refusal(f"stream->taken < 0 || stream->taken > {rows}", native.error("ROW_COUNT")),
        *_refusal(f"count < 0 || count > {rows} - stream->taken", native.error("ROW_COUNT")),
        *(["    run.status = 0;"] if has_externals else []),
        "    for (; count > 0; --count) {",
        f"        {call};",
        *refuse_external(native),
        f"        rows += {row_elements(native, tensor)};",
        "        ++stream->taken;",
        "    }",
        f"    return {rows} - stream->taken;",
        "}",
        "",
    ]
    return "\n".join(lines)


def refuse_external(native: NativeNames) -> list[str]:
    """Statements of a loop over rows that end a run where an external function has failed, if there are any."""
    if native.model.externals is None:
        return []
    return [f"    {line}" for line in _refusal("run.status != 0", native.error("EXTERNAL"))]


def _refusal(condition: str, code: str) -> list[str]:
    return [f"    if ({condition}) {{", f"        return {code};", "    }"]
