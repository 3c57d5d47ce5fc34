"""Formats that are read late: all of them can be, and what is wrong in one is said when it is used."""

from __future__ import annotations

from io import StringIO

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import i32
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def
from xdsl.printer import Printer
from xdsl.utils.exceptions import PyRDLOpDefinitionError

from stillpool.dialects.formats import LateFormat
from stillpool.universe import UNIVERSE


@pytest.mark.parametrize("dialect", sorted(UNIVERSE.all_dialects))
def test_every_format_can_be_read(dialect: str) -> None:
    for operation in UNIVERSE.all_dialects[dialect]().operations:
        definition = operation.get_irdl_definition() if issubclass(operation, IRDLOperation) else None
        if definition is not None and definition.assembly_format is not None:
            assert LateFormat(definition.assembly_format, definition).stmts


def test_a_wrong_format_is_told_of_when_it_is_used() -> None:
    @irdl_op_definition
    class Wrong(IRDLOperation):
        name = "test.wrong"
        given = operand_def(i32)
        assembly_format = "$taken attr-dict"

    made = Wrong(operands=[test.TestOp(result_types=[i32])])
    with pytest.raises(PyRDLOpDefinitionError, match="assembly format"):
        Printer(StringIO()).print_op(made)
