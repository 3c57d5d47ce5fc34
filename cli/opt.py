"""`stillpool-opt`: `xdsl-opt` that also reads `.tflite` files, keeps locations and says errors in one line."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import IO

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp
from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from ..documents import read_bytes
from ..errors import InputError, StillpoolError
from ..outside import well_formed
from . import INTERNAL_ERROR, internal_error
from .files import write_whole
from .interrupt import Interrupted, interruptible
from .output import escape_what_cannot_be_written


class _Text(io.StringIO):
    """Text that outlives its stream, which xDSL closes."""

    text = ""

    def close(self) -> None:
        """Keep the text."""
        self.text = self.text if self.closed else self.getvalue()
        super().close()


class StillpoolOpt(xDSLOptMain):
    """Everything that the plugin gives to stock `xdsl-opt`, and what a plugin cannot give: the TFLite importer, and
    operations that remember where they were read.
    """

    reading: FileLineColLoc | None = None
    """Where the operation begins that could not be read, if there is one."""
    _first_line = 1

    def register_all_frontends(self) -> None:
        """Add the importer for `.tflite` files; read MLIR with locations."""
        super().register_all_frontends()
        self.available_frontends["tflite"] = self._import
        self.available_frontends["mlir"] = self._parse

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        """Open the input as xDSL does, by the reader of all files of stillpool.

        Raises:
            InputError: it cannot be read, or is no regular file.
        """
        if self.args.input_file is None:
            return super().get_input_stream()
        path = Path(self.args.input_file)
        return io.BytesIO(read_bytes(path)), path.suffix.removeprefix(".")

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        """Divide the input as xDSL does.

        Raises:
            InputError: the file has a suffix that no frontend knows.
        """
        try:
            return super().prepare_input()
        except ValueError as error:
            known = ", ".join(f".{name}" for name in self.available_frontends)
            name = self.get_input_name()
            raise InputError(f"{name}: unknown kind of file", remedy=f"readable are {known}") from error

    def prepare_output(self) -> IO[str]:
        """Text that `write` writes once all of it is there."""
        self._made = _Text()
        return sys.stdout if self.args.output_file is None else self._made

    def write(self) -> None:
        """Write the output file, if one is asked for: whole, or nothing where the input is refused.

        Raises:
            InputError: the system refuses.
        """
        if self.args.output_file is not None:
            write_whole(Path(self.args.output_file), self._made.text.encode())

    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp | None:
        """Parse a chunk as xDSL does; remember at which line of the file it begins."""
        self._first_line = start_offset + 1
        return super().parse_chunk(chunk, file_extension, start_offset)

    def _import(self, stream: IO[bytes]) -> ModuleOp:
        from ..frontends.tflite import import_tflite

        file: str | None = self.args.input_file
        return import_tflite(stream.read(), well_formed(Path(file).stem) if file else "model")

    def _parse(self, stream: IO[bytes]) -> ModuleOp:
        from ..frontends.mlir import LocatedParser, verify

        self.reading = None
        parser = LocatedParser(self.ctx, stream.read(), well_formed(self.get_input_name()), self._first_line)
        try:
            module = parser.parse_module(not self.args.no_implicit_module)
        finally:
            self.reading = parser.reading
        if not self.args.disable_verify:
            verify(module)
        return module


def main() -> None:
    """Run on the command line's arguments; whatever is wrong with them or with the input is one line."""
    escape_what_cannot_be_written()
    with interruptible():
        try:
            sys.exit(_run())
        except Interrupted as signal:
            sys.exit(signal.exit_code)


def _run() -> int:
    try:
        tool = StillpoolOpt()
    except (ValueError, ArgSpecParseError) as error:
        # How xDSL says that a pass or an option of a pass does not exist.
        return _fail(f"error: --passes: {_last_line(str(error))}", 2)
    try:
        tool.run()
        tool.write()
    except StillpoolError as error:
        return _fail(f"error: {error}", error.exit_code)
    except (DiagnosticException, ParseError) as error:
        from ..frontends.mlir.diagnostics import one_line

        if isinstance(error.__cause__, StillpoolError):
            return _fail(f"error: {error.__cause__}", error.__cause__.exit_code)
        return _fail(one_line(error, tool.reading), 1)
    except UnicodeDecodeError as error:
        return _fail(f"{tool.get_input_name()}: error: not UTF-8 at byte {error.start}", 1)
    except OSError as error:
        return _fail(f"error: cannot open {error.filename}: {error.strerror}", 1)
    except Exception as error:
        from ..frontends.mlir.diagnostics import is_of_input, one_line

        # Some verifiers and parsers of xDSL raise what their authors had at hand.
        if tool.reading is None and not is_of_input(error):
            return _fail("error: " + "; ".join(internal_error(error)), INTERNAL_ERROR)
        return _fail(one_line(error, tool.reading), 1)
    return 0


def _fail(message: str, code: int) -> int:
    print(message, file=sys.stderr)
    return code


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1].strip()
