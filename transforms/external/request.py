"""Requests for external functions: `PATTERN=FUNCTION[:...]`, or the name of a package's patterns."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ...dialects.external.handed import Wishes, is_power_of_two
from ...errors import UsageError
from ...targets.identifiers import identifier

_FORM = "write for example 'conv_2d=my_conv:scratch=1024,pool=sram,align=16'"


@dataclass(frozen=True)
class ExternalRequest:
    """Operators by their kind or output tensor, and the C function that computes them."""

    text: str
    pattern: str
    function: str
    wishes: Wishes


def parse_external(text: str) -> ExternalRequest | str:
    """A request for a function, or the name under which a package's patterns are installed.

    Raises:
        UsageError: it is neither, or an option of it makes no sense.
    """
    pattern, equals, rest = text.partition("=")
    if not equals and text:
        return text
    # Names of tensors may have all characters: the first `=` with a function behind it counts.
    match = re.fullmatch(r"(?P<pattern>.+?)=(?P<function>[A-Za-z_]\w*)(:(?P<options>.*))?", text, re.ASCII | re.DOTALL)
    if match is None or not pattern or not rest:
        name = rest.partition(":")[0]
        problem = f"'{name}' is no name of a C function" if pattern and name else "is not PATTERN=FUNCTION[:...]"
        raise UsageError(f"external '{text}': {problem}", remedy=_FORM)
    function = match["function"]
    if identifier(function) != function:
        raise UsageError(f"external '{text}': '{function}' is no name of a C function", remedy=_FORM)
    wishes = Wishes()
    for option in (match["options"] or "").split(",") if match["options"] is not None else ():
        wishes = _with_option(text, wishes, option.strip())
    return ExternalRequest(text, match["pattern"], function, wishes)


def _with_option(text: str, wishes: Wishes, option: str) -> Wishes:
    key, _, value = option.partition("=")
    match key:
        case "scratch" if value.isdecimal():
            return replace(wishes, scratch=int(value))
        case "align" if value.isdecimal() and is_power_of_two(int(value)):
            return replace(wishes, alignment=int(value))
        case "pool" if value and all(value.split("+")):
            return replace(wishes, pools=tuple(value.split("+")))
        case "device" if value and identifier(value) == value:
            return replace(wishes, device=value)
        case "async" if not value:
            return replace(wishes, asynchronous=True)
        case "align":
            problem = f"alignment '{value}' is no power of two"
        case "scratch":
            problem = f"scratch '{value}' is no number of bytes"
        case "device":
            problem = f"device '{value}' is no name in C"
        case _:
            problem = f"'{option}' is none of scratch=BYTES, align=N, pool=NAME+NAME, device=NAME, async"
    raise UsageError(f"external '{text}': {problem}", remedy=_FORM)
