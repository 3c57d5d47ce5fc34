"""Entry functions that take an input row by row become functions that run from one row to the next."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, IndexType, MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import PassFailedException

from ....dialects.pool import keys
from ....dialects.pool.extent import buffer_bytes
from ...byte_views import drop_unused
from ..layout import RowLayout
from .calls import SETUP, Place, Run, whole_run
from .rewrite import Rolled, Stages


def streamed_argument(entry: func.FuncOp) -> BlockArgument | None:
    """The input that the application hands over row by row, if there is one."""
    given = entry.arg_attrs or []
    for argument, attributes in zip(entry.body.block.args, given, strict=True) if given else ():
        if keys.STREAMED.within(attributes.data):
            return argument
    return None


def roll_streamed(module: ModuleOp, entry: func.FuncOp, argument: BlockArgument) -> Run:
    """Let the function run one stage: from the copy of a row of `argument`, which becomes one row, up to the next one.

    Its last argument is the number of the row.

    Raises:
        PassFailedException: it does more than to call operators, so that it cannot be left and entered again.
    """
    run = whole_run(entry.body.block)
    copies = [] if run is None else _copies(run, argument)
    type = argument.type
    assert isinstance(type, MemRefType), "inputs are memrefs"
    layout = RowLayout.of(type)
    if run is None or layout is None or [row for _, row in copies] != list(range(layout.rows)):
        raise PassFailedException(
            f"@{entry.sym_name.data} cannot take its input row by row: it does more than to call operators"
        )
    block = entry.body.block
    number = block.insert_arg(IndexType(), len(block.args))
    number.name_hint = "row"
    begins = [0, *(step for step, _ in copies[1:]), len(run.order)]
    Rolled(module, entry, run, Stages(number, begins, argument)).emit()
    drop_unused(block, *SETUP)
    _set_types(entry, argument, layout.row_type(type))
    return run


def _copies(run: Run, argument: BlockArgument) -> list[tuple[int, int]]:
    """Calls that read the argument, with the row that each copies."""
    found: list[tuple[int, int]] = []
    for step, (kind, turn) in enumerate(run.order):
        places = [place for place in run.kinds[kind].places if place is not None]
        for place, offset in zip(places, run.kinds[kind].offsets[turn], strict=True):
            if isinstance(place, Place) and place.root is argument:
                found.append((step, offset // buffer_bytes(place.type)))
    return found


def _set_types(entry: func.FuncOp, argument: BlockArgument, row: MemRefType[Attribute]) -> None:
    block = entry.body.block
    attributes = list(entry.arg_attrs or [DictionaryAttr({})] * (len(block.args) - 1))
    entry.properties["arg_attrs"] = ArrayAttr([*attributes, DictionaryAttr(keys.STAGE.item(True))])
    Rewriter.replace_value_with_new_type(argument, row)
    types = [each.type for each in block.args]
    entry.properties["function_type"] = FunctionType.from_lists(types, entry.function_type.outputs.data)
