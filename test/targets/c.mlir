// RUN: stillpool-opt -t c %s | filecheck %s --strict-whitespace --match-full-lines
// RUN: stillpool-opt -t c %s > %t.c && %cc -std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -c %t.c -o %t.o
// REQUIRES: cc

// What the printer makes of each construct; the text is compiled with all warnings as errors.

emitc.include <"stdbool.h">
emitc.include <"stdint.h">
//      CHECK:#include <stdbool.h>
// CHECK-NEXT:#include <stdint.h>

emitc.global const @table : !emitc.array<2x2xi8> = dense<[[1, -2], [3, 4]]>
emitc.global @extremes : !emitc.array<3xi32> = dense<[-2147483648, 2147483647, 0]>
emitc.global @zeros : !emitc.array<4xf32> = dense<0.0>
emitc.global @third : f32 = 0.333333343
//      CHECK:const int8_t table[2][2] = {
//      CHECK:int32_t extremes[3] = {
// CHECK-NEXT:  INT32_MIN, 2147483647, 0,
// CHECK-NEXT:};
// CHECK-NEXT:float zeros[4] = {0};
// CHECK-NEXT:float third = 0.333333343f;

emitc.func @precedence(%a: i32, %b: i32, %c: i32) -> i32 attributes {specifiers = ["static"]} {
  %0 = emitc.expression %a, %b, %c : (i32, i32, i32) -> i32 {
    %sum = emitc.add %a, %b : (i32, i32) -> i32
    %shifted = emitc.bitwise_left_shift %sum, %c : (i32, i32) -> i32
    %product = emitc.mul %sum, %shifted : (i32, i32) -> i32
    %difference = emitc.sub %a, %product : (i32, i32) -> i32
    %negative = emitc.unary_minus %difference : (i32) -> i32
    %less = emitc.cmp lt, %negative, %c : (i32, i32) -> i1
    %result = emitc.conditional %less, %a, %b : i32
    emitc.yield %result : i32
  }
  emitc.return %0 : i32
}
//      CHECK:static int32_t precedence(int32_t a, int32_t b, int32_t c) {
// CHECK-NEXT:  return -(a - (a + b) * ((a + b) << c)) < c ? a : b;
// CHECK-NEXT:}

emitc.func @loops(%x: !emitc.ptr<!emitc.opaque<"const int8_t">>, %n: i32) -> i32 {
  emitc.verbatim "/* sum of every second element */"
  %zero = "emitc.constant"() <{value = 0 : i32}> : () -> i32
  %two = "emitc.constant"() <{value = 2 : i32}> : () -> i32
  %total = "emitc.variable"() <{value = #emitc.opaque<"">}> : () -> !emitc.lvalue<i32>
  emitc.assign %zero : i32 to %total : <i32>
  emitc.for %i = %zero to %n step %two : i32 {
    %place = emitc.subscript %x[%i] : (!emitc.ptr<!emitc.opaque<"const int8_t">>, i32) -> !emitc.lvalue<!emitc.opaque<"const int8_t">>
    %next = emitc.expression %total, %place : (!emitc.lvalue<i32>, !emitc.lvalue<!emitc.opaque<"const int8_t">>) -> i32 {
      %old = emitc.load %total : <i32>
      %byte = emitc.load %place : <!emitc.opaque<"const int8_t">>
      %wide = emitc.cast %byte : !emitc.opaque<"const int8_t"> to i32
      %new = emitc.add %old, %wide : (i32, i32) -> i32
      emitc.yield %new : i32
    }
    emitc.assign %next : i32 to %total : <i32>
  }
  %result = emitc.load %total : <i32>
  emitc.return %result : i32
}
//      CHECK:int32_t loops(const int8_t *x, int32_t n) {
// CHECK-NEXT:  /* sum of every second element */
// CHECK-NEXT:  int32_t total = 0;
// CHECK-NEXT:  for (int32_t i = 0; i < n; i += 2) {
// CHECK-NEXT:    total = total + (int32_t)x[i];
// CHECK-NEXT:  }
// CHECK-NEXT:  int32_t result = total;
// CHECK-NEXT:  return result;
// CHECK-NEXT:}

emitc.func @branches(%while: i32, %flag: i1) -> i32 {
  %one = "emitc.constant"() <{value = 1 : i32}> : () -> i32
  %state = "emitc.variable"() <{value = 5 : i32}> : () -> !emitc.lvalue<i32>
  emitc.if %flag {
    emitc.assign %while : i32 to %state : <i32>
  } else {
    emitc.assign %one : i32 to %state : <i32>
  }
  emitc.switch %while : i32
  case 3 {
    emitc.assign %one : i32 to %state : <i32>
    emitc.yield
  }
  default {
  }
  %last = emitc.load %state : <i32>
  %called = emitc.call @precedence(%last, %one, %one) : (i32, i32, i32) -> i32
  emitc.return %called : i32
}
//      CHECK:int32_t branches(int32_t while_1, bool flag) {
// CHECK-NEXT:  int32_t state = 5;
// CHECK-NEXT:  if (flag) {
// CHECK-NEXT:    state = while_1;
// CHECK-NEXT:  } else {
// CHECK-NEXT:    state = 1;
// CHECK-NEXT:  }
// CHECK-NEXT:  switch (while_1) {
// CHECK-NEXT:  case 3: {
// CHECK-NEXT:    state = 1;
// CHECK-NEXT:    break;
// CHECK-NEXT:  }
// CHECK-NEXT:  default: {
// CHECK-NEXT:    break;
// CHECK-NEXT:  }
// CHECK-NEXT:  }
// CHECK-NEXT:  int32_t last = state;
// CHECK-NEXT:  int32_t called = precedence(last, 1, 1);
// CHECK-NEXT:  return called;
// CHECK-NEXT:}
