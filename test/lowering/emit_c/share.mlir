// RUN: xdsl-opt -p emit-c{share=true} -t c %s | filecheck %s
// RUN: xdsl-opt -p emit-c -t c %s | filecheck %s --check-prefix APART

// What differs becomes arguments, once for all uses that differ alike; divisors and steps stay constants.

// APART-DAG: static void scale_0(
// APART-DAG: static void scale_1(
// APART-DAG: static void scale_2(

// CHECK:      static void scale_0(const int32_t *x, int32_t *y, int32_t i_count, int32_t constant) {
// CHECK-NEXT:   /* of four */
// CHECK-NEXT:   /* of six */
// CHECK-NEXT:   for (int32_t i = 0; i < i_count; ++i) {
// CHECK-NEXT:     for (int32_t j = 0; j < i_count; ++j) {
// CHECK-NEXT:       y[i * i_count + j] = (x[i * i_count + j] + constant) / 3 * 5;
// CHECK:      static void scale_2(
// CHECK:          y[i * 6 + j] = (x[i * 6 + j] + 8) / 7 * 5;
// CHECK:      void main_(
// CHECK:        scale_0(a, b, 4, 7);
// CHECK-NEXT:   scale_0(c, d, 6, 8);
// CHECK-NEXT:   scale_2(c, d);

func.func private @scale_0(%x: memref<4x4xi32>, %y: memref<4x4xi32>) attributes {nn.comment = "of four"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %value = memref.load %x[%i, %j] : memref<4x4xi32>
      %more = arith.addi %value, %seven overflow<nsw> : i32
      %part = arith.divsi %more, %three : i32
      %times = arith.muli %part, %five overflow<nsw> : i32
      memref.store %times, %y[%i, %j] : memref<4x4xi32>
    }
  }
  func.return
}

func.func private @scale_1(%x: memref<6x6xi32>, %y: memref<6x6xi32>) attributes {nn.comment = "of six"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %eight = arith.constant 8 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %value = memref.load %x[%i, %j] : memref<6x6xi32>
      %more = arith.addi %value, %eight overflow<nsw> : i32
      %part = arith.divsi %more, %three : i32
      %times = arith.muli %part, %five overflow<nsw> : i32
      memref.store %times, %y[%i, %j] : memref<6x6xi32>
    }
  }
  func.return
}

func.func private @scale_2(%x: memref<6x6xi32>, %y: memref<6x6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %eight = arith.constant 8 : i32
  %seven = arith.constant 7 : i32
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %value = memref.load %x[%i, %j] : memref<6x6xi32>
      %more = arith.addi %value, %eight overflow<nsw> : i32
      %part = arith.divsi %more, %seven : i32
      %times = arith.muli %part, %five overflow<nsw> : i32
      memref.store %times, %y[%i, %j] : memref<6x6xi32>
    }
  }
  func.return
}

func.func @main_(%a: memref<4x4xi32>, %b: memref<4x4xi32>, %c: memref<6x6xi32>, %d: memref<6x6xi32>) {
  func.call @scale_0(%a, %b) : (memref<4x4xi32>, memref<4x4xi32>) -> ()
  func.call @scale_1(%c, %d) : (memref<6x6xi32>, memref<6x6xi32>) -> ()
  func.call @scale_2(%c, %d) : (memref<6x6xi32>, memref<6x6xi32>) -> ()
  func.return
}

// Functions that are alike once what they call is one become one, too.
// CHECK:      static void inner_0(const int32_t *x, int32_t *y, int32_t constant) {
// CHECK-NOT:  static void inner_1(
// CHECK:      static void outer_0(const int32_t *x, int32_t *y, int32_t constant) {
// CHECK-NEXT:   /* number 0 */
// CHECK-NEXT:   /* number 1 */
// CHECK-NEXT:   inner_0(x, y, constant);
// CHECK-NOT:  static void outer_1(
// CHECK:      void twice(
// CHECK-NEXT:   outer_0(a, b, 3);
// CHECK-NEXT:   outer_0(b, a, 4);

func.func private @inner_0(%x: memref<4x4xi32>, %y: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %add = arith.constant 3 : i32
  %mask = arith.constant 7 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %value = memref.load %x[%i, %j] : memref<4x4xi32>
      %more = arith.addi %value, %add overflow<nsw> : i32
      %part = arith.andi %more, %mask : i32
      memref.store %part, %y[%i, %j] : memref<4x4xi32>
    }
  }
  func.return
}

func.func private @outer_0(%x: memref<4x4xi32>, %y: memref<4x4xi32>) attributes {nn.comment = "number 0"} {
  func.call @inner_0(%x, %y) : (memref<4x4xi32>, memref<4x4xi32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %value = memref.load %x[%i, %i] : memref<4x4xi32>
    %square = arith.muli %value, %value overflow<nsw> : i32
    memref.store %square, %y[%i, %i] : memref<4x4xi32>
  }
  func.return
}

func.func private @inner_1(%x: memref<4x4xi32>, %y: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %add = arith.constant 4 : i32
  %mask = arith.constant 7 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %value = memref.load %x[%i, %j] : memref<4x4xi32>
      %more = arith.addi %value, %add overflow<nsw> : i32
      %part = arith.andi %more, %mask : i32
      memref.store %part, %y[%i, %j] : memref<4x4xi32>
    }
  }
  func.return
}

func.func private @outer_1(%x: memref<4x4xi32>, %y: memref<4x4xi32>) attributes {nn.comment = "number 1"} {
  func.call @inner_1(%x, %y) : (memref<4x4xi32>, memref<4x4xi32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %value = memref.load %x[%i, %i] : memref<4x4xi32>
    %square = arith.muli %value, %value overflow<nsw> : i32
    memref.store %square, %y[%i, %i] : memref<4x4xi32>
  }
  func.return
}

func.func @twice(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
  func.call @outer_0(%a, %b) : (memref<4x4xi32>, memref<4x4xi32>) -> ()
  func.call @outer_1(%b, %a) : (memref<4x4xi32>, memref<4x4xi32>) -> ()
  func.return
}
