// RUN: stillpool-opt --split-input-file --verify-diagnostics %s | filecheck %s

"emitc.func"() <{sym_name = "two_results", function_type = () -> (i32, i32)}> ({}) : () -> ()
// CHECK: 'emitc.func' op requires zero or exactly one result

// -----

emitc.func @f(%v: !emitc.lvalue<i32>, %x: f32) {
  "emitc.assign"(%v, %x) : (!emitc.lvalue<i32>, f32) -> ()
  emitc.return
}
// CHECK: attribute i32 expected from variable 'HELD', but got f32

// -----

emitc.func @f(%a: !emitc.array<2x3xi8>, %i: i32) {
  %0 = emitc.subscript %a[%i] : (!emitc.array<2x3xi8>, i32) -> !emitc.lvalue<i8>
  emitc.return
}
// CHECK: 'emitc.subscript' op needs 2 indices, got 1

// -----

emitc.func @f() {
  %0 = emitc.call @nowhere() : () -> i32
  emitc.return
}
// CHECK: 'emitc.call' op @nowhere is not declared

// -----

emitc.global extern static @g : i32
// CHECK: 'emitc.global' op cannot have both static and extern specifiers

// -----

emitc.func @f(%a: i32) {
  %0 = emitc.expression %a : (i32) -> f32 {
    emitc.yield %a : i32
  }
  emitc.return
}
// CHECK: 'emitc.expression' op yields i32 for a result of f32

// -----

emitc.func @f(%a: i32, %b: f32, %c: i1) {
  %0 = "emitc.conditional"(%c, %a, %b) : (i1, i32, f32) -> i32
  emitc.return
}
// CHECK: attribute i32 expected from variable 'TYPE', but got f32
