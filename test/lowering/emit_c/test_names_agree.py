"""Functions, globals, arguments and values that bear names of C, its library and its headers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Check = Callable[..., None]

PUBLIC = """
"memref.global"() <{sym_name = "memset", sym_visibility = "private", type = memref<4xi32>, constant,
  initial_value = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> ()
"memref.global"() <{sym_name = "INT32_MAX", sym_visibility = "private", type = memref<4xi32>, constant,
  initial_value = dense<[5, 6, 7, 8]> : tensor<4xi32>}> : () -> ()

func.func @sqrtf(%x: f32) -> f32 {
  %y = math.sqrt %x : f32
  func.return %y : f32
}
func.func private @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  func.return %y : f32
}
func.func @expf(%x: f32) -> f32 {
  %y = func.call @exp(%x) : (f32) -> f32
  func.return %y : f32
}
func.func @int(%memmove: memref<4xf32>, %uint8_t: i32) {
  %c1 = arith.constant 1 : index
  %x = memref.load %memmove[%c1] : memref<4xf32>
  %expf = func.call @sqrtf(%x) : (f32) -> f32
  %sqrtf = func.call @expf(%expf) : (f32) -> f32
  memref.store %sqrtf, %memmove[%c1] : memref<4xf32>
  func.return
}
func.func @entry(%NAN: memref<4xf32>, %memmove: memref<4xf32>, %int32_t: memref<4xi32>) {
  %NULL = arith.constant 0 : index
  %INT64_MIN = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : i32
  "memref.copy"(%NAN, %memmove) : (memref<4xf32>, memref<4xf32>) -> ()
  func.call @int(%memmove, %c5) : (memref<4xf32>, i32) -> ()
  %memset = memref.get_global @memset : memref<4xi32>
  %signbit = memref.get_global @INT32_MAX : memref<4xi32>
  scf.for %bool = %NULL to %INT64_MIN step %c1 {
    %maximum = memref.load %NAN[%bool] : memref<4xf32>
    %exp = memref.load %memmove[%bool] : memref<4xf32>
    %INFINITY = arith.maximumf %maximum, %exp : f32
    %expf = math.exp %INFINITY : f32
    memref.store %expf, %memmove[%bool] : memref<4xf32>
    %INT8_C = memref.load %memset[%bool] : memref<4xi32>
    %linux = memref.load %signbit[%bool] : memref<4xi32>
    %size_t = arith.addi %INT8_C, %linux : i32
    memref.store %size_t, %int32_t[%bool] : memref<4xi32>
  }
  func.return
}
"""


def test_reserved_names(check: Check) -> None:
    # Upstream's own lowering would call the module's functions in place of the library's.
    oracle = PUBLIC
    for name in ("sqrtf", "expf", "exp", "memset", "int"):
        oracle = oracle.replace(f"@{name}", f"@own_{name}").replace(f'"{name}"', f'"own_{name}"')
    values = np.array([0.5, 1.5, 2.25, 4.0], np.float32)
    check(PUBLIC, {"entry": [values, np.zeros(4, np.float32), np.zeros(4, np.int32)]}, oracle)


def test_declared_functions_may_be_the_librarys(c_text: Callable[[str], str]) -> None:
    text = """
func.func private @sqrtf(f32) -> f32
func.func @root(%x: f32) -> f32 {
  %y = func.call @sqrtf(%x) : (f32) -> f32
  func.return %y : f32
}
"""
    printed = c_text(text)
    assert "extern float sqrtf(float);" in printed
    assert "return sqrtf(x);" in printed


def test_names_in_c_text_are_not_hidden(c_text: Callable[[str], str]) -> None:
    """A value called as something that the C text around it mentions gets another name."""
    text = """
emitc.func @f(%helper: i32, %values: i32) -> i32 {
  emitc.verbatim "static const int values[] = { 1 };"
  %sizeof = emitc.call_opaque "helper"(%helper) : (i32) -> i32
  %sum = emitc.add %sizeof, %values : (i32, i32) -> i32
  emitc.return %sum : i32
}
"""
    printed = c_text(text)
    assert "int32_t f(int32_t helper_1, int32_t values_1)" in printed
    assert "int32_t sizeof_1 = helper(helper_1);" in printed
