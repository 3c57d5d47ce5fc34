"""Private functions and constants that no public function comes to: C compilers warn of them."""

from __future__ import annotations

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.rewriter import Rewriter

from ...dialects.operations import operations
from .constant_pools import is_pooled

_Symbol = func.FuncOp | memref.GlobalOp


def drop_unused(module: ModuleOp) -> None:
    """Erase them, as MLIR's `symbol-dce` does; a module without a public function is a library of private ones."""
    symbols = {op.sym_name.data: op for op in module.ops if isinstance(op, _Symbol)}
    public = [op for op in symbols.values() if op.sym_visibility != StringAttr("private")]
    if not any(isinstance(op, func.FuncOp) for op in public):
        return
    used = {op.sym_name.data for op in public}
    waiting = list[_Symbol](public)
    while waiting:
        for op in operations(waiting.pop()):
            name = _named(op)
            if name in symbols and name not in used:
                used.add(name)
                waiting.append(symbols[name])
    for name, op in symbols.items():
        is_declaration = isinstance(op, func.FuncOp) and not op.body.blocks
        is_pool = isinstance(op, memref.GlobalOp) and is_pooled(op)
        if name not in used and not is_declaration and not is_pool:
            Rewriter.erase_op(op, safe_erase=False)


def _named(op: object) -> str | None:
    """The symbol that an operation uses."""
    match op:
        case func.CallOp():
            return op.callee.string_value()
        case memref.GetGlobalOp():
            return op.name_.string_value()
        case _:
            return None
