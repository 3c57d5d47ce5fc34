// RUN: stillpool-opt -p usmp-assign-pools %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'memref.alloc' op %a in @f: there is no attribute pool.candidate; did you mean pool.candidates?
func.func @f() {
  %a = memref.alloc() {pool.candidate = [@dtcm]} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'func.func' op @f, argument 0: there is no attribute pool.oi; did you mean pool.io?
func.func @f(%x: memref<4xi8> {pool.oi = "input"}) {
  func.return
}

// -----

// CHECK: 'func.func' op @f, argument 0: pool.io must be one of "input", "output", not "in"
func.func @f(%x: memref<4xi8> {pool.io = "in"}) {
  func.return
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.kind must be one of #pool.kind<activation>, {{.*}}, not "stat"; did you mean #pool.kind<state>?
func.func @f() {
  %a = memref.alloc() {pool.kind = "stat"} : memref<4xi8>
  func.return
}

// -----

// CHECK: Expected `activation`, `scratch`, `input`, `output`, `state`, or `poison`.
func.func @f() {
  %a = memref.alloc() {pool.kind = #pool.kind<stat>} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.offset must be an integer that is not negative, not -4 : i64
func.func @f() {
  %a = memref.alloc() {pool.offset = -4 : i64} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.slot must be an integer from 0 to 1, not 2 : i64
func.func @f() {
  %a = memref.alloc() {pool.slot = 2 : i64} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.candidates must be a list of pools, as [@dtcm, @sram], not ["dtcm"]
func.func @f() {
  %a = memref.alloc() {pool.candidates = ["dtcm"]} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.lead means nothing here; it stands on arguments of functions
func.func @f() {
  %a = memref.alloc() {pool.lead = [#pool.lead<0, 0>]} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'func.func' op @f, argument 1: pool.lead names argument 2, which is no other memref
func.func private @f(%x: memref<4xi8>, %y: memref<4xi8> {pool.lead = [#pool.lead<2, 0>]}) {
  func.return
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.initial is for state, pool.kind = #pool.kind<state>
func.func @f() {
  %a = memref.alloc() {pool.initial = dense<1> : tensor<4xi8>} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.initial is tensor<3xi8>, the buffer memref<4xi8>
func.func @f() {
  %a = memref.alloc() {pool.kind = #pool.kind<state>, pool.initial = dense<1> : tensor<3xi8>} : memref<4xi8>
  func.return
}

// -----

// CHECK: 'func.call' op in @f: part 0 in 1: it reaches to element 11, the whole has 8
func.func private @g(%x: memref<4xi8>, %y: memref<8xi8>) {
  func.return
}
func.func @f(%x: memref<4xi8>, %y: memref<8xi8>) {
  func.call @g(%x, %y) {pool.parts = [#pool.part<0 in 1, offset 8, [4] strides [1]>]} : (memref<4xi8>, memref<8xi8>) -> ()
  func.return
}

// -----

// CHECK: 'func.call' op in @f: part 0 in 1: a shape of 5 elements, the argument has 4
func.func private @g(%x: memref<4xi8>, %y: memref<8xi8>) {
  func.return
}
func.func @f(%x: memref<4xi8>, %y: memref<8xi8>) {
  func.call @g(%x, %y) {pool.parts = [#pool.part<0 in 1, offset 0, [5] strides [1]>]} : (memref<4xi8>, memref<8xi8>) -> ()
  func.return
}

// -----

// CHECK: 'func.call' op in @f: part 0 in 2: the call has 2 arguments
func.func private @g(%x: memref<4xi8>, %y: memref<8xi8>) {
  func.return
}
func.func @f(%x: memref<4xi8>, %y: memref<8xi8>) {
  func.call @g(%x, %y) {pool.parts = [#pool.part<0 in 2, offset 0, [4] strides [1]>]} : (memref<4xi8>, memref<8xi8>) -> ()
  func.return
}

// -----

// CHECK: 'builtin.module' op: pool.concurrency must be one of "exclusive", "concurrent", "pipeline", not "pipe"
builtin.module attributes {pool.concurrency = "pipe"} {
}

// -----

// CHECK: 'memref.alloc' op %a in @f: pool.slot is for inputs, pool.kind = #pool.kind<input>
func.func @f() {
  %a = memref.alloc() {pool.slot = 0 : i64} : memref<4xi8>
  func.return
}
