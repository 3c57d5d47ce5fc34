// RUN: stillpool-opt -p emit-c -t c %s | filecheck %s
// RUN: stillpool-opt -p emit-c -t c %s > %t.c && %cc -std=c99 -pedantic -Wall -Wextra -Wconversion -Wshadow -Werror -c %t.c -o %t.o
// RUN: %cc -x c++ -Wall -Wextra -Werror -c %t.c -o %t.o
// REQUIRES: cc

// What memref.alloca and memref.global ask for is asked of the compiler.

// CHECK:      #include <stdint.h>
// CHECK:      #ifndef STILLPOOL_ALIGNED
// CHECK:      STILLPOOL_ALIGNED(64) static const int8_t table[4] = {
"memref.global"() <{sym_name = "table", sym_visibility = "private", type = memref<4xi8>, constant, alignment = 64 : i64, initial_value = dense<[1, 2, 3, 4]> : tensor<4xi8>}> : () -> ()
// CHECK:      static const int8_t plain[2] = {
"memref.global"() <{sym_name = "plain", sym_visibility = "private", type = memref<2xi8>, constant, initial_value = dense<[1, 2]> : tensor<2xi8>}> : () -> ()

// CHECK:      static void copy(const int8_t *x, int8_t *y) {
// CHECK-NEXT:   STILLPOOL_ALIGNED(32) int8_t rows[8];
// CHECK-NEXT:   int8_t others[8];
func.func private @copy(%x: memref<8xi8>, %y: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %rows = memref.alloca() {alignment = 32 : i64} : memref<8xi8>
  %others = memref.alloca() : memref<8xi8>
  %table = memref.get_global @table : memref<4xi8>
  %plain = memref.get_global @plain : memref<2xi8>
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %x[%i] : memref<8xi8>
    %b = memref.load %table[%i] : memref<4xi8>
    %p = memref.load %plain[%c1] : memref<2xi8>
    %c = arith.addi %a, %b : i8
    %d = arith.addi %c, %p : i8
    memref.store %c, %rows[%i] : memref<8xi8>
    memref.store %d, %others[%i] : memref<8xi8>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %a = memref.load %rows[%i] : memref<8xi8>
    %b = memref.load %others[%i] : memref<8xi8>
    %c = arith.addi %a, %b : i8
    memref.store %c, %y[%i] : memref<8xi8>
  }
  func.return
}

// CHECK:      void both(
func.func @both(%x: memref<8xi8>, %y: memref<8xi8>) {
  func.call @copy(%x, %y) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
