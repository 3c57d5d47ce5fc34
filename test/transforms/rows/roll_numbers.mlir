// RUN: stillpool-opt %s -p roll-rows,emit-c -t c | filecheck %s

// What tells calls apart may be a number: here it is the turn, and then what a table says.
// CHECK:      for (int32_t step = 0; step < 10; ++step) {
// CHECK:        scaled(pool + turn * 8, turn);
// CHECK:        at(pool + turn * 8, (int32_t)(uint8_t)places[turn]);

func.func private @scaled(memref<8xi8>, index) -> ()
func.func private @at(memref<8xi8>, index) -> ()

func.func @main(%pool: memref<200xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %v0 = memref.view %pool[%c0][] : memref<200xi8> to memref<8xi8>
  %v1 = memref.view %pool[%c8][] : memref<200xi8> to memref<8xi8>
  %v2 = memref.view %pool[%c16][] : memref<200xi8> to memref<8xi8>
  %v3 = memref.view %pool[%c24][] : memref<200xi8> to memref<8xi8>
  %v4 = memref.view %pool[%c32][] : memref<200xi8> to memref<8xi8>
  func.call @scaled(%v0, %c0) : (memref<8xi8>, index) -> ()
  func.call @at(%v0, %c3) : (memref<8xi8>, index) -> ()
  func.call @scaled(%v1, %c1) : (memref<8xi8>, index) -> ()
  func.call @at(%v1, %c7) : (memref<8xi8>, index) -> ()
  func.call @scaled(%v2, %c2) : (memref<8xi8>, index) -> ()
  func.call @at(%v2, %c1) : (memref<8xi8>, index) -> ()
  func.call @scaled(%v3, %c3) : (memref<8xi8>, index) -> ()
  func.call @at(%v3, %c4) : (memref<8xi8>, index) -> ()
  func.call @scaled(%v4, %c4) : (memref<8xi8>, index) -> ()
  func.call @at(%v4, %c0) : (memref<8xi8>, index) -> ()
  func.return
}
