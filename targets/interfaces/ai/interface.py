"""The `ai` interface: its header, what stands behind it, and how C programs call it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from ..caller import Caller
from .caller import AiCaller
from .glue import glue
from .header import header
from .naming import AiNames

RUNTIME = "ai_runtime_api.h"
"""The header that all models share."""


@dataclass(frozen=True)
class Ai(AiNames):
    """A description seen through `ai_runtime_api.h`."""

    def header(self) -> str:
        return header(self)

    shared_headers = frozenset({RUNTIME})

    def other_headers(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        runtime = files(__package__ or "").joinpath(RUNTIME).read_text(encoding="utf-8")
        return {RUNTIME: runtime, **super().other_headers(contents)}

    def wrapper(self) -> str:
        return glue(self)

    @property
    def caller(self) -> Caller:
        return AiCaller(self)
