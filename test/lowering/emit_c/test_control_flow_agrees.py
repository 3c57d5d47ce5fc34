"""Loops, branches and views of hand-written modules, against MLIR's own code generation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Check = Callable[..., None]

_CONSTANTS = "\n".join(f"  %c{n} = arith.constant {n} : index" for n in (0, 1, 2, 3, 4, 5, 8, 16))


def test_loop_carried_values(check: Check) -> None:
    """Swaps, copies between carried values, values used after they were passed on, two loops in a row."""
    text = f"""
func.func @fibonacci(%n: memref<1xi32>, %out: memref<3xi32>) {{
{_CONSTANTS}
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count = memref.load %n[%c0] : memref<1xi32>
  %last = arith.index_cast %count : i32 to index
  %a, %b = scf.for %i = %c0 to %last step %c1 iter_args(%x = %zero, %y = %one) -> (i32, i32) {{
    %s = arith.addi %x, %y : i32
    scf.yield %y, %s : i32, i32
  }}
  %p, %q, %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b, %z = %a) -> (i32, i32, i32) {{
    scf.yield %y, %z, %x : i32, i32, i32
  }}
  %u = scf.for %i = %c1 to %c4 step %c2 iter_args(%x = %p) -> (i32) {{
    %d = arith.addi %x, %q : i32
    scf.yield %d : i32
  }}
  memref.store %p, %out[%c0] : memref<3xi32>
  memref.store %u, %out[%c1] : memref<3xi32>
  memref.store %r, %out[%c2] : memref<3xi32>
  func.return
}}
func.func @nested(%in: memref<16xi32>, %out: memref<16xi32>) {{
{_CONSTANTS}
  %zero = arith.constant 0 : i32
  %total, %largest = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %zero, %m = %zero) -> (i32, i32) {{
    %s, %l = scf.for %j = %c0 to %c4 step %c1 iter_args(%u = %t, %v = %m) -> (i32, i32) {{
      %k0 = arith.muli %i, %c4 : index
      %k = arith.addi %k0, %j : index
      %x = memref.load %in[%k] : memref<16xi32>
      %w = arith.addi %u, %x : i32
      %c = arith.cmpi sgt, %x, %v : i32
      %n = scf.if %c -> (i32) {{
        %back = arith.subi %x, %t : i32
        memref.store %back, %out[%k] : memref<16xi32>
        scf.yield %x : i32
      }} else {{
        memref.store %v, %out[%k] : memref<16xi32>
        scf.yield %v : i32
      }}
      scf.yield %w, %n : i32, i32
    }}
    %mix = arith.xori %t, %s : i32
    scf.yield %mix, %l : i32, i32
  }}
  memref.store %total, %out[%c0] : memref<16xi32>
  memref.store %largest, %out[%c1] : memref<16xi32>
  func.return
}}
"""
    values = np.random.default_rng(0).integers(-99, 99, 16).astype(np.int32)
    check(
        text,
        {
            "fibonacci": [np.array([11], np.int32), np.zeros(3, np.int32)],
            "nested": [values, np.zeros(16, np.int32)],
        },
    )


def test_branches(check: Check) -> None:
    """Branches with several results, without else, with an empty then, nested, and a switch."""
    text = f"""
func.func @branches(%in: memref<16xi32>, %out: memref<16xi32>) {{
{_CONSTANTS}
  %ten = arith.constant 10 : i32
  scf.for %i = %c0 to %c16 step %c1 {{
    %x = memref.load %in[%i] : memref<16xi32>
    %big = arith.cmpi sgt, %x, %ten : i32
    %odd = arith.trunci %x : i32 to i1
    %a, %b = scf.if %big -> (i32, i32) {{
      %y = scf.if %odd -> (i32) {{
        %z = arith.muli %x, %x : i32
        scf.yield %z : i32
      }} else {{
        scf.yield %ten : i32
      }}
      scf.yield %x, %y : i32, i32
    }} else {{
      scf.yield %ten, %x : i32, i32
    }}
    scf.if %odd {{
    }} else {{
      memref.store %b, %in[%i] : memref<16xi32>
    }}
    %m = arith.index_cast %a : i32 to index
    %which = arith.remsi %m, %c5 : index
    %s = scf.index_switch %which -> i32
    case 0 {{
      scf.yield %b : i32
    }}
    case 3 {{
      %d = arith.subi %a, %b : i32
      scf.yield %d : i32
    }}
    default {{
      scf.yield %x : i32
    }}
    memref.store %s, %out[%i] : memref<16xi32>
  }}
  func.return
}}
"""
    values = np.random.default_rng(1).integers(-5, 40, 16).astype(np.int32)
    check(text, {"branches": [values, np.zeros(16, np.int32)]})


def test_while_loops(check: Check) -> None:
    text = f"""
