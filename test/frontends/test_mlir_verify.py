"""Modules that xDSL verifies and MLIR does not, or that no application could call: one line with the place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import stillpool
from stillpool.cli import main, opt

CASES = Path(__file__).parents[3] / "shared/cases/hostile"
SHARED = {
    "br": (1, "br.mlir:1:1: 'func.func' op in @main has several blocks"),
    "dom": (1, "dom.mlir:3:3: 'memref.store' op uses %l, which is not computed before"),
    "f16": (5, "f16.mlir: @f: argument 0 is f16, result 0 is f16; inputs and outputs are"),
    "hugec": (1, "hugec.mlir:2:3: 'arith.constant' op index 111111111111111111111 takes more than 64 bits"),
    "mlir_1177": (1, "'func.call' op uses %b, which is not computed before"),
    "mlir_1605": (1, "'memref.alloc' op has a place in a pool already; give what --emit memref prints"),
    "mlir_1736": (1, "'memref.get_global' op has type memref<8x2xi8>, but @row_b has memref<8xi32>"),
    "mlir_1859": (1, "'arith.constant' op index 9223372036854775808 takes more than 64 bits"),
    "mlir_1984": (1, "'memref.global' op @weights has type memref<8xmemref<"),
    "mlir_3434": (1, 'argument 1: pool.io must be one of "input", "output", not "int"'),
    "mlir_3876": (1, "'func.func' op @f calls itself"),
    "mlir_3916": (1, "'memref.store' op uses %e, which is not computed before"),
}
LAYOUT = "memref<4x4xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>"
TEXTS: Mapping[str, tuple[str, int, str]] = {
    "later block": (
        "func.func @f(%x: memref<i32>, %c: i1) {\n  cf.cond_br %c, ^bb1, ^bb2\n^bb1:\n"
        "  %a = memref.load %x[] : memref<i32>\n"
        "  cf.br ^bb2\n^bb2:\n  memref.store %a, %x[] : memref<i32>\n  return\n}\n",
        1,
        "hostile.mlir:7:3: 'memref.store' op uses %a, which is not computed before",
    ),
    "bf16 in memory": ("func.func @f(%x: memref<4xbf16>) {\n  return\n}\n", 5, "@f: argument 0 is memref<4xbf16>"),
    "library function": (
        "func.func private @memset(memref<4xi32>)\n"
        "func.func @f(%x: memref<4xi32>) {\n  call @memset(%x) : (memref<4xi32>) -> ()\n  return\n}\n",
        1,
        "hostile.mlir:1:1: 'func.func' op @memset is a function of the C library, of another type than",
    ),
    "no global": (
        "func.func @f(%x: memref<i32>) {\n  %w = memref.get_global @w : memref<i32>\n  return\n}\n",
        1,
        "hostile.mlir:2:3: 'memref.get_global' op @w is no memref.global of this module",
    ),
    "input that is a buffer": (
        "func.func @f() {\n  %x = memref.alloc() {pool.kind = #pool.kind<input>} : memref<4xi8>\n  return\n}\n",
        1,
        "hostile.mlir: 'memref.alloc' op is an input that is a buffer already; give what --emit memref prints of one",
    ),
    "semi-affine layout": (
        f"func.func @f(%x: {LAYOUT}) {{\n  return\n}}\n",
        1,
        "hostile.mlir:1:1: Multiplication with non-constant (semi-affine)",
    ),
}


def compiled(file: Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["compile", str(file), "--emit", "c"])
    return done.exit_code, done.stderr


@pytest.mark.parametrize("name", SHARED)
def test_shared_cases(name: str) -> None:
    if not CASES.is_dir():
        pytest.skip("the shared cases are not here")
    code, message = compiled(CASES / f"{name}.mlir")
    assert (code, message.count("\n")) == (SHARED[name][0], 1), message
    assert SHARED[name][1] in message


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str, tmp_path: Path) -> None:
    text, code, words = TEXTS[name]
    file = tmp_path / "hostile.mlir"
    file.write_text(text)
    found, message = compiled(file)
    assert (found, message.count("\n")) == (code, 1), message
    assert words in message


def test_a_value_of_a_block_that_comes_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "blocks.mlir"
    file.write_text(
        "func.func @f(%x: memref<i32>) {\n  %a = memref.load %x[] : memref<i32>\n  cf.br ^bb1\n"
        "^bb1:\n  memref.store %a, %x[] : memref<i32>\n  return\n}\n"
    )
    monkeypatch.setattr("sys.argv", ["stillpool-opt", str(file), "-o", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as left:
        opt.main()
    assert left.value.code == 0


def test_functions_of_the_library_keep_their_type(tmp_path: Path) -> None:
    file = tmp_path / "sine.mlir"
    file.write_text(
        "func.func private @sinf(f32) -> f32\nfunc.func private @pow(f64, f64) -> f64\n"
        "func.func @f(%x: f32, %y: f64) -> f32 {\n  %s = call @sinf(%x) : (f32) -> f32\n"
        "  %p = call @pow(%y, %y) : (f64, f64) -> f64\n  return %s : f32\n}\n"
    )
    code, message = compiled(file)
    assert code == 0, message


def test_index_arguments_are_whole_numbers(tmp_path: Path) -> None:
    file = tmp_path / "at.mlir"
    file.write_text(
        "func.func @at(%k: index, %a: memref<4xi8>) -> (i8, index) {\n  %c = arith.constant 1 : index\n"
        "  %v = memref.load %a[%k] : memref<4xi8>\n  %n = arith.addi %k, %c : index\n  return %v, %n : i8, index\n}\n"
    )
    given = {"k": np.array(2, np.int32), "a": np.array([5, 6, 7, 8], np.int8)}
    outputs = stillpool.compile(file).run(given)
    assert (outputs["result_0"], outputs["result_1"]) == (7, 3)


def test_two_functions_share_what_they_declare(tmp_path: Path) -> None:
    file = tmp_path / "two.mlir"
    body = (
        "(%a: memref<4xi32>, %b: memref<4xi32>) {\n  memref.copy %a, %b : memref<4xi32> to memref<4xi32>\n  return\n}\n"
    )
    file.write_text(f"pool.declare @sram workspace\nfunc.func @f{body}func.func @g{body}")
    for options in ([], ["--workspace-pool", "sram:size=1K"]):
        done = CliRunner().invoke(main, ["compile", str(file), "-o", str(tmp_path / "out"), *options])
        assert done.exit_code == 0, done.stderr
    assert (tmp_path / "out/include/two_g.h").exists()
