// RUN: stillpool-opt -p usmp-check --split-input-file --verify-diagnostics %s | filecheck %s

// CHECK: @first and @second run concurrently, but their buffers 'a' and 'b' share byte 8 of pool @sram
builtin.module attributes {pool.concurrency = "concurrent"} {
  pool.declare @sram workspace size 32
  func.func @first() {
    %a = memref.alloc() {pool.name = "a", pool.assigned = @sram, pool.offset = 0 : i64} : memref<16xi8>
    func.return
  }
  func.func @second() {
    %b = memref.alloc() {pool.name = "b", pool.assigned = @sram, pool.offset = 8 : i64} : memref<16xi8>
    func.return
  }
}

// -----

// CHECK: buffers 'a' and 'b' are shared but lie apart
builtin.module attributes {pool.concurrency = "pipeline"} {
  pool.declare @sram workspace size 32
  func.func @first() {
    %a = memref.alloc() {pool.kind = #pool.kind<output>, pool.name = "a", pool.shared = "l", pool.assigned = @sram, pool.offset = 0 : i64} : memref<16xi8>
    func.return
  }
  func.func @second() {
    %b = memref.alloc() {pool.kind = #pool.kind<input>, pool.name = "b", pool.shared = "l", pool.assigned = @sram, pool.offset = 8 : i64} : memref<16xi8>
    func.return
  }
}

// -----

// What the second model destroys before it reads it is found.
// CHECK: @use reads buffer 'a' after 'scratch' was written over it, at byte 0 of pool @sram
builtin.module attributes {pool.concurrency = "pipeline"} {
  pool.declare @sram workspace size 32
  func.func @first() {
    %a = memref.alloc() {pool.kind = #pool.kind<output>, pool.name = "a", pool.shared = "l", pool.assigned = @sram, pool.offset = 0 : i64} : memref<16xi8>
    func.call @use(%a) : (memref<16xi8>) -> ()
    func.return
  }
  func.func @second() {
    %b = memref.alloc() {pool.kind = #pool.kind<input>, pool.name = "b", pool.shared = "l", pool.assigned = @sram, pool.offset = 0 : i64} : memref<16xi8>
    %c = memref.alloc() {pool.name = "scratch", pool.assigned = @sram, pool.offset = 0 : i64} : memref<16xi8>
    func.call @use(%c) : (memref<16xi8>) -> ()
    func.call @use(%b) : (memref<16xi8>) -> ()
    func.return
  }
  func.func private @use(%x: memref<16xi8>)
}

// -----

// CHECK: pool.concurrency must be one of "exclusive", "concurrent", "pipeline", not "often"
builtin.module attributes {pool.concurrency = "often"} {
}
