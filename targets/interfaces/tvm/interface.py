"""TVM's interface: the native one under other names, and headers of TVM's runtime."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from .header import forwarder, macros
from .naming import RUNTIME, TvmNames


@dataclass(frozen=True)
class Tvm(TvmNames):
    """A description seen through TVM's interface."""

    def extra_macros(self) -> str:
        return macros(self)

    def other_headers(self, contents: Mapping[str, bytes]) -> dict[str, str]:
        folder = files(__package__ or "").joinpath("include")
        runtime = {name: folder.joinpath(name).read_text(encoding="utf-8") for name in RUNTIME}
        return {f"{self.stem}.h": forwarder(self), **runtime, **super().other_headers(contents)}
