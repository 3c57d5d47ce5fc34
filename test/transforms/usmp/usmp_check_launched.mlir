// RUN: xdsl-opt %s --split-input-file -p usmp-check --verify-diagnostics | filecheck %s

// From the launch to its wait the device has its buffers, at any time: plans written by hand.

// CHECK-LABEL: func.func @sound
pool.declare @p workspace size 16
func.func @sound(%k: index, %v: i8) -> i8 {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @p, pool.offset = 4 : i64} : memref<4xi8>
  %c = memref.alloc() {pool.name = "c", pool.assigned = @p, pool.offset = 8 : i64} : memref<4xi8>
  memref.store %v, %a[%k] : memref<4xi8>
  %t = "external.launch"(%a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  memref.store %v, %c[%k] : memref<4xi8>
  %r = memref.load %a[%k] : memref<4xi8>
  "external.wait"(%t, %a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>) -> ()
  %s = memref.load %b[%k] : memref<4xi8>
  func.return %s : i8
}

// -----

// CHECK: memref.store writes 'c' between the launch of f and its wait, which has 'b' at byte 6 of pool @p
pool.declare @p workspace size 16
func.func @shares_the_output(%k: index, %v: i8) {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @p, pool.offset = 4 : i64} : memref<4xi8>
  %c = memref.alloc() {pool.name = "c", pool.assigned = @p, pool.offset = 6 : i64} : memref<4xi8>
  %t = "external.launch"(%a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  memref.store %v, %c[%k] : memref<4xi8>
  "external.wait"(%t, %a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

// -----

// CHECK: memref.load reads 'b' between the launch of f and its wait, which has 'b' at byte 4 of pool @p
pool.declare @p workspace size 16
func.func @reads_too_early(%k: index) -> i8 {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @p, pool.offset = 4 : i64} : memref<4xi8>
  %t = "external.launch"(%a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  %r = memref.load %b[%k] : memref<4xi8>
  "external.wait"(%t, %a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>) -> ()
  func.return %r : i8
}

// -----

// A called function writes over the input, and over scratch, with a buffer of its own.
// CHECK: func.call writes 'own' between the launch of f and its wait, which has 'a' at byte 0 of pool @p
pool.declare @p workspace size 16
func.func private @writes(%k: index, %v: i8) {
  %own = memref.alloc() {pool.name = "own", pool.assigned = @p, pool.offset = 0 : i64} : memref<4xi8>
  memref.store %v, %own[%k] : memref<4xi8>
  func.return
}
func.func @inside_a_call(%k: index, %v: i8) {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @p, pool.offset = 4 : i64} : memref<4xi8>
  %t = "external.launch"(%a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  func.call @writes(%k, %v) : (index, i8) -> ()
  "external.wait"(%t, %a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

// -----

// A second launch meanwhile, whose result shares bytes with the first one's.
// CHECK: external.launch writes 'c' between the launch of f and its wait, which has 'b' at byte 4 of pool @p
pool.declare @p workspace size 16
func.func @two_launches() {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @p, pool.offset = 4 : i64} : memref<4xi8>
  %c = memref.alloc() {pool.name = "c", pool.assigned = @p, pool.offset = 4 : i64} : memref<4xi8>
  %t = "external.launch"(%a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  %u = "external.launch"(%a, %c) <{function = "g", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> !external.token
  "external.wait"(%t, %a, %b) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>) -> ()
  "external.wait"(%u, %a, %c) <{function = "g", kind = "k", names = ["a", "b"], parameters = {}, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (!external.token, memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

// -----

// A line is a buffer's own: no other may begin in it.
// CHECK: buffer 'a' at offset 8 is not aligned to 32 bytes
pool.declare @p workspace align 32 size 64
func.func @line(%k: index, %v: i8) {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 8 : i64, pool.line = 32 : i64} : memref<4xi8>
  memref.store %v, %a[%k] : memref<4xi8>
  func.return
}

// -----

// CHECK: @line_shared reads buffer 'a' after 'b' was written over it, at byte 8 of pool @p
pool.declare @p workspace align 32 size 64
func.func @line_shared(%k: index, %v: i8) -> i8 {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 0 : i64, pool.line = 32 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @p, pool.offset = 8 : i64} : memref<4xi8>
  memref.store %v, %a[%k] : memref<4xi8>
  memref.store %v, %b[%k] : memref<4xi8>
  %r = memref.load %a[%k] : memref<4xi8>
  func.return %r : i8
}

// -----

// CHECK: the parts of 'arena' lie apart: a, b
pool.declare @p workspace size 64
func.func @apart(%k: index, %v: i8) {
  %a = memref.alloc() {pool.name = "a", pool.assigned = @p, pool.offset = 0 : i64, pool.shared = "arena", pool.at = 0 : i64} : memref<4xi8>
  %b = memref.alloc() {pool.name = "b", pool.assigned = @p, pool.offset = 4 : i64, pool.shared = "arena", pool.at = 8 : i64} : memref<4xi8>
  memref.store %v, %a[%k] : memref<4xi8>
  memref.store %v, %b[%k] : memref<4xi8>
  func.return
}
