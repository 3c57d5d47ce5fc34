"""Checks of external functions and alignments before anything is compiled."""

from __future__ import annotations

from ...dialects.external import OperatorOp
from ...dialects.external.handed import is_power_of_two
from ...dialects.operations import all_of
from ...errors import UsageError
from ...transforms.external.request import parse_external
from ..models.model import Model
from .objectives import rows_of
from .options import Options
from .stated import option_of


def checked_externals(options: Options) -> tuple[str, ...]:
    """The requests for external functions.

    Raises:
        UsageError: one is malformed, two are the same, or something else that is asked for does not go with them.
    """
    texts = tuple(options.get("externals", ()))
    for text in texts:
        parse_external(text)
    for position, text in enumerate(texts):
        if text in texts[:position]:
            raise UsageError(f"external '{text}' is given twice", remedy="give it once")
    if not texts:
        return ()
    name = options.get("stream_input")
    if name is not None and any(map(_is_of_device, texts)):
        raise UsageError(
            f"--io stream={name} goes with plain external functions: rows come without handles of devices, "
            "and no work is begun for one row and awaited for another",
            remedy="leave out device and async, or use --rows on",
        )
    return texts


def check_sources(options: Options, is_used: bool) -> None:
    """Refuse the user's C files if no model is to use external functions.

    Raises:
        UsageError: there are such files.
    """
    if options.get("external_sources", ()) and not is_used:
        raise UsageError(
            "no external function is asked for: --source has no effect",
            remedy="leave it out, or say with --external which operators are computed by its functions",
        )


def _is_of_device(text: str) -> bool:
    """Whether an external function may be one of a device; those of packages may always be."""
    request = parse_external(text)
    return isinstance(request, str) or request.wishes.device != "" or request.wishes.asynchronous


def check_handed(model: Model, options: Options) -> bool:
    """Whether the model's file hands operators to a device.

    Refuses it where something else that is asked for does not go with it.

    Raises:
        UsageError: names the option.
    """
    handed = all_of(model.nn, OperatorOp)
    if handed:
        _refuse_rows(options, f"model '{model.name}' for a device")
    if any(op.wishes.offsets for op in handed):
        for key in ("poison", "keep_inputs", "double_buffer_inputs"):
            if options.get(key, False):
                raise UsageError(
                    f"model '{model.name}' has its inputs in the arena of its device, laid out beforehand: "
                    f"{option_of(key)} cannot be done",
                    remedy="leave it out",
                )
    return bool(handed)


def _refuse_rows(options: Options, what: str) -> None:
    if rows_of(options) == "off":
        return
    given = [name for name in ("stream_input", "rows", "optimize") if options.get(name)]
    option = f"--{given[0].replace('_', '-')} {options.get(given[0])}"
    raise UsageError(
        f"{what} does not go with {option}: its operators are laid out beforehand for whole tensors",
        remedy="leave out one of both",
    )


def checked_alignments(options: Options) -> tuple[str, ...]:
    """The alignments of buffers.

    Raises:
        UsageError: one is malformed.
    """
    texts = tuple(options.get("alignments", ()))
    for text in texts:
        pattern, _, number = text.rpartition("=")
        if not pattern or not number.isdecimal() or not is_power_of_two(int(number)):
            raise UsageError(
                f"alignment '{text}' is not TENSOR=N with N a power of two", remedy="write for example 'conv_1*=32'"
            )
    return texts
