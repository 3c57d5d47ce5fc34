"""How the entry functions of one module, each a model, use the pools that they share.

The module's attribute `pool.concurrency` says it, `exclusive` unless it is there:
`exclusive`: one runs at a time, in any order; what one leaves in a pool (but for state) the next may overwrite.
`concurrent`: any may run while others do; no byte belongs to two of them.
`pipeline`: they run in the order of the module, again and again. Buffers with the same `pool.shared` text are one
buffer: an output of one model that is an input of the next, in place.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.utils.exceptions import PassFailedException
from xdsl.utils.str_enum import StrEnum

ATTRIBUTE = "pool.concurrency"
SHARED = "pool.shared"


class Concurrency(StrEnum):
    """When the entry functions run."""

    EXCLUSIVE = "exclusive"
    CONCURRENT = "concurrent"
    PIPELINE = "pipeline"


def concurrency(module: ModuleOp) -> Concurrency:
    """What the module declares.

    Raises:
        PassFailedException: it declares something else.
    """
    declared = module.attributes.get(ATTRIBUTE, StringAttr(Concurrency.EXCLUSIVE))
    for known in Concurrency:
        if isinstance(declared, StringAttr) and declared.data == known.value:
            return known
    raise PassFailedException(f"{ATTRIBUTE} must be one of {', '.join(Concurrency)}, not {declared}")


def shared_name(alloc: memref.AllocOp) -> str | None:
    """The name under which allocs of several functions are one buffer."""
    name = alloc.attributes.get(SHARED)
    return name.data if isinstance(name, StringAttr) else None
