"""Descriptions and networks written by hand: the interface without the compiler."""

from __future__ import annotations

from stillpool.targets.interfaces.description import Argument, Buffer, Constants, Description, Pool, Tensor
from stillpool.targets.interfaces.interface import Interface
from stillpool.targets.interfaces.native import Native
from stillpool.targets.projects import directory

INCREMENT = """\
#include "{header}"
#include <stddef.h>

/* Adds one to every value; scratch first so that the pool is really used. */
static void {m}_network({parameters})
{{
    int8_t *scratch = workspace + 64;
    int32_t i;
    for (i = 0; i < 6; ++i) {{
        scratch[i] = {source}[i];
    }}
    for (i = 0; i < 6; ++i) {{
        {target}[i] = (int8_t)(scratch[i] + 1);
    }}
}}

"""


def native(*, inside: str = "", builtin: bool = False) -> Native:
    """A model that adds one to 2x3 int8 values; `inside` says which sides lie in the workspace."""
    pool = Pool("workspace", "workspace", "workspace", 128, 16, None, 128, "exact", True)
    placed = {side: {"pool": "workspace", "offset": offset} for side, offset in (("input", 0), ("output", 32))}
    give = Tensor(
        "serving/x:0", "serving_x_0", "int8", (2, 3), (0.5,), (-3,), **placed["input"] if "i" in inside else {}
    )
    take = Tensor("y", "y", "int8", (2, 3), (0.25,), (4,), **placed["output"] if "o" in inside else {})
    arguments = [Argument(side, 0) for side, letter in (("input", "i"), ("output", "o")) if letter not in inside]
    model = Description(
        "plus one",
        "plus_one",
        (give,),
        (take,),
        (pool,),
        (Buffer("scratch", "scratch", "workspace", 64, 6, 0, 0),),
        (),
        (*arguments, Argument("pool", 0)),
        Constants(),
    )
    return Native(model, builtin)


def code(made: Interface) -> dict[str, bytes]:
    """The C files of that model."""
    model = made.model
    kinds = {"input": "const int8_t *given", "output": "int8_t *taken", "pool": "int8_t *workspace"}
    source = INCREMENT.format(
        m=made.stem,
        header=made.header_name,
        parameters=", ".join(kinds[argument.kind] for argument in model.arguments),
        source="given" if model.caller_owned("input") else "workspace",
        target="taken" if model.caller_owned("output") else "(workspace + 32)",
    )
    headers = {made.header_name: made.header(), **made.other_headers({})}
    return directory.code(made, headers, source + made.wrapper(), f'#include "{made.header_name}"\n')
