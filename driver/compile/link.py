"""Several models in one module, so that their memory is planned together; and each of them out of it again.

Symbols of a model get its identifier and a dot before their names; functions without a body are everybody's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.operations import all_of, operations
from ...dialects.pool import keys
from ...dialects.pool.attributes import Kind
from ...dialects.pool.declare import DeclareOp
from ...errors import InputError
from .symbols import make_way, rename


@dataclass(frozen=True)
class Part:
    """One model of several."""

    identifier: str
    constants_of: str
    """Identifier of the model whose constants it uses: its own, or that of another instance of the same model."""


def link(parts: Sequence[tuple[Part, ModuleOp]], concurrency: str) -> ModuleOp:
    """One module of all models, in order; the modules are consumed.

    Raises:
        InputError: two models declare one pool or external function in different ways.
    """
    linked = ModuleOp([], keys.CONCURRENCY.item(keys.Concurrency(concurrency)))
    declared: dict[str, Operation] = {}
    for part, module in parts:
        rename(
            module,
            {
                op.sym_name.data: f"{_prefix(part, op)}.{op.sym_name.data}"
                for op in module.ops
                if isinstance(op, func.FuncOp | memref.GlobalOp) and not _is_external(op)
            },
        )
        for op in list(module.body.block.ops):
            op.detach()
            if isinstance(op, func.FuncOp | memref.GlobalOp | DeclareOp):
                name = op.sym_name.data
                if name in declared:
                    if not isinstance(op, memref.GlobalOp) and not op.is_structurally_equivalent(declared[name]):
                        raise InputError(f"model '{part.identifier}' declares @{name} otherwise than a model before it")
                    op.erase()
                    continue
                declared[name] = op
            linked.body.block.add_op(op)
    return linked


def unlink(linked: ModuleOp, part: Part) -> ModuleOp:
    """The module of one model: its functions and constants under their own names, and its pools.

    Those are all workspace pools that runs share, whether the plan uses them or not, for every model is called in the
    same way; state and constants of other models are not its business.
    """
    module = ModuleOp([])
    names: dict[str, str] = {}
    for op in linked.body.block.ops:
        if isinstance(op, func.FuncOp | memref.GlobalOp) and not _is_external(op):
            prefix, name = f"{_prefix(part, op)}.", op.sym_name.data
            if not name.startswith(prefix):
                continue
            names[name] = name.removeprefix(prefix)
        module.body.block.add_op(op.clone())
    rename(module, names)
    make_way(module, [op.sym_name.data for op in module.ops if isinstance(op, DeclareOp)])
    called = {op.callee.string_value() for op in all_of(module, func.CallOp)}
    for op in list(module.body.block.ops):
        if isinstance(op, func.FuncOp) and op.is_declaration and op.sym_name.data not in called:
            op.detach()
            op.erase()
    used = {keys.ASSIGNED.get(op.attributes) for op in operations(module)}
    for op in list(module.body.block.ops):
        own = isinstance(op, DeclareOp) and (op.persistent is not None or op.kind.data is Kind.CONSTANT)
        if isinstance(op, DeclareOp) and own and op.sym_name.data not in used:
            op.detach()
            op.erase()
    return module


def _prefix(part: Part, op: func.FuncOp | memref.GlobalOp) -> str:
    return part.constants_of if isinstance(op, memref.GlobalOp) else part.identifier


def _is_external(op: func.FuncOp | memref.GlobalOp) -> bool:
    """Whether the linker knows the symbol under this name."""
    return isinstance(op, func.FuncOp) and op.is_declaration
