// RUN: xdsl-opt -p "usmp-assign-pools,usmp-overlap,usmp-state-windows{always=true},usmp-plan,usmp-check" --split-input-file %s | filecheck %s

// What is new is written behind what the state held, and all of it moves down once it was used: nothing is copied in or out.
// Bytes of the window that the state did not hold are zeros after a reset.

// CHECK:       func.func @after
// CHECK-NEXT:    [[window:%.*]] = memref.alloc() {{.*}}alignment = 4{{.*}}pool.kind = #pool.kind<state>, pool.initial = dense<[1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0]> : tensor<12xi8>
// CHECK-NEXT:    arith.constant 8
// CHECK-NEXT:    [[new:%.*]] = memref.view [[window]]
// CHECK-NEXT:    func.call @make(%input, [[new]])
// CHECK-NOT:     copy
// CHECK:         func.call @use([[window]], %output)
// CHECK-NEXT:    arith.constant 0
// CHECK-NEXT:    [[all:%.*]] = memref.view [[window]]
// CHECK-NEXT:    simd.slide_bytes [[all]] by 4 : memref<12xi8>
// CHECK-NEXT:    func.return
func.func @after(%input: memref<4xi8>, %output: memref<12xi8>) {
  %s = memref.alloc() {pool.name = "s", pool.kind = #pool.kind<state>, pool.initial = dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi8>} : memref<8xi8>
  %a = memref.alloc() {pool.name = "a", pool.kind = #pool.kind<activation>} : memref<4xi8>
  func.call @make(%input, %a) : (memref<4xi8>, memref<4xi8>) -> ()
  %old = memref.alloc() {pool.name = "old", pool.kind = #pool.kind<activation>} : memref<8xi8>
  "memref.copy"(%s, %old) : (memref<8xi8>, memref<8xi8>) -> ()
  %window = memref.alloc() {pool.name = "window", pool.kind = #pool.kind<activation>} : memref<12xi8>
  func.call @join(%old, %a, %window) {pool.parts = [#pool.part<0 in 2, offset 0, [8] strides [1]>, #pool.part<1 in 2, offset 8, [4] strides [1]>]} : (memref<8xi8>, memref<4xi8>, memref<12xi8>) -> ()
  %end = memref.alloc() {pool.name = "end", pool.kind = #pool.kind<activation>} : memref<8xi8>
  func.call @cut(%window, %end) {pool.parts = [#pool.part<1 in 0, offset 4, [8] strides [1]>]} : (memref<12xi8>, memref<8xi8>) -> ()
  "memref.copy"(%end, %s) : (memref<8xi8>, memref<8xi8>) -> ()
  func.call @use(%window, %output) : (memref<12xi8>, memref<12xi8>) -> ()
  func.return
}
func.func private @make(%input: memref<4xi8>, %output: memref<4xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0] : memref<4xi8>
  memref.store %value, %output[%0] : memref<4xi8>
  func.return
}
func.func private @use(%input: memref<12xi8>, %output: memref<12xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0] : memref<12xi8>
  memref.store %value, %output[%0] : memref<12xi8>
  func.return
}
func.func private @join(%a: memref<8xi8>, %b: memref<4xi8>, %output: memref<12xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %value = memref.load %a[%i] : memref<8xi8>
    memref.store %value, %output[%i] : memref<12xi8>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %value = memref.load %b[%i] : memref<4xi8>
    %j = arith.addi %i, %c8 : index
    memref.store %value, %output[%j] : memref<12xi8>
  }
  func.return
}
func.func private @cut(%input: memref<12xi8>, %output: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.addi %i, %c4 : index
    %value = memref.load %input[%j] : memref<12xi8>
    memref.store %value, %output[%i] : memref<8xi8>
  }
  func.return
}

// -----

// A state that holds the whole window: its end moves down first, and what is new comes behind it.

// CHECK:       func.func @before
// CHECK-NEXT:    [[state:%.*]] = memref.alloc() {{.*}}pool.kind = #pool.kind<state>, pool.initial = dense<-1> : tensor<12xi8>
// CHECK:         [[new:%.*]] = memref.view [[state]]
// CHECK:         [[all:%.*]] = memref.view [[state]]
// CHECK-NEXT:    simd.slide_bytes [[all]] by 4 : memref<12xi8>
// CHECK-NEXT:    func.call @make(%input, [[new]])
// CHECK-NOT:     copy
// CHECK:         func.call @use([[state]], %output)
// CHECK-NEXT:    func.return
func.func @before(%input: memref<4xi8>, %output: memref<12xi8>) {
  %s = memref.alloc() {pool.name = "s", pool.kind = #pool.kind<state>, pool.initial = dense<-1> : tensor<12xi8>} : memref<12xi8>
  %window = memref.alloc() {pool.name = "window", pool.kind = #pool.kind<activation>} : memref<12xi8>
  %eight = arith.constant 8 : index
  %a = memref.view %window[%eight][] : memref<12xi8> to memref<4xi8>
  func.call @make(%input, %a) : (memref<4xi8>, memref<4xi8>) -> ()
  %old = memref.alloc() {pool.name = "old", pool.kind = #pool.kind<activation>} : memref<12xi8>
  "memref.copy"(%s, %old) : (memref<12xi8>, memref<12xi8>) -> ()
  %four = arith.constant 4 : index
  %end = memref.view %old[%four][] : memref<12xi8> to memref<8xi8>
  %zero = arith.constant 0 : index
  %begin = memref.view %window[%zero][] : memref<12xi8> to memref<8xi8>
  "memref.copy"(%end, %begin) : (memref<8xi8>, memref<8xi8>) -> ()
  "memref.copy"(%window, %s) : (memref<12xi8>, memref<12xi8>) -> ()
  func.call @use(%window, %output) : (memref<12xi8>, memref<12xi8>) -> ()
  func.return
}
func.func private @make(%input: memref<4xi8>, %output: memref<4xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0] : memref<4xi8>
  memref.store %value, %output[%0] : memref<4xi8>
  func.return
}
func.func private @use(%input: memref<12xi8>, %output: memref<12xi8>) {
  %0 = arith.constant 0 : index
  %value = memref.load %input[%0] : memref<12xi8>
  memref.store %value, %output[%0] : memref<12xi8>
  func.return
}

// -----

// What is written over where the state would lie keeps it out of the window; so does one that is written afterwards.

// CHECK:       func.func @over
// CHECK:         "memref.copy"
// CHECK:         "memref.copy"
// CHECK-NOT:     simd.slide_bytes
func.func @over(%input: memref<8xi8>, %output: memref<8xi8>) {
  %s = memref.alloc() {pool.name = "s", pool.kind = #pool.kind<state>} : memref<4xi8>
  %window = memref.alloc() {pool.name = "window", pool.kind = #pool.kind<activation>} : memref<8xi8>
  %zero = arith.constant 0 : index
  %begin = memref.view %window[%zero][] : memref<8xi8> to memref<4xi8>
  "memref.copy"(%s, %begin) : (memref<4xi8>, memref<4xi8>) -> ()
  func.call @all(%input, %window) : (memref<8xi8>, memref<8xi8>) -> ()
  %four = arith.constant 4 : index
  %end = memref.view %window[%four][] : memref<8xi8> to memref<4xi8>
  "memref.copy"(%end, %s) : (memref<4xi8>, memref<4xi8>) -> ()
  func.call @all(%window, %output) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}

// CHECK:       func.func @later
// CHECK:         "memref.copy"
// CHECK:         "memref.copy"
// CHECK-NOT:     simd.slide_bytes
func.func @later(%input: memref<4xi8>, %output: memref<8xi8>) {
  %s = memref.alloc() {pool.name = "t", pool.kind = #pool.kind<state>} : memref<4xi8>
  %window = memref.alloc() {pool.name = "window", pool.kind = #pool.kind<activation>} : memref<8xi8>
  %zero = arith.constant 0 : index
  %begin = memref.view %window[%zero][] : memref<8xi8> to memref<4xi8>
  "memref.copy"(%s, %begin) : (memref<4xi8>, memref<4xi8>) -> ()
  %four = arith.constant 4 : index
  %end = memref.view %window[%four][] : memref<8xi8> to memref<4xi8>
  "memref.copy"(%input, %end) : (memref<4xi8>, memref<4xi8>) -> ()
  "memref.copy"(%end, %s) : (memref<4xi8>, memref<4xi8>) -> ()
  "memref.copy"(%input, %end) : (memref<4xi8>, memref<4xi8>) -> ()
  func.call @all(%window, %output) : (memref<8xi8>, memref<8xi8>) -> ()
  func.return
}
func.func private @all(%input: memref<8xi8>, %output: memref<8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %value = memref.load %input[%i] : memref<8xi8>
    memref.store %value, %output[%i] : memref<8xi8>
  }
  func.return
}
