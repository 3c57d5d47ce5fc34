// RUN: stillpool-opt %s -p emit-c -t c | filecheck %s

// Scratch words near the beginning of a pool: compilers do not see that they are within reach of the pool's pointer.
// CHECK: #define STILLPOOL_OPAQUE(pointer) __asm__("" : "+r"(pointer))
// CHECK: static void near(
// CHECK: int32_t *words = {{.*}}(pool + 96);
// CHECK-NEXT: STILLPOOL_OPAQUE(words);
func.func private @near(%pool: memref<8192xi8>, %y: memref<2xi32>) attributes {no_inline, task.scheduled} {
  %at = arith.constant 96 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %words = memref.view %pool[%at][] : memref<8192xi8> to memref<2xi32>
  %a = memref.load %words[%c0] : memref<2xi32>
  %b = memref.load %words[%c1] : memref<2xi32>
  memref.store %a, %y[%c1] : memref<2xi32>
  memref.store %b, %y[%c0] : memref<2xi32>
  func.return
}

// Those that are not within reach, and functions without a schedule, need no help.
// CHECK: static void far(
// CHECK-NOT: STILLPOOL_OPAQUE
func.func private @far(%pool: memref<8192xi8>, %y: memref<2xi32>) attributes {no_inline, task.scheduled} {
  %at = arith.constant 4096 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %words = memref.view %pool[%at][] : memref<8192xi8> to memref<2xi32>
  %a = memref.load %words[%c0] : memref<2xi32>
  %b = memref.load %words[%c1] : memref<2xi32>
  memref.store %a, %y[%c1] : memref<2xi32>
  memref.store %b, %y[%c0] : memref<2xi32>
  func.return
}

func.func private @plain(%pool: memref<8192xi8>, %y: memref<2xi32>) {
  %at = arith.constant 96 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %words = memref.view %pool[%at][] : memref<8192xi8> to memref<2xi32>
  %a = memref.load %words[%c0] : memref<2xi32>
  %b = memref.load %words[%c1] : memref<2xi32>
  memref.store %a, %y[%c1] : memref<2xi32>
  memref.store %b, %y[%c0] : memref<2xi32>
  func.return
}

func.func @run(%pool: memref<8192xi8>, %y: memref<2xi32>) {
  func.call @near(%pool, %y) : (memref<8192xi8>, memref<2xi32>) -> ()
  func.call @far(%pool, %y) : (memref<8192xi8>, memref<2xi32>) -> ()
  func.call @plain(%pool, %y) : (memref<8192xi8>, memref<2xi32>) -> ()
  func.return
}
