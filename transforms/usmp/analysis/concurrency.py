"""How the entry functions of one module, each a model, use the pools that they share.

The module's attribute `pool.concurrency` says it, `exclusive` unless it is there:
`exclusive`: one runs at a time, in any order; what one leaves in a pool (but for state) the next may overwrite.
`concurrent`: any may run while others do; no byte belongs to two of them.
`pipeline`: they run in the order of the module, again and again. Buffers with the same `pool.shared` text are one
buffer: an output of one model that is an input of the next, in place.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp

from ....dialects.pool import keys
from ....dialects.pool.keys import Concurrency


def concurrency(module: ModuleOp) -> Concurrency:
    """Concurrency that the module declares."""
    return keys.CONCURRENCY.get(module.attributes) or Concurrency.EXCLUSIVE


def shared_name(alloc: memref.AllocOp) -> str | None:
    """The name under which allocs of several functions are one buffer."""
    return keys.SHARED.get(alloc.attributes)
