// RUN: xdsl-opt %s -p reach-externals | filecheck %s
// RUN: xdsl-opt %s -p 'reach-externals,usmp-align{alignments="x=64","weights=4"}' | filecheck %s --check-prefix ALIGN

pool.declare @dtcm workspace
pool.declare @sram workspace
pool.declare @rom constant

// CHECK: sym_name = "weights"
// CHECK-SAME: alignment = 32 : i64
// CHECK-SAME: pool.candidates = [@rom]
"memref.global"() <{sym_name = "weights", type = memref<4xi8>, initial_value = dense<1> : tensor<4xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @f(%x: memref<4xi8>, %w: memref<4xi8>, %y: memref<4xi8>) {
  // CHECK: memref.alloc() {alignment = 32 : i64, {{.*}}pool.line = 32 : i64, pool.candidates = [@sram]} : memref<8xi8>
  %s = memref.alloc() {pool.kind = #pool.kind<scratch>} : memref<8xi8>
  "external.call"(%x, %w, %y, %s) <{function = "f", kind = "k", names = ["a", "w", "b"], parameters = {}, scratch_bytes = 8 : i64, alignment = 32 : i64, pools = ["sram", "rom"], types = array<i32: 1, 1, 1>, operandSegmentSizes = array<i32: 2, 1, 1, 0>}> : (memref<4xi8>, memref<4xi8>, memref<4xi8>, memref<8xi8>) -> ()
  func.return
}

// CHECK-LABEL: func.func @entry
func.func @entry() {
  // CHECK: %x = memref.alloc() {alignment = 32 : i64, pool.name = "x", pool.line = 32 : i64, pool.candidates = [@sram]} : memref<4xi8>
  // ALIGN: %x = memref.alloc() {alignment = 64 : i64, pool.name = "x", pool.line = 64 : i64
  %x = memref.alloc() {pool.name = "x"} : memref<4xi8>
  // Candidates that are there already are narrowed down.
  // CHECK: %y = memref.alloc() {{.*}}pool.candidates = [@sram]
  %y = memref.alloc() {pool.candidates = [@dtcm, @sram]} : memref<4xi8>
  // CHECK-NEXT: %other = memref.alloc() : memref<4xi8>
  %other = memref.alloc() : memref<4xi8>
  %w = memref.get_global @weights : memref<4xi8>
  func.call @f(%x, %w, %y) : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  func.call @g(%other, %other) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

func.func private @g(%x: memref<4xi8>, %y: memref<4xi8>) {
  "memref.copy"(%x, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}
