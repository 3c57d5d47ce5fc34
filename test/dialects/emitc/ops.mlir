// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt --print-op-generic %s | stillpool-opt | filecheck %s

// Every operation that is added to the dialect, in the syntax of LLVM 22.

emitc.include <"a.h">
emitc.include "a.h"
emitc.global static const @g : !emitc.array<2xi8> = dense<[1, 2]>
emitc.global extern @h : i32
emitc.global @k : i32 = 3
emitc.declare_func @f
emitc.func @f(%a: i32, %p: !emitc.ptr<!emitc.opaque<"const int8_t">>) -> i32 attributes {specifiers = ["static", "inline"]} {
  emitc.verbatim "/* x */"
  emitc.verbatim "foo({});" args %a : i32
  %c = "emitc.constant"() <{value = 1 : i32}> : () -> i32
  %v = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  %ar = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.array<4xi32>
  %lit = emitc.literal "M_PI" : f32
  %l = emitc.load %v : <i32>
  emitc.assign %l : i32 to %v : <i32>
  %s = emitc.subscript %p[%a] : (!emitc.ptr<!emitc.opaque<"const int8_t">>, i32) -> !emitc.lvalue<!emitc.opaque<"const int8_t">>
  %s2 = emitc.subscript %ar[%a] : (!emitc.array<4xi32>, i32) -> !emitc.lvalue<i32>
  %ca = emitc.cast %a : i32 to f32
  %cm = emitc.cmp lt, %a, %c : (i32, i32) -> i1
  %co = emitc.conditional %cm, %a, %c : i32
  %la = emitc.logical_and %cm, %cm : i1, i1
  %ln = emitc.logical_not %cm : i1
  %um = emitc.unary_minus %a : (i32) -> i32
  %bn = emitc.bitwise_not %a : (i32) -> i32
  %bs = emitc.bitwise_left_shift %a, %a : (i32, i32) -> i32
  %ad = emitc.add %a, %a : (i32, i32) -> i32
  %ap = emitc.apply "&"(%v) : (!emitc.lvalue<i32>) -> !emitc.ptr<i32>
  %ao = emitc.address_of %v : !emitc.lvalue<i32>
  %de = emitc.dereference %ao : !emitc.ptr<i32>
  %gg = emitc.get_global @g : !emitc.array<2xi8>
  %gk = emitc.get_global @k : !emitc.lvalue<i32>
  emitc.for %i = %c to %a step %c : i32 {
  }
  emitc.if %cm {
  }
  emitc.if %cm {
  } else {
    emitc.assign %l : i32 to %v : <i32>
  }
  emitc.do {
    emitc.assign %l : i32 to %v : <i32>
  } while {
    %e = emitc.expression %a, %c : (i32, i32) -> i1 {
      %z = emitc.cmp lt, %a, %c : (i32, i32) -> i1
      emitc.yield %z : i1
    }
    emitc.yield %e : i1
  }
  emitc.switch %a : i32
  case 2 {
    emitc.yield
  }
  case 5 {
    emitc.yield
  }
  default {
  }
  %ex = emitc.expression %a, %v noinline : (i32, !emitc.lvalue<i32>) -> i32 {
    %q = emitc.load %v : <i32>
    %z = emitc.add %a, %q : (i32, i32) -> i32
    emitc.yield %z : i32
  }
  %cl = emitc.call @f(%a, %p) : (i32, !emitc.ptr<!emitc.opaque<"const int8_t">>) -> i32
  %st = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<!emitc.opaque<"s">>
  %stp = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<!emitc.ptr<!emitc.opaque<"s">>>
  %me = "emitc.member"(%st) <{member = "a"}> : (!emitc.lvalue<!emitc.opaque<"s">>) -> !emitc.lvalue<i32>
  %mp = "emitc.member_of_ptr"(%stp) <{member = "a"}> : (!emitc.lvalue<!emitc.ptr<!emitc.opaque<"s">>>) -> !emitc.lvalue<i32>
  emitc.return %l : i32
}
emitc.func private @e(i32) -> ()
emitc.class @C {
  emitc.field @fl : i32
  emitc.field @fl2 : i32 = 2
  emitc.func @m() {
    %f = emitc.get_field @fl : i32
    emitc.return
  }
}
emitc.file "a.c" {
  emitc.include "a.h"
}

