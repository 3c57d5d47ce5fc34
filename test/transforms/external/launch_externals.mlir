// RUN: xdsl-opt %s -p launch-externals | filecheck %s

// The function goes; its scratch outlives the call.
// CHECK-NOT: @asynchronous
func.func private @asynchronous(%x: memref<4xi8>, %y: memref<4xi8>) {
  %s = memref.alloc() {pool.kind = #pool.kind<scratch>} : memref<8xi8>
  "external.call"(%x, %y, %s) <{function = "f", kind = "k", names = ["a", "b"], parameters = {}, scratch_bytes = 8 : i64, asynchronous, types = array<i32: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (memref<4xi8>, memref<4xi8>, memref<8xi8>) -> ()
  func.return
}

func.func private @copy(%x: memref<4xi8>, %y: memref<4xi8>) {
  "memref.copy"(%x, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

// The wait stands before what reads the result: reading the input as well is no reason.
// CHECK-LABEL: func.func @reads
func.func @reads(%x: memref<4xi8>, %z: memref<4xi8>) {
  // CHECK: %a = memref.alloc
  %a = memref.alloc() : memref<4xi8>
  %b = memref.alloc() : memref<4xi8>
  // CHECK: [[S:%.*]] = memref.alloc() {pool.kind = #pool.kind<scratch>} : memref<8xi8>
  // CHECK-NEXT: [[T:%.*]] = "external.launch"(%x, %a, [[S]]) <{{.*}}> {nn.macs = 9 : i64}
  func.call @asynchronous(%x, %a) {nn.macs = 9 : i64} : (memref<4xi8>, memref<4xi8>) -> ()
  // CHECK-NEXT: func.call @copy(%x, %b)
  func.call @copy(%x, %b) : (memref<4xi8>, memref<4xi8>) -> ()
  // CHECK-NEXT: "external.wait"([[T]], %x, %a, [[S]])
  // CHECK-NEXT: func.call @copy(%a, %z)
  func.call @copy(%a, %z) : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

// Before what writes the input, and before the end of the block.
// CHECK-LABEL: func.func @writes
func.func @writes(%x: memref<4xi8>, %z: memref<4xi8>) {
  %a = memref.alloc() : memref<4xi8>
  // CHECK: [[T:%.*]] = "external.launch"(%x, %z
  func.call @asynchronous(%x, %z) : (memref<4xi8>, memref<4xi8>) -> ()
  // CHECK-NEXT: "external.wait"([[T]]
  // CHECK-NEXT: func.call @copy(%a, %x)
  func.call @copy(%a, %x) : (memref<4xi8>, memref<4xi8>) -> ()
  // CHECK: [[U:%.*]] = "external.launch"(%x, %z
  func.call @asynchronous(%x, %z) : (memref<4xi8>, memref<4xi8>) -> ()
  // CHECK-NEXT: "external.wait"([[U]]
  // CHECK-NEXT: func.return
  func.return
}
