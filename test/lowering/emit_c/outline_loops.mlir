// RUN: stillpool-opt %s -p outline-loops | filecheck %s
// RUN: stillpool-opt %s -p outline-loops,emit-c{share=true} -t c | filecheck %s --check-prefix C

// Loops around loops that differ in constants and in what they read and write become functions, what they use of what
// stands before them are arguments. Names that all have in common are theirs.
// CHECK-LABEL: func.func private @sums_loop(%left: memref<4x6xi32>, %right: memref<4xi32>) attributes {nn.comment = "one of 3 loops of sums that are alike"} {
// CHECK:         arith.constant 3 : i32
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:       func.func private @sums_loop_alike(%left: memref<4x6xi32>, %right: memref<4xi32>) {
// CHECK:         arith.constant 5 : i32
// CHECK-LABEL: func.func private @sums(
// CHECK-NOT:     scf.for
// CHECK:         func.call @sums_loop(%first_left, %first_right)
// CHECK-NEXT:    func.call @sums_loop_alike(%second_left, %second_right)
// CHECK-NEXT:    func.call @sums_loop(%second_left, %first_right)
// CHECK-NEXT:    func.return

// `emit-c` makes one of those that differ in constants.
// C:      static void sums_loop(const int32_t *left, int32_t *right, int32_t constant) {
// C-NEXT:   /* one of 3 loops of sums that are alike */
// C-NOT:    sums_loop_alike
// C:      static void sums(
// C:        sums_loop(first_left, first_right, 3);
// C-NEXT:   sums_loop(second_left, second_right, 5);
// C-NEXT:   sums_loop(second_left, first_right, 3);

func.func private @sums(%first_left: memref<4x6xi32>, %first_right: memref<4xi32>, %second_left: memref<4x6xi32>, %second_right: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %sum = scf.for %j = %c0 to %c6 step %c1 iter_args(%acc = %zero) -> (i32) {
      %x = memref.load %first_left[%i, %j] : memref<4x6xi32>
      %a = arith.muli %x, %x overflow<nsw> : i32
      %b = arith.xori %a, %x : i32
      %c = arith.andi %b, %a : i32
      %d = arith.ori %c, %x : i32
      %e = arith.andi %d, %b : i32
      %f = arith.xori %e, %c : i32
      %next = arith.addi %acc, %f overflow<nsw> : i32
      scf.yield %next : i32
    }
    %more = arith.addi %sum, %three overflow<nsw> : i32
    memref.store %more, %first_right[%i] : memref<4xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %sum = scf.for %j = %c0 to %c6 step %c1 iter_args(%acc = %zero) -> (i32) {
      %x = memref.load %second_left[%i, %j] : memref<4x6xi32>
      %a = arith.muli %x, %x overflow<nsw> : i32
      %b = arith.xori %a, %x : i32
      %c = arith.andi %b, %a : i32
      %d = arith.ori %c, %x : i32
      %e = arith.andi %d, %b : i32
      %f = arith.xori %e, %c : i32
      %next = arith.addi %acc, %f overflow<nsw> : i32
      scf.yield %next : i32
    }
    %more = arith.addi %sum, %five overflow<nsw> : i32
    memref.store %more, %second_right[%i] : memref<4xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %sum = scf.for %j = %c0 to %c6 step %c1 iter_args(%acc = %zero) -> (i32) {
      %x = memref.load %second_left[%i, %j] : memref<4x6xi32>
      %a = arith.muli %x, %x overflow<nsw> : i32
      %b = arith.xori %a, %x : i32
      %c = arith.andi %b, %a : i32
      %d = arith.ori %c, %x : i32
      %e = arith.andi %d, %b : i32
      %f = arith.xori %e, %c : i32
      %next = arith.addi %acc, %f overflow<nsw> : i32
      scf.yield %next : i32
    }
    %more = arith.addi %sum, %three overflow<nsw> : i32
    memref.store %more, %first_right[%i] : memref<4xi32>
  }
  func.return
}

// Two steps of a loop differ, which no function takes as an argument; single loops, loops that depend on counters
// around them, and a body too short for a call of its own stay as well.
// CHECK-LABEL: func.func private @others(
// CHECK-NOT:     func.call
// CHECK:         func.return
func.func private @others(%x: memref<4x6xi32>, %y: memref<4x6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      scf.for %k = %c0 to %c6 step %c1 {
        %v = memref.load %x[%i, %k] : memref<4x6xi32>
        %a = arith.muli %v, %v overflow<nsw> : i32
        %b = arith.xori %a, %v : i32
        %c = arith.andi %b, %a : i32
        %d = arith.ori %c, %v : i32
        memref.store %d, %y[%i, %k] : memref<4x6xi32>
      }
    }
    scf.for %j = %c0 to %c6 step %c1 {
      scf.for %k = %c0 to %c6 step %c1 {
        %v = memref.load %x[%i, %k] : memref<4x6xi32>
        %a = arith.muli %v, %v overflow<nsw> : i32
        %b = arith.xori %a, %v : i32
        %c = arith.andi %b, %a : i32
        %d = arith.ori %c, %v : i32
        memref.store %d, %y[%i, %k] : memref<4x6xi32>
      }
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c2 {
      %v = memref.load %x[%i, %j] : memref<4x6xi32>
      %a = arith.muli %v, %v overflow<nsw> : i32
      %b = arith.xori %a, %v : i32
      %c = arith.andi %b, %a : i32
      memref.store %c, %y[%i, %j] : memref<4x6xi32>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %v = memref.load %x[%i, %j] : memref<4x6xi32>
      %a = arith.muli %v, %v overflow<nsw> : i32
      %b = arith.xori %a, %v : i32
      %c = arith.andi %b, %a : i32
      memref.store %c, %y[%i, %j] : memref<4x6xi32>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %v = memref.load %x[%i, %j] : memref<4x6xi32>
      memref.store %v, %y[%i, %j] : memref<4x6xi32>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %v = memref.load %y[%i, %j] : memref<4x6xi32>
      memref.store %v, %x[%i, %j] : memref<4x6xi32>
    }
  }
  func.return
}

// What others call stays as it is.
// CHECK-LABEL: func.func @main_(
// CHECK:         func.call @sums(
func.func @main_(%a: memref<4x6xi32>, %b: memref<4xi32>, %c: memref<4x6xi32>, %d: memref<4xi32>) {
  func.call @sums(%a, %b, %c, %d) : (memref<4x6xi32>, memref<4xi32>, memref<4x6xi32>, memref<4xi32>) -> ()
  func.call @others(%a, %c) : (memref<4x6xi32>, memref<4x6xi32>) -> ()
  func.return
}