// CHECK: emitc.include <"a.h">
// CHECK: emitc.include "a.h"
// CHECK: emitc.global static const @g : !emitc.array<2xi8> = dense<[1, 2]>
// CHECK: emitc.global extern @h : i32
// CHECK: emitc.global @k : i32 = 3
// CHECK: emitc.declare_func @f
// CHECK: emitc.func @f(%a: i32, %p: !emitc.ptr<!emitc.opaque<"const int8_t">>) -> i32 attributes {specifiers = ["static", "inline"]} {
// CHECK: emitc.verbatim "/* x */"
// CHECK: emitc.verbatim "foo({});" args %a : i32
// CHECK: %c = "emitc.constant"() <{value = 1 : i32}> : () -> i32
// CHECK: %v = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
// CHECK: %ar = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.array<4xi32>
// CHECK: %lit = emitc.literal "M_PI" : f32
// CHECK: %l = emitc.load %v : <i32>
// CHECK: emitc.assign %l : i32 to %v : <i32>
// CHECK: %s = emitc.subscript %p[%a] : (!emitc.ptr<!emitc.opaque<"const int8_t">>, i32) -> !emitc.lvalue<!emitc.opaque<"const int8_t">>
// CHECK: %s2 = emitc.subscript %ar[%a] : (!emitc.array<4xi32>, i32) -> !emitc.lvalue<i32>
// CHECK: %ca = emitc.cast %a : i32 to f32
// CHECK: %cm = emitc.cmp lt, %a, %c : (i32, i32) -> i1
// CHECK: %co = emitc.conditional %cm, %a, %c : i32
// CHECK: %la = emitc.logical_and %cm, %cm : i1, i1
// CHECK: %ln = emitc.logical_not %cm : i1
// CHECK: %um = emitc.unary_minus %a : (i32) -> i32
// CHECK: %bn = emitc.bitwise_not %a : (i32) -> i32
// CHECK: %bs = emitc.bitwise_left_shift %a, %a : (i32, i32) -> i32
// CHECK: %ad = emitc.add %a, %a : (i32, i32) -> i32
// CHECK: %ap = emitc.apply "&"(%v) : (!emitc.lvalue<i32>) -> !emitc.ptr<i32>
// CHECK: %ao = emitc.address_of %v : !emitc.lvalue<i32>
// CHECK: %de = emitc.dereference %ao : !emitc.ptr<i32>
// CHECK: %gg = emitc.get_global @g : !emitc.array<2xi8>
// CHECK: %gk = emitc.get_global @k : !emitc.lvalue<i32>
// CHECK: emitc.for %i = %c to %a step %c : i32 {
// CHECK: emitc.if %cm {
// CHECK: emitc.if %cm {
// CHECK: } else {
// CHECK: emitc.assign %l : i32 to %v : <i32>
// CHECK: emitc.do {
// CHECK: emitc.assign %l : i32 to %v : <i32>
// CHECK: } while {
// CHECK: %e = emitc.expression %a, %c : (i32, i32) -> i1 {
// CHECK: %z = emitc.cmp lt, %a, %c : (i32, i32) -> i1
// CHECK: emitc.yield %z : i1
// CHECK: emitc.yield %e : i1
// CHECK: emitc.switch %a : i32
// CHECK: case 2 {
// CHECK: emitc.yield
// CHECK: case 5 {
// CHECK: emitc.yield
// CHECK: default {
// CHECK: %ex = emitc.expression %a, %v noinline : (i32, !emitc.lvalue<i32>) -> i32 {
// CHECK: %q = emitc.load %v : <i32>
// CHECK: %z = emitc.add %a, %q : (i32, i32) -> i32
// CHECK: emitc.yield %z : i32
// CHECK: %cl = emitc.call @f(%a, %p) : (i32, !emitc.ptr<!emitc.opaque<"const int8_t">>) -> i32
// CHECK: %st = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<!emitc.opaque<"s">>
// CHECK: %stp = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<!emitc.ptr<!emitc.opaque<"s">>>
// CHECK: %me = "emitc.member"(%st) <{member = "a"}> : (!emitc.lvalue<!emitc.opaque<"s">>) -> !emitc.lvalue<i32>
// CHECK: %mp = "emitc.member_of_ptr"(%stp) <{member = "a"}> : (!emitc.lvalue<!emitc.ptr<!emitc.opaque<"s">>>) -> !emitc.lvalue<i32>
// CHECK: emitc.return %l : i32
// CHECK: emitc.func private @e(i32) -> ()
// CHECK: emitc.class @C {
// CHECK: emitc.field @fl : i32
// CHECK: emitc.field @fl2 : i32 = 2
// CHECK: emitc.func @m() {
// CHECK: %f = emitc.get_field @fl : i32
// CHECK: emitc.return
// CHECK: emitc.file "a.c" {
// CHECK: emitc.include "a.h"