func.func @collatz(%in: memref<16xi32>, %out: memref<16xi32>) {{
{_CONSTANTS}
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c16 step %c1 {{
    %start = memref.load %in[%i] : memref<16xi32>
    %last, %steps = scf.while (%x = %start, %n = %zero) : (i32, i32) -> (i32, i32) {{
      %more = arith.cmpi sgt, %x, %one : i32
      scf.condition(%more) %n, %x : i32, i32
    }} do {{
    ^bb0(%n: i32, %x: i32):
      %odd = arith.trunci %x : i32 to i1
      %y = scf.if %odd -> (i32) {{
        %t = arith.muli %x, %three : i32
        %u = arith.addi %t, %one : i32
        scf.yield %u : i32
      }} else {{
        %h = arith.divsi %x, %two : i32
        scf.yield %h : i32
      }}
      %k = arith.addi %n, %one : i32
      scf.yield %y, %k : i32, i32
    }}
    %r = arith.muli %last, %two : i32
    %s = arith.addi %r, %steps : i32
    memref.store %s, %out[%i] : memref<16xi32>
  }}
  func.return
}}
"""
    check(text, {"collatz": [np.arange(1, 17, dtype=np.int32), np.zeros(16, np.int32)]})


def test_order_of_loads_and_stores(check: Check) -> None:
    """A value that is loaded before a store must not be read after it; in-place code, a call in between."""
    text = f"""
func.func private @bump(%m: memref<4xi32>, %i: index) -> i32 {{
  %x = memref.load %m[%i] : memref<4xi32>
  %one = arith.constant 1 : i32
  %y = arith.addi %x, %one : i32
  memref.store %y, %m[%i] : memref<4xi32>
  func.return %x : i32
}}
func.func @swap(%m: memref<4xi32>, %table: memref<4xi32>) {{
{_CONSTANTS}
  %a = memref.load %m[%c0] : memref<4xi32>
  %b = memref.load %m[%c1] : memref<4xi32>
  memref.store %b, %m[%c0] : memref<4xi32>
  memref.store %a, %m[%c1] : memref<4xi32>
  %old = memref.load %m[%c2] : memref<4xi32>
  %r = func.call @bump(%m, %c2) : (memref<4xi32>, index) -> i32
  %s = func.call @bump(%m, %c2) : (memref<4xi32>, index) -> i32
  %now = memref.load %m[%c2] : memref<4xi32>
  %d = arith.subi %now, %old : i32
  %e = arith.subi %s, %r : i32
  %f = arith.muli %d, %e : i32
  memref.store %f, %m[%c3] : memref<4xi32>
  %k = memref.load %table[%c1] : memref<4xi32>
  %j = arith.index_cast %k : i32 to index
  %l = memref.load %table[%j] : memref<4xi32>
  memref.store %l, %table[%c0] : memref<4xi32>
  func.return
}}
"""
    check(text, {"swap": [np.array([5, 7, 9, 11], np.int32), np.array([3, 2, 1, 0], np.int32)]})


def test_views_and_copies(check: Check) -> None:
    text = f"""
"memref.global"() <{{sym_name = "weights", sym_visibility = "private", type = memref<2x4xi16>, constant,
  initial_value = dense<[[1, -2, 3, -4], [500, -600, 700, -32768]]> : tensor<2x4xi16>}}> : () -> ()
