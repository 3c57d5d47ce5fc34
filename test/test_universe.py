"""What stock `xdsl-opt` finds is there when it is needed, and not before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FILES = Path(__file__).parent / "transforms"

LOADED = """
import sys
from stillpool.cli.opt import StillpoolOpt
tool = StillpoolOpt(args=["-p", "nn-channels", "--split-input-file", sys.argv[1]])
tool.run()
late = [name for name in sys.argv[2:] if name in sys.modules]
print("loaded:", *late, file=sys.stderr)
"""
READ = """
import sys
from xdsl.context import Context
from xdsl.parser import Parser
from xdsl.universe import Universe
context = Context()
for name, factory in Universe.get_multiverse().all_dialects.items():
    context.register_dialect(name, factory)
module = Parser(context, sys.stdin.read()).parse_module()
module.verify()
print(*(op.name for op in module.walk()))
"""
TEXTS = {
    "affine.max": "func.func @f(%i: index) { %x = affine.max affine_map<(d0) -> (d0, 1)> (%i) func.return }",
    "arith.trunci": "func.func @f(%x: vector<4xi32>) { "
    "%y = arith.trunci %x overflow<nsw> : vector<4xi32> to vector<4xi8> func.return }",
    "memref.rank": "func.func @f(%x: memref<4xi8>) { %r = memref.rank %x : memref<4xi8> func.return }",
    "scf.for": "func.func @f(%i: index) { scf.for unsigned %j = %i to %i step %i { } func.return }",
    "vector.step": "func.func @f() { %x = vector.step : vector<4xindex> func.return }",
    "emitc.expression": "emitc.func @f(%x: i32) -> i32 { %y = emitc.expression %x : (i32) -> i32 { "
    "%z = emitc.add %x, %x : (i32, i32) -> i32 emitc.yield %z : i32 } emitc.return %y : i32 }",
}


def ran(program: str, *arguments: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False)


def test_a_file_of_nn_loads_no_other_dialects() -> None:
    others = [f"xdsl.dialects.{name}" for name in ("emitc", "tosa", "affine", "scf")]
    done = ran(LOADED, FILES / "nn" / "channels.mlir", *others, "stillpool.dialects.task", "stillpool.dialects.simd")
    assert done.stderr == "loaded:\n", done.stderr


@pytest.mark.parametrize("name", TEXTS)
def test_additions_are_there_when_a_dialect_is_loaded(name: str) -> None:
    done = ran(READ, given=TEXTS[name])
    assert done.returncode == 0, done.stderr
    assert name in done.stdout.split()
