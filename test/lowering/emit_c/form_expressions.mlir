// RUN: stillpool-opt %s -p form-expressions --split-input-file | filecheck %s

// A value that is used once nests into its use; what is used twice gets a variable.
emitc.func @nests(%a: i32, %b: i32) -> i32 {
  %0 = emitc.mul %a, %b : (i32, i32) -> i32
  %1 = emitc.add %0, %a : (i32, i32) -> i32
  %2 = emitc.sub %1, %1 : (i32, i32) -> i32
  emitc.return %2 : i32
}
// CHECK-LABEL: emitc.func @nests
// CHECK-NEXT: [[TWICE:%.*]] = emitc.expression %a, %b noinline : (i32, i32) -> i32 {
// CHECK-NEXT:   [[PRODUCT:%.*]] = emitc.mul %a, %b
// CHECK-NEXT:   [[SUM:%.*]] = emitc.add [[PRODUCT]], %a
// CHECK-NEXT:   emitc.yield [[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: [[RESULT:%.*]] = emitc.expression [[TWICE]] : (i32) -> i32 {
// CHECK-NEXT:   {{%.*}} = emitc.sub [[TWICE]], [[TWICE]]
// CHECK:      emitc.return [[RESULT]] : i32

// -----

// A load does not pass a store through a pointer, and a local variable is read wherever it is used.
emitc.func @loads(%p: !emitc.ptr<i32>, %q: !emitc.ptr<i32>, %i: i32) -> i32 {
  %v = "emitc.variable"() <{value = 0 : i32}> : () -> !emitc.lvalue<i32>
  %0 = emitc.subscript %p[%i] : (!emitc.ptr<i32>, i32) -> !emitc.lvalue<i32>
  %x = emitc.load %0 : <i32>
  emitc.assign %x : i32 to %v : <i32>
  %y = emitc.load %v : <i32>
  %old = emitc.load %0 : <i32>
  %1 = emitc.subscript %q[%y] : (!emitc.ptr<i32>, i32) -> !emitc.lvalue<i32>
  emitc.assign %y : i32 to %1 : <i32>
  %s = emitc.add %old, %y : (i32, i32) -> i32
  emitc.return %s : i32
}
// CHECK-LABEL: emitc.func @loads
// CHECK: [[X:%.*]] = emitc.expression [[AT:%.*]] : (!emitc.lvalue<i32>) -> i32 {
// CHECK-NEXT: emitc.load [[AT]] : <i32>
// CHECK: emitc.assign [[X]] : i32 to %v : <i32>
// CHECK-NEXT: [[OLD:%.*]] = emitc.load [[AT]] : <i32>
// CHECK: emitc.assign {{%.*}} : i32 to {{%.*}} : <i32>
// CHECK-NEXT: [[S:%.*]] = emitc.expression %v, [[OLD]] : (!emitc.lvalue<i32>, i32) -> i32 {
// CHECK-NEXT: [[Y:%.*]] = emitc.load %v : <i32>
// CHECK-NEXT: emitc.add [[OLD]], [[Y]]
// CHECK: emitc.return [[S]] : i32

// -----

// C evaluates a loop's bound in every round: one that is loaded stays outside. Literals are written in place.
emitc.func @bounds(%p: !emitc.ptr<i32>, %n: i32) {
  %zero = "emitc.constant"() <{value = 0 : i32}> : () -> i32
  %one = "emitc.constant"() <{value = 1 : i32}> : () -> i32
  %0 = emitc.subscript %p[%zero] : (!emitc.ptr<i32>, i32) -> !emitc.lvalue<i32>
  %x = emitc.load %0 : <i32>
  %m = emitc.add %x, %one : (i32, i32) -> i32
  emitc.for %i = %zero to %m step %one : i32 {
    %1 = emitc.subscript %p[%i] : (!emitc.ptr<i32>, i32) -> !emitc.lvalue<i32>
    emitc.assign %i : i32 to %1 : <i32>
  }
  emitc.return
}
// CHECK-LABEL: emitc.func @bounds
// CHECK: emitc.subscript
// CHECK-NEXT: [[ZERO:%.*]] = emitc.literal "0" : i32
// CHECK-NEXT: [[ONE:%.*]] = emitc.literal "1" : i32
// CHECK-NEXT: [[M:%.*]] = emitc.expression {{%.*}} noinline : (!emitc.lvalue<i32>) -> i32 {
// CHECK: emitc.yield
// CHECK-NEXT: }
// CHECK-NEXT: emitc.for %i = [[ZERO]] to [[M]] step [[ONE]] : i32 {

