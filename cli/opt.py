"""`stillpool-opt`: `xdsl-opt` that also reads `.tflite` files."""

from __future__ import annotations

import sys
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.xdsl_opt_main import xDSLOptMain

from ..errors import StillpoolError


class StillpoolOpt(xDSLOptMain):
    """Everything that the plugin gives to stock `xdsl-opt`, and the TFLite importer, which a plugin cannot give."""

    def register_all_frontends(self) -> None:
        """Add the importer for `.tflite` files."""
        super().register_all_frontends()
        self.available_frontends["tflite"] = self._import

    def _import(self, stream: IO[bytes]) -> ModuleOp:
        from pathlib import Path

        from ..frontends.tflite import import_tflite

        file: str | None = self.args.input_file
        return import_tflite(stream.read(), Path(file).stem if file else "model")


def main() -> None:
    """Run on the command line's arguments; a wrong model ends with its exit code and one line."""
    try:
        StillpoolOpt().run()
    except StillpoolError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
