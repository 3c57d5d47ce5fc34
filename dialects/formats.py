"""Assembly formats that are read when an operation is first printed or parsed, not when its class is made.

xDSL 0.74 reads all of them at import: a quarter of what the dialects take then. A compilation uses few.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from xdsl.irdl import OpDef
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.utils.exceptions import ParseError, PyRDLOpDefinitionError

_read = FormatProgram.from_str


class LateFormat(FormatProgram):
    """A format that is still text.

    Raises:
        PyRDLOpDefinitionError: at its first use, where the text is wrong.
    """

    def __init__(self, input: str, op_def: OpDef):
        # What is added to a definition later is no part of its format.
        now = replace(
            op_def,
            operands=[*op_def.operands],
            results=[*op_def.results],
            properties={**op_def.properties},
            attributes={**op_def.attributes},
        )
        object.__setattr__(self, "_read", partial(_read, input, now))

    def __getattr__(self, name: str) -> Any:
        if name != "stmts":
            raise AttributeError(name)
        try:
            found = self._read().stmts
        except ParseError as error:
            raise PyRDLOpDefinitionError("Error during the parsing of the assembly format: ", error.args) from error
        object.__setattr__(self, name, found)
        return found


FormatProgram.from_str = staticmethod(LateFormat)
