"""xDSL's parser, with locations: every operation remembers the line and column at which it was read.

`mlir-opt` does so by itself. xDSL 0.74 keeps only what the text says in `loc(...)`, which goes before.
"""

from __future__ import annotations

from bisect import bisect_right

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError


class LocatedParser(Parser):
    """Parse MLIR text of a file called `name` whose first line is line `first_line` of that file.

    Raises (from its methods):
        ParseError: the text is malformed.
        VerifyException: an attribute or a type in it is not allowed; `reading` says where.
        UnicodeDecodeError: the bytes are no UTF-8.
    """

    def __init__(self, ctx: Context, input: str | bytes, name: str = "<unknown>", first_line: int = 1) -> None:
        super().__init__(ctx, input, name)
        text = self.lexer.input.content
        self._name = StringAttr(name)
        self._first_line = first_line
        self._starts = [0, *(index + 1 for index, character in enumerate(text) if character == "\n")]
        self.reading: FileLineColLoc | None = None
        """Where the operation begins that could not be read, after any error but a `ParseError`, which knows."""

    def parse_operation(self) -> Operation:
        """Parse as xDSL does; give operations without a location that of their first character."""
        begin = self._current_token.span.start
        try:
            op = super().parse_operation()
        except ParseError:
            raise
        except Exception:
            self.reading = self.reading or self._place(begin)
            raise
        if isinstance(op.location, UnknownLoc):
            op.location = self._place(begin)
        return op

    def _place(self, position: int) -> FileLineColLoc:
        row = bisect_right(self._starts, position) - 1
        return FileLineColLoc(self._name, IntAttr(row + self._first_line), IntAttr(position - self._starts[row] + 1))
