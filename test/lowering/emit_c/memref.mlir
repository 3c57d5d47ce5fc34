// RUN: stillpool-opt %s -p emit-c | filecheck %s
// RUN: stillpool-opt %s -p "emit-c{prefix=kws_ data=extern}" | filecheck %s --check-prefix EXTERN

// Memrefs are pointers to their first element, const where nothing is written through them; constants are arrays; views
// cost pointer arithmetic at most. Names are made valid in C.

"memref.global"() <{sym_name = "class", sym_visibility = "private", type = memref<2x2xi16>, constant, initial_value = dense<[[1, -2], [3, 4]]> : tensor<2x2xi16>}> : () -> ()
"memref.global"() <{sym_name = "state", sym_visibility = "private", type = memref<4xi32>, initial_value, alignment = 16 : i64}> : () -> ()
func.func private @external(memref<4xi32>, i32) -> i1
func.func private @reads(%m: memref<2x2xi16>, %i: index) -> i16 attributes {nn.comment = "reads */ one element"} {
  %c1 = arith.constant 1 : index
  %x = memref.load %m[%c1, %i] : memref<2x2xi16>
  func.return %x : i16
}
func.func @writes(%pool: memref<64xi8>, %unused: f32, %i: index) -> i1 {
  %c16 = arith.constant 16 : index
  %table = memref.get_global @class : memref<2x2xi16>
  %state = memref.get_global @state : memref<4xi32>
  %view = memref.view %pool[%c16][] : memref<64xi8> to memref<4x2xi16>
  %part = memref.subview %view[2, 0][2, 2][1, 1] : memref<4x2xi16> to memref<2x2xi16, strided<[2, 1], offset: 4>>
  %x = func.call @reads(%table, %i) : (memref<2x2xi16>, index) -> i16
  memref.store %x, %part[%i, %i] : memref<2x2xi16, strided<[2, 1], offset: 4>>
  %wide = arith.extsi %x : i16 to i32
  %r = func.call @external(%state, %wide) : (memref<4xi32>, i32) -> i1
  func.return %r : i1
}

// CHECK:      emitc.include <"stdbool.h">
// CHECK-NEXT: emitc.include <"stdint.h">
// CHECK-NEXT: emitc.global static const @class_ : !emitc.array<4xi16> = dense<[1, -2, 3, 4]>
// CHECK-NEXT: emitc.global static @state : !emitc.array<4xi32> {alignment = 16 : i64}
// CHECK-NEXT: emitc.func @external(!emitc.ptr<i32>, i32) -> i1 attributes {specifiers = ["extern"]}

// CHECK-NEXT: emitc.func @reads(%m: !emitc.ptr<!emitc.opaque<"const int16_t">>, %i: i32) -> i16
// CHECK-SAME: specifiers = ["static"]
// CHECK-NEXT:   emitc.verbatim "/* reads * / one element */"
// CHECK-NEXT:   [[INDEX:%.*]] = emitc.expression %i
// CHECK-NEXT:     [[TWO:%.*]] = "emitc.constant"() <{value = 2 : i32}>
// CHECK-NEXT:     {{%.*}} = emitc.add %i, [[TWO]]
// CHECK:        [[PLACE:%.*]] = emitc.subscript %m[[[INDEX]]]
// CHECK-NEXT:   {{%.*}} = emitc.expression [[PLACE]] : (!emitc.lvalue<!emitc.opaque<"const int16_t">>) -> i16 {

// CHECK:      emitc.func @writes(%pool: !emitc.ptr<i8>, %unused: f32, %i: i32) -> i1 {
// CHECK-NEXT:   emitc.verbatim "(void){};" args %unused : f32
// CHECK:        [[TABLE:%.*]] = emitc.get_global @class_ : !emitc.array<4xi16>
// CHECK:        %view = emitc.expression %pool noinline : (!emitc.ptr<i8>) -> !emitc.ptr<i16> {
// CHECK-NEXT:     [[BYTES:%.*]] = "emitc.constant"() <{value = 16 : i32}>
// CHECK-NEXT:     [[START:%.*]] = emitc.add %pool, [[BYTES]]
// CHECK-NEXT:     {{%.*}} = emitc.cast [[START]] : !emitc.ptr<i8> to !emitc.ptr<i16>
// CHECK:        %x = emitc.expression [[TABLE]], %i noinline
// CHECK-NEXT:     [[MUTABLE:%.*]] = emitc.cast [[TABLE]] : !emitc.array<4xi16> to !emitc.ptr<i16>
// CHECK-NEXT:     [[CONST:%.*]] = emitc.cast [[MUTABLE]]
// CHECK-NEXT:     {{%.*}} = emitc.call @reads([[CONST]], %i)
// CHECK:        [[FLAT:%.*]] = emitc.expression %i : (i32) -> i32 {
// CHECK-NEXT:     [[WIDTH:%.*]] = "emitc.constant"() <{value = 2 : i32}>
// CHECK-NEXT:     [[ROW:%.*]] = emitc.mul %i, [[WIDTH]]
// CHECK-NEXT:     [[AT:%.*]] = emitc.add [[ROW]], %i
// CHECK-NEXT:     [[SKIP:%.*]] = "emitc.constant"() <{value = 4 : i32}>
// CHECK-NEXT:     {{%.*}} = emitc.add [[AT]], [[SKIP]]
// CHECK:        emitc.subscript %view[[[FLAT]]] : (!emitc.ptr<i16>, i32) -> !emitc.lvalue<i16>

// EXTERN:      emitc.global extern const @kws_class : !emitc.array<4xi16>
// EXTERN-NEXT: emitc.global static @kws_state
// EXTERN:      emitc.func @external(
// EXTERN:      emitc.func @kws_reads(
// EXTERN:      emitc.func @writes(
