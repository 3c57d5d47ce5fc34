"""The native interface: its names, and what is printed with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..caller import Caller
from .caller import NativeCaller
from .header import constants_header, header
from .naming import NativeNames
from .wrapper import wrapper


@dataclass(frozen=True)
class Native(NativeNames):
    """A description seen through the native interface."""

    def header(self) -> str:
        return header(self)

    def other_headers(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        return {f"{self.stem}_constants.h": constants_header(self, contents)} if self.has_constants_header else {}

    def wrapper(self) -> str:
        return wrapper(self)

    @property
    def caller(self) -> Caller:
        return NativeCaller(self)
