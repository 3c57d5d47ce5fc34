"""The entry function of a model's module, and what its inputs and outputs are called."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.ir import Attribute

from ...dialects import nn_keys
from ...dialects.pool import keys
from ...targets.interfaces.description import Side
from ...transforms.usmp.analysis.structure import entries


def entry_function(module: ModuleOp) -> func.FuncOp:
    """The model's function: the public one with a body."""
    found = entries(module)
    assert len(found) == 1, f"a module of one model has one public function, not {len(found)}"
    return found[0]


def tensor_names(module: ModuleOp, side: Side) -> Sequence[str]:
    """Names of the inputs or outputs in order: distinct, whatever the module says.

    The name of an argument or result is its `nn.name`; without one it is `input_<i>` or `output_<i>`, counted by
    position on its side. Names that are taken get a number behind.
    """
    entry = entry_function(module)
    arguments = attributes_of(entry.arg_attrs, len(entry.function_type.inputs))
    results = attributes_of(entry.res_attrs, len(entry.function_type.outputs))
    # On memrefs outputs are arguments too, and those that the module calls outputs say so.
    chosen = [given for given in arguments if _side(given) == side] + (results if side == "output" else [])
    given = [nn_keys.NAME.get(one) or "" for one in chosen]
    taken, names = set(given), list[str]()
    for index, name in enumerate(given):
        base = candidate = name or f"{side}_{index}"
        number = 2
        # The first of several has the name that they share.
        while candidate in names or (candidate in taken and candidate != name):
            candidate, number = f"{base}_{number}", number + 1
        names.append(candidate)
    return names


def name_tensors(module: ModuleOp) -> None:
    """Write the names that `tensor_names` gives on the module: from here on every input and output is known by its own.

    What lies in a pool is found again by its name once arguments have become buffers.
    """
    entry = entry_function(module)
    names = {side: iter(tensor_names(module, side)) for side in ("input", "output")}

    def named(given: dict[str, Attribute], side: Side) -> DictionaryAttr:
        return DictionaryAttr(given | nn_keys.NAME.item(next(names[side])))

    arguments = attributes_of(entry.arg_attrs, len(entry.function_type.inputs))
    results = attributes_of(entry.res_attrs, len(entry.function_type.outputs))
    if arguments:
        entry.properties["arg_attrs"] = ArrayAttr(named(given, _side(given)) for given in arguments)
    if results:
        entry.properties["res_attrs"] = ArrayAttr(named(given, "output") for given in results)


def attributes_of(attributes: ArrayAttr[DictionaryAttr] | None, count: int) -> list[dict[str, Attribute]]:
    """Attributes of each of `count` arguments or results."""
    return [{} for _ in range(count)] if attributes is None else [dict(entry.data) for entry in attributes]


def _side(attributes: dict[str, Attribute]) -> Side:
    return "output" if keys.IO.get(attributes) is keys.Side.OUTPUT else "input"


_DTYPES = {
    "i1": "bool",
    "i8": "int8",
    "si8": "int8",
    "ui8": "uint8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "f32": "float32",
    "f64": "float64",
}


def dtype_of(element: Attribute) -> str | None:
    """Name of an element type of inputs and outputs, as numpy has it; None where C has no such type."""
    return _DTYPES.get(str(element))
