"""Declaring the user's pools in a module."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from ...dialects.pool.declare import DeclareOp
from ...transforms.usmp.placing.assign_pools import DEFAULT_POOL, STATE_POOL
from ..options.pool_spec import PoolSpec
from .symbols import make_way


def declare_pools(module: ModuleOp, pools: Sequence[PoolSpec]) -> None:
    """Put the declarations of pools before everything else.

    They replace the module's own pools of these names. Functions and constants get another name where they are called
    as one of them, or as a pool that the planner declares.
    """
    block = module.body.block
    declared = [spec.declare() for spec in pools]
    names = {pool.sym_name for pool in declared}
    for op in [op for op in module.ops if isinstance(op, DeclareOp) and op.sym_name in names]:
        op.detach()
        op.erase()
    make_way(module, [DEFAULT_POOL, STATE_POOL, *(pool.sym_name.data for pool in declared)])
    if block.first_op is None:
        block.add_ops(declared)
    else:
        block.insert_ops_before(declared, block.first_op)
