"""What is dead goes from a module without anything to lower, as xDSL's walker takes it away."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf, test
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.parser import Parser
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

from stillpool.lowering.loops.rewriting import rewrite

START = "%c = arith.constant 0 : index\n%d = arith.constant 1 : index\n%m = memref.alloc() : memref<2xindex>\n"
BODIES = [
    "%x = arith.addi %c, %d : index\n%y = arith.addi %x, %d : index",
    "scf.for %i = %c to %d step %d { %x = memref.load %m[%i] : memref<2xindex> }",
    "scf.for %i = %c to %d step %d { memref.store %i, %m[%i] : memref<2xindex> }",
    'scf.for %i = %c to %d step %d { "test.op"(%i) : (index) -> () }',
    "scf.for %i = %c to %d step %d { scf.for %j = %c to %d step %d { memref.store %i, %m[%j] : memref<2xindex> } }",
    "scf.for %i = %c to %d step %d { scf.for %j = %c to %d step %d { %x = arith.addi %i, %j : index } }",
    "scf.for %i = %c to %d step %d { %a = memref.alloc() : memref<2xindex> }",
    "%r = scf.for %i = %c to %d step %d iter_args(%a = %c) -> (index) { scf.yield %a : index }",
    "%a = memref.alloc() : memref<2xindex>\nmemref.dealloc %a : memref<2xindex>",
    '%x = "test.op"() : () -> index\n%y = "test.pureop"(%x) : (index) -> index',
]


def _module(body: str) -> ModuleOp:
    context = Context()
    for dialect in (Builtin, arith.Arith, func.Func, memref.MemRef, scf.Scf, test.Test):
        context.load_dialect(dialect)
    return Parser(context, f"func.func @f() {{\n{START}{body}\nreturn\n}}\nfunc.func private @g()").parse_module()


@pytest.mark.parametrize("body", BODIES)
def test_what_is_dead_goes_as_with_the_walker(body: str) -> None:
    own, upstream = _module(body), _module(body)
    rewrite(own, (), lambda op: False)
    PatternRewriteWalker(GreedyRewritePatternApplier([]), apply_recursively=False).rewrite_module(upstream)
    assert str(own) == str(upstream)
