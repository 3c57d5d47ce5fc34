"""The C texts of one model: the network with its wrapper in one file, the weights in another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import StringIO

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr

from ...dialects import nn_keys
from ...dialects.emitc import FuncOp, GlobalOp, IncludeOp
from ...dialects.operations import all_of
from ...lowering.emit_c.constant_pools import data_name
from ...lowering.emit_c.share_functions import merged_functions
from ...targets.identifiers import unique_identifiers
from ...targets.interfaces.interface import Interface
from ...targets.interfaces.native import comment_text
from ...targets.weights.assembly import assembly
from ...targets.weights.blob import Blob, Part, blob
from ...targets.weights.taken_in import taken_in
from .. import pipeline
from ..models.entry import entry_function
from .compiled import Sources


def c_sources(
    interface: Interface,
    module: ModuleOp,
    pooled: Mapping[str, bytes],
    emit_c: Callable[[ModuleOp], None],
    *,
    is_assembled: bool = False,
) -> Sources:
    """Print the model: `module` is materialised and is consumed, `emit_c` lowers it to `emitc` in place.

    `pooled` are the contents of the constant pools by name. If the constants are to be assembled, they become a file of
    bytes and assembly that takes it in.
    """
    own = _rename(interface, module)
    emit_c(module)
    _drop_pool_data(interface, module)
    header = interface.header()
    _drop_declared(header, module)
    data = _split_data(interface, module, own)
    name = comment_text(interface.model.name)
    # Functions are shared: their comments name every operator that they compute.
    numbers = "/* Numbers behind operators' names are their index in the model file. */\n"
    constants, unfilled, blobs = None, None, dict[Blob, bytes]()
    if not interface.constants_of:
        what = f"/* {name}: the constants. */\n"
        arrays = [op for op in data.ops if isinstance(op, GlobalOp) and op.initial_value is not None]
        if is_assembled and arrays:
            text, blobs = _assembled(interface, arrays)
            constants = what + text
        else:
            constants = what + _text(data)
            for op in arrays:
                op.properties.pop("initial_value")
            unfilled = what + _text(data)
    include = f'#include "{interface.header_name}"\n\n#include <stddef.h>\n'
    return Sources(
        header,
        f"/* {name}: the network. */\n{numbers}{include}{_text(module)}\n{interface.wrapper()}",
        constants,
        unfilled,
        interface.other_headers(pooled),
        blobs,
        merged_functions(module),
    )


def _rename(interface: Interface, module: ModuleOp) -> frozenset[str]:
    """Give the symbols that the linker or the wrapper sees names of this model's own.

    Weights become `<m>_<name>`; the entry function becomes the static `<m>_network` that the wrapper calls.
    Returns the names of tables of this model's plan, which no other model shares.
    """
    entry = entry_function(module)
    constants = [op for op in module.ops if isinstance(op, memref.GlobalOp)]
    functions = [op.sym_name.data for op in module.ops if isinstance(op, func.FuncOp) and op is not entry]
    names = unique_identifiers(
        (f"{_prefix(interface, op)}_{op.sym_name.data}" for op in constants),
        reserved=(*interface.reserved, *functions),
    )
    renamed = {op.sym_name.data: name for op, name in zip(constants, names, strict=True)}
    for op in constants:
        op.properties["sym_name"] = StringAttr(renamed[op.sym_name.data])
    for op in all_of(module, memref.GetGlobalOp):
        op.properties["name"] = SymbolRefAttr(renamed[op.name_.string_value()])
    entry.properties["sym_name"] = StringAttr(interface.network)
    entry.properties["sym_visibility"] = StringAttr("private")
    return frozenset(op.sym_name.data for op in constants if nn_keys.OWN.within(op.attributes))


def _prefix(interface: Interface, constant: memref.GlobalOp) -> str:
    """Prefix of a constant's name."""
    is_own = nn_keys.OWN.within(constant.attributes)
    return interface.model.identifier if is_own else interface.constants_prefix


def _drop_pool_data(interface: Interface, module: ModuleOp) -> None:
    """Take the arrays with the contents of constant pools out of the module: the header holds them."""
    arrays = {data_name(pool.name) for pool in interface.model.constant_pools}
    for op in list(module.body.block.ops):
        if isinstance(op, GlobalOp) and op.sym_name.data in arrays:
            op.detach()
            op.erase()


def _drop_declared(header: str, module: ModuleOp) -> None:
    """Take declarations out of the module that the header has: functions of the application that a run calls."""
    for op in list(module.body.block.ops):
        if isinstance(op, FuncOp) and not op.body.blocks and f"void {op.sym_name.data}(" in header:
            op.detach()
            op.erase()


def _split_data(interface: Interface, module: ModuleOp, own: frozenset[str]) -> ModuleOp:
    """Move the values of the constants, but for those of this model's `own`, into a module of their own; what stays
    declares them `extern`.
    """
    data = ModuleOp([IncludeOp(interface.header_name, is_standard=False)])
    for op in list(module.body.block.ops):
        is_constant = isinstance(op, GlobalOp) and op.initial_value is not None and op.const_specifier is not None
        if isinstance(op, GlobalOp) and is_constant and op.sym_name.data not in own:
            name, type_ = op.sym_name.data, op.type
            declaration = GlobalOp(name, type_, None, extern=True, const=True)
            # C++ gives constants internal linkage unless a declaration says otherwise.
            definition = GlobalOp(name, type_, op.initial_value, const=True)
            definition.attributes.update(op.attributes)
            module.body.block.insert_op_before(declaration, op)
            op.detach()
            op.erase()
            data.body.block.add_ops([GlobalOp(name, type_, None, extern=True, const=True), definition])
    return data


def _assembled(interface: Interface, arrays: Sequence[GlobalOp]) -> tuple[str, dict[Blob, bytes]]:
    """The constants as assembly and the file of bytes that it takes in."""
    taken, file = taken_in(arrays), f"{interface.stem}_data.bin"
    parts = [Part(array.name, array.offset, array.bytes) for array in taken.arrays]
    text = assembly(file, f"{interface.stem.upper()}_DATA_BIN", taken.arrays)
    return text, {blob(file, taken.data, taken.alignment, parts): taken.data}


def _text(module: ModuleOp) -> str:
    stream = StringIO()
    pipeline.print_c(module, stream)
    return stream.getvalue()
