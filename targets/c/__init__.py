"""The target `c`: `emitc` modules as C99 text. Printing only; every decision is in the IR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from .statements import Statements, module_symbols


@dataclass(frozen=True)
class CTarget(Target):
    """Print an `emitc` module as C99."""

    name: ClassVar[str] = "c"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        Statements(output, module_symbols(module)).statement(module)
