// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// The run writes to an input that it is to keep.

pool.declare @workspace workspace size 64
func.func @model() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.keep, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  memref.store %v, %x[%c0] : memref<8xi8>
  func.return
}
// CHECK: @model writes to input 'x', which is to be kept

// -----

// Another buffer is written over a kept input that nothing reads any more.

pool.declare @workspace workspace size 64
func.func @model() {
  %c0 = arith.constant 0 : index
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.keep, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 4 : i64} : memref<8xi8>
  %v = memref.load %x[%c0] : memref<8xi8>
  memref.store %v, %a[%c0] : memref<8xi8>
  func.return
}
// CHECK: the caller of @model reads buffer 'x' after 'a' was written over it, at byte 4 of pool @workspace

// -----

// The slot that the run does not read is being filled: nothing else may lie there. Which run it is makes no difference.

pool.declare @workspace workspace size 64
func.func @model(%x: memref<8xi8> {pool.io = "input", pool.slots, pool.input = 0 : i64}) {
  %c0 = arith.constant 0 : index
  %first = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.input = 0 : i64, pool.keep, pool.slot = 0 : i64, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %second = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.input = 0 : i64, pool.keep, pool.slot = 1 : i64, pool.assigned = @workspace, pool.offset = 8 : i64} : memref<8xi8>
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 12 : i64} : memref<8xi8>
  %v = memref.load %x[%c0] : memref<8xi8>
  memref.store %v, %a[%c0] : memref<8xi8>
  func.return
}
// CHECK: the caller of @model reads buffer 'x' after 'a' was written over it, at byte 12 of pool @workspace

// -----

pool.declare @workspace workspace size 64
func.func @other_model() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  memref.store %v, %a[%c0] : memref<8xi8>
  func.return
}
func.func @model(%x: memref<8xi8> {pool.io = "input", pool.slots, pool.input = 0 : i64}) {
  %first = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.input = 0 : i64, pool.keep, pool.slot = 0 : i64, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  %second = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.input = 0 : i64, pool.keep, pool.slot = 1 : i64, pool.assigned = @workspace, pool.offset = 8 : i64} : memref<8xi8>
  func.return
}
// CHECK: the caller of @other_model reads buffer 'x' after 'a' was written over it, at byte 0 of pool @workspace

// -----

pool.declare @workspace workspace size 64
func.func @model(%x: memref<8xi8> {pool.io = "input", pool.slots, pool.input = 0 : i64}) {
  %first = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.input = 0 : i64, pool.keep, pool.slot = 0 : i64, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  func.return
}
// CHECK: @model: input 0 has no slot 1

// -----

// An input is read after its release.

pool.declare @workspace workspace size 64
func.func private @read(%x: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xi8>
  func.return
}
func.func @model(%x: memref<8xi8> {pool.io = "input", pool.input = 0 : i64}) {
  func.call @read(%x) {pool.releases = [0 : i64]} : (memref<8xi8>) -> ()
  %y = "memref.cast"(%x) : (memref<8xi8>) -> memref<?xi8>
  %z = "memref.cast"(%y) : (memref<?xi8>) -> memref<8xi8>
  func.call @read(%z) : (memref<8xi8>) -> ()
  func.return
}
// CHECK: @model releases input 0 after func.call, but memref.cast uses it later

// -----

// Scratch inside a called function lies where the application may be writing.

pool.declare @workspace workspace size 64
func.func private @read(%x: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xi8>
  func.return
}
func.func private @work() {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i8
  %s = memref.alloc() {pool.name = "s", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
  memref.store %v, %s[%c0] : memref<8xi8>
  func.return
}
func.func @model() {
  %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.input = 0 : i64, pool.assigned = @workspace, pool.offset = 4 : i64} : memref<8xi8>
  func.call @read(%x) {pool.releases = [0 : i64]} : (memref<8xi8>) -> ()
  func.call @work() : () -> ()
  func.return
}
// CHECK: @model releases input 0 after func.call, but func.call later uses 's', which shares its bytes

// -----

// In a pipeline the models behind run before the input is used again.

builtin.module attributes {pool.concurrency = "pipeline"} {
  pool.declare @workspace workspace size 64
  func.func @first() {
    %c0 = arith.constant 0 : index
    %x = memref.alloc() {pool.name = "x", pool.kind = #pool.kind<input>, pool.input = 0 : i64, pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
    %v = memref.load %x[%c0] {pool.releases = [0 : i64]} : memref<8xi8>
    func.return
  }
  func.func @second() {
    %c0 = arith.constant 0 : index
    %v = arith.constant 1 : i8
    %a = memref.alloc() {pool.name = "a", pool.assigned = @workspace, pool.offset = 0 : i64} : memref<8xi8>
    memref.store %v, %a[%c0] : memref<8xi8>
    func.return
  }
}
// CHECK: @first releases input 0 after memref.load, but memref.store later uses 'a', which shares its bytes