func.func private @sum(%m: memref<2x3xi16, strided<[4, 1]>>, %out: memref<8xi16>, %at: index) {{
{_CONSTANTS}
  %zero = arith.constant 0 : i16
  %s = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %zero) -> (i16) {{
    %t = scf.for %j = %c0 to %c3 step %c1 iter_args(%b = %a) -> (i16) {{
      %x = memref.load %m[%i, %j] : memref<2x3xi16, strided<[4, 1]>>
      %y = arith.addi %b, %x : i16
      scf.yield %y : i16
    }}
    scf.yield %t : i16
  }}
  memref.store %s, %out[%at] : memref<8xi16>
  func.return
}}
func.func @views(%in: memref<4x4xi16>, %bytes: memref<32xi8>, %out: memref<8xi16>) {{
{_CONSTANTS}
  %w = memref.get_global @weights : memref<2x4xi16>
  scf.for %i = %c0 to %c2 step %c1 {{
    %part = memref.subview %in[%i, 1][2, 3][1, 1]
      : memref<4x4xi16> to memref<2x3xi16, strided<[4, 1], offset: ?>>
    %e = memref.load %part[%c1, %i] : memref<2x3xi16, strided<[4, 1], offset: ?>>
    memref.store %e, %out[%i] : memref<8xi16>
  }}
  %left = memref.subview %in[0, 0][2, 3][1, 1] : memref<4x4xi16> to memref<2x3xi16, strided<[4, 1]>>
  func.call @sum(%left, %out, %c1) : (memref<2x3xi16, strided<[4, 1]>>, memref<8xi16>, index) -> ()
  %row = memref.subview %in[3, 0][1, 4][1, 1] : memref<4x4xi16> to memref<4xi16, strided<[1], offset: 12>>
  %x = memref.load %row[%c2] : memref<4xi16, strided<[1], offset: 12>>
  memref.store %x, %out[%c2] : memref<8xi16>
  %flat = memref.collapse_shape %w [[0, 1]] : memref<2x4xi16> into memref<8xi16>
  %y = memref.load %flat[%c5] : memref<8xi16>
  memref.store %y, %out[%c3] : memref<8xi16>
  %cube = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 2, 2] : memref<8xi16> into memref<2x2x2xi16>
  %z = memref.load %cube[%c1, %c1, %c0] : memref<2x2x2xi16>
  memref.store %z, %out[%c4] : memref<8xi16>
  %typed = memref.view %bytes[%c8][] : memref<32xi8> to memref<2x4xi16>
  "memref.copy"(%w, %typed) : (memref<2x4xi16>, memref<2x4xi16>) -> ()
  %again = memref.reinterpret_cast %in to offset: [2], sizes: [2, 2], strides: [8, 1]
    : memref<4x4xi16> to memref<2x2xi16, strided<[8, 1], offset: 2>>
  %scratch = memref.alloca() : memref<2x2xi16>
  "memref.copy"(%again, %scratch) : (memref<2x2xi16, strided<[8, 1], offset: 2>>, memref<2x2xi16>) -> ()
  %v = memref.load %scratch[%c1, %c0] : memref<2x2xi16>
  memref.store %v, %out[%c5] : memref<8xi16>
  func.return
}}
"""
    grid = np.arange(100, 116, dtype=np.int16).reshape(4, 4)
    # MLIR copies strided memrefs by a function of its run-time library: here by loops.
    copy = '"memref.copy"(%again, %scratch) : (memref<2x2xi16, strided<[8, 1], offset: 2>>, memref<2x2xi16>) -> ()'
    loops = """scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %e = memref.load %again[%i, %j] : memref<2x2xi16, strided<[8, 1], offset: 2>>
      memref.store %e, %scratch[%i, %j] : memref<2x2xi16>
    }
  }"""
    assert copy in text
    check(text, {"views": [grid, np.zeros(32, np.int8), np.zeros(8, np.int16)]}, text.replace(copy, loops))


def test_memrefs_that_change_places(check: Check) -> None:
    """Double buffering: memrefs carried round a loop and chosen by a select."""
    text = f"""
func.func @smooth(%a: memref<8xi32>, %b: memref<8xi32>, %out: memref<1xi32>) {{
{_CONSTANTS}
  %x, %y = scf.for %round = %c0 to %c3 step %c1 iter_args(%from = %a, %to = %b) -> (memref<8xi32>, memref<8xi32>) {{
    scf.for %i = %c1 to %c8 step %c1 {{
      %before = arith.subi %i, %c1 : index
      %l = memref.load %from[%before] : memref<8xi32>
      %r = memref.load %from[%i] : memref<8xi32>
      %s = arith.addi %l, %r : i32
      memref.store %s, %to[%i] : memref<8xi32>
    }}
    scf.yield %to, %from : memref<8xi32>, memref<8xi32>
  }}
  %p = memref.load %x[%c4] : memref<8xi32>
  %q = memref.load %y[%c4] : memref<8xi32>
  %c = arith.cmpi slt, %p, %q : i32
  %z = arith.select %c, %x, %y : memref<8xi32>
  %v = memref.load %z[%c5] : memref<8xi32>
  memref.store %v, %out[%c0] : memref<1xi32>
  func.return
}}
"""
    values = np.random.default_rng(3).integers(-50, 50, (2, 8)).astype(np.int32)
    check(text, {"smooth": [values[0], values[1], np.zeros(1, np.int32)]})


def test_tables(check: Check) -> None:
    """Indices that are loaded, before and after what they depend on is written."""
    text = f"""
func.func @tables(%in: memref<8xi32>, %table: memref<8xi32>, %out: memref<8xi32>) {{
{_CONSTANTS}
  scf.for %i = %c0 to %c8 step %c1 {{
    %a = memref.load %in[%i] : memref<8xi32>
    %j = arith.index_cast %a : i32 to index
    %x = memref.load %table[%j] : memref<8xi32>
    %b = memref.load %in[%c2] : memref<8xi32>
    %k = arith.index_cast %b : i32 to index
    memref.store %x, %in[%i] : memref<8xi32>
    %y = memref.load %table[%k] : memref<8xi32>
    %s = arith.addi %x, %y : i32
    memref.store %s, %out[%j] : memref<8xi32>
  }}
  func.return
}}
"""
    random = np.random.default_rng(2)
    arrays = [random.permutation(8).astype(np.int32), random.permutation(8).astype(np.int32), np.zeros(8, np.int32)]
    check(text, {"tables": arrays})
