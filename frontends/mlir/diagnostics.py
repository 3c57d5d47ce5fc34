"""Where a pass or a verifier refused: the operation at hand, and its place in the file.

xDSL 0.74 raises its diagnostics as exceptions that name no operation. Which one it was stands in the frames of the
traceback: `Operation.emit_error` is called on it, and the functions of passes have it as a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType
from typing import Any

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import ParseError

from ...dialects.operations import enclosing

_OF_INPUT = (Operation.emit_error.__code__, Operation.verify.__code__)


def one_line(error: Exception, reading: FileLineColLoc | None = None) -> str:
    """`file:line:col: error: message` of an error that a parser, a verifier or a pass raised.

    Without a known place, as in a module that no file holds, the message names the function and the operation.

    Args:
        error: the error, as it was caught.
        reading: where the parser stood, if the error came from there.
    """
    if isinstance(error, ParseError):
        return f"{error.span.get_location()}: error: {_flat(error.msg)}"
    op = None if reading is not None else culprit(error)
    place = reading or (op and location(op))
    message = _flat(str(error)) or "failed"
    if op is not None and not isinstance(op, FuncOp) and op.name not in message:
        message = f"'{op.name}' op {message}"
    if place is not None:
        return f"{place.filename.data}:{place.line.data}:{place.column.data}: error: {message}"
    return f"error: {_function(op, message)}{message}"


def culprit(error: BaseException) -> Operation | None:
    """The operation that was at hand where an error was raised; the innermost one that is not the whole module."""
    frames = list(_frames(error))
    verified = [frame.f_locals["self"] for frame in frames if frame.f_code in _OF_INPUT]
    if verified:
        return verified[-1]
    found = [op for frame in reversed(frames) if (op := _at_hand(frame)) is not None]
    return next((op for op in found if not isinstance(op, FuncOp)), next(iter(found), None))


def is_of_input(error: BaseException) -> bool:
    """Whether an error comes from a verifier, so that the input is at fault whatever the error's class."""
    return any(frame.f_code in _OF_INPUT for frame in _frames(error))


def location(op: Operation | None) -> FileLineColLoc | None:
    """The place in a file of an operation, or of the nearest one around it that has one."""
    # One that is being made has no place yet.
    while op is not None and not isinstance(getattr(op, "location", None), FileLineColLoc):
        op = op.parent_op()
    return None if op is None or isinstance(op, ModuleOp) else op.location  # pyright: ignore[reportReturnType]


def _frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _at_hand(frame: FrameType) -> Operation | None:
    """Operation a function works on: its first parameter that is, or defines, an operation within a module; else the
    last of its variables.
    """
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    for name in (*code.co_varnames[:count], *reversed(code.co_varnames[count:])):
        value: Any = frame.f_locals.get(name)
        op = value.owner if isinstance(value, SSAValue) else value
        if isinstance(op, Operation) and not isinstance(op, ModuleOp):
            return op
    return None


def _function(op: Operation | None, message: str) -> str:
    """The function that an operation stands in, unless the message has it."""
    found = enclosing(op, FuncOp)
    return f"in @{found.sym_name.data}: " if found is not None and f"@{found.sym_name.data}" not in message else ""


def _flat(message: str) -> str:
    return " ".join(message.split())
