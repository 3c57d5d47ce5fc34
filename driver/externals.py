"""What is asked of external functions and alignments, checked before anything is compiled."""

from __future__ import annotations

from ..dialects.external import OperatorOp
from ..dialects.external.handed import is_power_of_two
from ..errors import UsageError
from ..transforms.external.request import ExternalRequest, parse_external
from .model import Model
from .objectives import rows_of
from .options import Options


def checked_externals(options: Options) -> tuple[str, ...]:
    """The requests for external functions.

    Raises:
        UsageError: one is malformed, two are the same, or something else that is asked for does not go with them.
    """
    texts = tuple(options.get("externals", ()))
    requests = [parse_external(text) for text in texts]
    for position, text in enumerate(texts):
        if text in texts[:position]:
            raise UsageError(f"external '{text}' is given twice", remedy="give it once")
    if options.get("external_sources", ()) and not texts:
        raise UsageError(
            "no external function is asked for: --external-source has no effect",
            remedy="leave it out, or say with --external which operators are computed by its functions",
        )
    if not texts:
        return ()
    _refuse_rows(options, "--external")
    devices = [r.wishes.device for r in requests if isinstance(r, ExternalRequest) and r.wishes.device]
    if devices and options.get("shims", ()):
        raise UsageError(
            f"--shim has no place for the handle of device '{devices[0]}'", remedy="leave out the shim or the device"
        )
    return texts


def check_handed(model: Model, options: Options) -> None:
    """Refuse a model whose file hands operators to a device where something else that is asked for does not go with it.

    Raises:
        UsageError: names the option.
    """
    if any(isinstance(op, OperatorOp) for op in model.nn.walk()):
        _refuse_rows(options, f"model '{model.name}' for a device")


def _refuse_rows(options: Options, what: str) -> None:
    if rows_of(options) == "off":
        return
    given = [name for name in ("stream_input", "rows", "optimize") if options.get(name)]
    option = f"--{given[0].replace('_', '-')} {options.get(given[0])}"
    raise UsageError(
        f"{what} does not go with {option}: external functions compute whole tensors, not rows",
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