// -----

// What is never read goes, a call that may do anything stays.
emitc.func @dead(%a: i32) {
  %v = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  %0 = emitc.add %a, %a : (i32, i32) -> i32
  emitc.assign %0 : i32 to %v : <i32>
  %1 = emitc.call_opaque "sinf"(%a) : (i32) -> i32
  %2 = emitc.call_opaque "beep"(%a) : (i32) -> i32
  emitc.return
}
// CHECK-LABEL: emitc.func @dead
// CHECK-NEXT: {{%.*}} = emitc.call_opaque "beep"
// CHECK-NEXT: emitc.return

// -----

// A line that would be too long is split at its longest part.
emitc.func @long(%a_long_name_of_a_value: i32, %another_long_name_of_a_value: i32) -> i32 {
  %0 = emitc.mul %a_long_name_of_a_value, %another_long_name_of_a_value : (i32, i32) -> i32
  %1 = emitc.sub %a_long_name_of_a_value, %another_long_name_of_a_value : (i32, i32) -> i32
  %2 = emitc.add %0, %1 : (i32, i32) -> i32
  emitc.return %2 : i32
}
// CHECK-LABEL: emitc.func @long
// CHECK-NEXT: [[PART:%.*]] = emitc.expression {{.*}} noinline
// CHECK-NEXT: {{%.*}} = emitc.mul
// CHECK: [[WHOLE:%.*]] = emitc.expression {{.*}}[[PART]]
// CHECK: emitc.return [[WHOLE]] : i32

// -----

// A sum of products of lanes is assigned to a variable where it is made; what is written to memory stays behind its place.
emitc.func @sums(%x: i32, %w: i32, %i: i32, %q: !emitc.ptr<i32>) {
  %v = "emitc.variable"() <{value = 0 : i32}> : () -> !emitc.lvalue<i32>
  %a = emitc.call_opaque "simd_dual_multiply_add"(%x, %w, %i) : (i32, i32, i32) -> i32
  %b = emitc.call_opaque "simd_dual_multiply_add"(%w, %x, %i) : (i32, i32, i32) -> i32
  %array = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.array<2xi32>
  %place = emitc.subscript %array[%i] : (!emitc.array<2xi32>, i32) -> !emitc.lvalue<i32>
  emitc.assign %b : i32 to %place : <i32>
  emitc.assign %a : i32 to %v : <i32>
  %sum = emitc.load %v : <i32>
  %other = emitc.load %place : <i32>
  %all = emitc.add %sum, %other : (i32, i32) -> i32
  %to = emitc.subscript %q[%i] : (!emitc.ptr<i32>, i32) -> !emitc.lvalue<i32>
  emitc.assign %all : i32 to %to : <i32>
  emitc.return
}
// CHECK-LABEL: emitc.func @sums
// CHECK: [[A:%.*]] = emitc.expression %x, %w, %i : (i32, i32, i32) -> i32 {
// CHECK: }
// CHECK-NEXT: emitc.assign [[A]] : i32 to %v : <i32>
// CHECK-NEXT: [[ARRAY:%.*]] = "emitc.variable"() {{.*}} !emitc.array<2xi32>
// CHECK-NEXT: [[PLACE:%.*]] = emitc.subscript [[ARRAY]][%i]
// CHECK-NEXT: [[B:%.*]] = emitc.expression %w, %x, %i : (i32, i32, i32) -> i32 {
// CHECK: }
// CHECK-NEXT: emitc.assign [[B]] : i32 to [[PLACE]] : <i32>
