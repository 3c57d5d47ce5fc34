// RUN: stillpool-opt -p emit-c -t c %s --split-input-file | filecheck %s

// What is private and used by nothing public is left out: C compilers warn of it.

// CHECK-NOT: alone
// CHECK-NOT: lost
// CHECK: static const int8_t found[4]
// CHECK-NOT: alone
// CHECK: static {{.*}} helper(
// CHECK: int8_t main_(
"memref.global"() <{sym_name = "lost", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "found", type = memref<4xi8>, initial_value = dense<2> : tensor<4xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @alone(%x: memref<4xi8>, %i: index) -> i8 {
  %lost = memref.get_global @lost : memref<4xi8>
  %v = func.call @helper(%x, %i) : (memref<4xi8>, index) -> i8
  %w = memref.load %lost[%i] : memref<4xi8>
  %sum = arith.addi %v, %w : i8
  func.return %sum : i8
}
func.func private @helper(%x: memref<4xi8>, %i: index) -> i8 {
  %found = memref.get_global @found : memref<4xi8>
  %v = memref.load %x[%i] : memref<4xi8>
  %w = memref.load %found[%i] : memref<4xi8>
  %sum = arith.addi %v, %w : i8
  func.return %sum : i8
}
func.func @main_(%x: memref<4xi8>, %i: index) -> i8 {
  %v = func.call @helper(%x, %i) : (memref<4xi8>, index) -> i8
  func.return %v : i8
}

// -----

// Without a public function the private ones are what is asked for.

// CHECK: static {{.*}} alone(
func.func private @alone(%x: memref<4xi8>, %i: index) -> i8 {
  %v = memref.load %x[%i] : memref<4xi8>
  func.return %v : i8
}
