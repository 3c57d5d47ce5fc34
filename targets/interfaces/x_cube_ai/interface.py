"""The `x-cube-ai` interface: its headers, what stands behind them, and how C programs call it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from ...identifiers import macro_stem
from ..caller import Caller
from ..native import Native
from .caller import XCubeAiCaller
from .glue import glue
from .header import data_header, header
from .naming import XCubeAiNames

SHARED = ("ai_platform.h", "stai.h", "stillpool_st.h")
"""Headers that lie beside this file."""
NAMES = "ai_datatypes_defines.h"
"""A header that ST's applications include too; it has nothing of its own here."""


@dataclass(frozen=True)
class XCubeAi(XCubeAiNames):
    """A description seen through ST's API."""

    shared_headers = frozenset({*SHARED, NAMES})

    def header(self) -> str:
        return header(self)

    def other_headers(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        shared = {name: files(__package__ or "").joinpath(name).read_text(encoding="utf-8") for name in SHARED}
        guard = f"STILLPOOL_{macro_stem(NAMES.removesuffix('.h'))}_H"
        names = f'#ifndef {guard}\n#define {guard}\n\n#include "ai_platform.h"\n\n#endif /* {guard} */\n'
        own = {f"{self.stem}_data.h": data_header(self), f"{self.stem}_data_params.h": self._params_header()}
        return {**shared, NAMES: names, **own, **Native.other_headers(self, contents)}

    def _params_header(self) -> str:
        return f'#include "{self.stem}_data.h"\n'

    def wrapper(self) -> str:
        return glue(self)

    @property
    def caller(self) -> Caller:
        return XCubeAiCaller(self)
