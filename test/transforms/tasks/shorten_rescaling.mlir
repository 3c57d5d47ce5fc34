// RUN: stillpool-opt %s -p shorten-rescaling | filecheck %s
// RUN: stillpool-opt %s -p "choose-forms{cpu=cortex-m4 optimize=size},shorten-rescaling" | filecheck %s --check-prefix SIZE
// RUN: stillpool-opt %s -p shorten-rescaling{low-products=true} | filecheck %s --check-prefix M0

// Armv6-M multiplies to the low half alone: numbers that fit 21 bits in parts, others as on all processors.
// M0-LABEL: func.func private @relu
// M0: %high = simd.scale_narrow_add %sum, %multiplier, %nudge
// M0-NEXT: arith.shrsi %high, %right

// For size the tables stay; that of shifts says how far to shift to the right but for the last bit. Where one of them
// shifts nothing, as one that @relu reads, the longer form stays.
// SIZE: sym_name = "s0_packed", type = memref<2xi8>, initial_value = dense<[0, 5]>
// SIZE-LABEL: func.func private @relu
// SIZE: fx.rescale
// SIZE-LABEL: func.func private @signed
// SIZE:      finish (%multiplier = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>)
// SIZE:      %sign = arith.shrsi %sum, %c31_i32 : i32
// SIZE:      %high = simd.multiply_high_add %{{.*}}, %multiplier, %sign
// SIZE-NEXT: %halves = arith.shrsi %high, %{{.*}} : i32
// SIZE-NEXT: %[[NEXT:.*]] = arith.addi %halves, %c3_i32
// SIZE-NEXT: arith.shrsi %[[NEXT]],

// Records for each channel: multiplier; half of what is shifted out with the zero point; shift to the right. Both calls
// of @relu have their own, and what nothing reads any more is gone.
// CHECK-NOT: sym_name = "m0"
// CHECK-NOT: sym_name = "s0"
// CHECK: sym_name = "m0_packed_1", type = memref<2x3xi32>, initial_value = dense<{{\[\[}}1073741824, 3, 1], [1610612736, 96, 6]]>
// CHECK-NOT: sym_name = "s0"
// CHECK: sym_name = "m0_packed", type = memref<2x3xi32>, initial_value = dense<{{\[\[}}1073741824, -255, 1], [1610612736, -8160, 6]]>
// CHECK: sym_name = "m2_packed", type = memref<2x3xi32>, initial_value = dense<{{\[\[}}1073741825, -128, 0], [1, -510, 2]]>
"memref.global"() <{sym_name = "small", type = memref<2xi32>, initial_value = dense<[100, -200]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "large", type = memref<2xi32>, initial_value = dense<[1073741823, 0]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "m0", type = memref<2xi32>, initial_value = dense<[1073741824, 1610612736]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "s0", type = memref<2xi8>, initial_value = dense<[-1, -6]> : tensor<2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "m2", type = memref<2xi32>, initial_value = dense<[1073741825, 1]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "s2", type = memref<2xi8>, initial_value = dense<[0, -2]> : tensor<2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "m1", type = memref<2xi32>, initial_value = dense<[1073741824, 1073741824]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "s1", type = memref<2xi8>, initial_value = dense<[0, -3]> : tensor<2xi8>, sym_visibility = "private", constant}> : () -> ()

// Below the zero point everything is limited to it: the sign does not count.
// CHECK-LABEL: func.func private @relu(%x: memref<3x4xi8>, %b: memref<2xi32>, %rescale: memref<2x3xi32>, %y: memref<3x2xi8>)
// CHECK:      finish (%multiplier = %rescale[c, 0] : memref<2x3xi32>, %nudge = %rescale[c, 1] : memref<2x3xi32>, %right = %rescale[c, 2] : memref<2x3xi32>) of (%sum: i32) {
// CHECK-NEXT:   %doubled = arith.muli %sum, %c2_i32 overflow<nsw> : i32
// CHECK-NEXT:   %high = simd.multiply_high_add %doubled, %multiplier, %nudge
// CHECK-NEXT:   %moved = arith.shrsi %high, %right : i32
// CHECK-NEXT:   %clamped = simd.saturate %moved 8
// CHECK-NEXT:   %result = arith.trunci %clamped : i32 to i8
// CHECK-NEXT:   task.yield %result : i8
func.func private @relu(%x: memref<3x4xi8>, %b: memref<2xi32>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant -128 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold(k = 4)
    start (%acc = %b[c] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %x[i, k] : memref<3x4xi8>) into (%acc_1: i32) {
      %wide = arith.extsi %value : i8 to i32
      %next = arith.addi %acc_1, %wide overflow<nsw> : i32
      task.yield %next : i32
    }
    finish (%multiplier = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) of (%sum: i32) {
      %shift_1 = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale %sum, %multiplier, %shift_1 right_only
      %moved = arith.addi %scaled, %zero_point overflow<nsw> : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

// The zero point is inside of the range: negative halves are rounded away from zero.
// CHECK-LABEL: func.func private @signed
// CHECK:      %sign = arith.shrsi %sum, %c31_i32 : i32
// CHECK-NEXT: %nudge{{.*}} = arith.addi %sign, %nudge overflow<nsw> : i32
// CHECK-NEXT: %doubled = arith.muli %sum
// CHECK-NEXT: simd.multiply_high_add %doubled, %multiplier, %nudge
func.func private @signed(%x: memref<3x4xi8>, %b: memref<2xi32>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant 1 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold(k = 4)
    start (%acc = %b[c] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %x[i, k] : memref<3x4xi8>) into (%acc_1: i32) {
      %wide = arith.extsi %value : i8 to i32
      %next = arith.addi %acc_1, %wide overflow<nsw> : i32
      task.yield %next : i32
    }
    finish (%multiplier = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) of (%sum: i32) {
      %shift_1 = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale %sum, %multiplier, %shift_1 right_only
      %moved = arith.addi %scaled, %zero_point overflow<nsw> : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

// A sum that may be 2**30 does not fit an i32 when it is doubled.
// CHECK-LABEL: func.func private @too_large(%x: memref<3x4xi8>, %b: memref<2xi32>, %m: memref<2xi32>, %s: memref<2xi8>
// CHECK: fx.rescale
// CHECK: simd.saturate
func.func private @too_large(%x: memref<3x4xi8>, %b: memref<2xi32>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant -128 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold(k = 4)
    start (%acc = %b[c] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %x[i, k] : memref<3x4xi8>) into (%acc_1: i32) {
      %wide = arith.extsi %value : i8 to i32
      %next = arith.addi %acc_1, %wide overflow<nsw> : i32
      task.yield %next : i32
    }
    finish (%multiplier = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) of (%sum: i32) {
      %shift_1 = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale %sum, %multiplier, %shift_1 right_only
      %moved = arith.addi %scaled, %zero_point overflow<nsw> : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

// A bias that is no constant may be anything.
// CHECK-LABEL: func.func private @unknown(
// CHECK: fx.rescale
func.func private @unknown(%x: memref<3x4xi8>, %b: memref<2xi32>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant -128 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold(k = 4)
    start (%acc = %b[c] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %x[i, k] : memref<3x4xi8>) into (%acc_1: i32) {
      %wide = arith.extsi %value : i8 to i32
      %next = arith.addi %acc_1, %wide overflow<nsw> : i32
      task.yield %next : i32
    }
    finish (%multiplier = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) of (%sum: i32) {
      %shift_1 = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale %sum, %multiplier, %shift_1 right_only
      %moved = arith.addi %scaled, %zero_point overflow<nsw> : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

// One channel is not shifted and needs no sign, another does.
// CHECK-LABEL: func.func private @mixed(
// CHECK: fx.rescale
func.func private @mixed(%x: memref<3x4xi8>, %b: memref<2xi32>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant 1 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold(k = 4)
    start (%acc = %b[c] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %x[i, k] : memref<3x4xi8>) into (%acc_1: i32) {
      %wide = arith.extsi %value : i8 to i32
      %next = arith.addi %acc_1, %wide overflow<nsw> : i32
      task.yield %next : i32
    }
    finish (%multiplier = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) of (%sum: i32) {
      %shift_1 = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale %sum, %multiplier, %shift_1 right_only
      %moved = arith.addi %scaled, %zero_point overflow<nsw> : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

// The same where the sign does not count; a clamp that is not the range of a number of bits stays.
// CHECK-LABEL: func.func private @relu_mixed(
// CHECK-NOT: fx.rescale
// CHECK: simd.multiply_high_add
// CHECK: arith.maxsi
// CHECK-NOT: simd.saturate
// CHECK: func.return
func.func private @relu_mixed(%x: memref<3x4xi8>, %b: memref<2xi32>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant 1 : i32
  %least = arith.constant 1 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold(k = 4)
    start (%acc = %b[c] : memref<2xi32>) {
      task.yield %acc : i32
    }
    step (%value = %x[i, k] : memref<3x4xi8>) into (%acc_1: i32) {
      %wide = arith.extsi %value : i8 to i32
      %next = arith.addi %acc_1, %wide overflow<nsw> : i32
      task.yield %next : i32
    }
    finish (%multiplier = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) of (%sum: i32) {
      %shift_1 = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale %sum, %multiplier, %shift_1 right_only
      %moved = arith.addi %scaled, %zero_point overflow<nsw> : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

// A factor that is known is no table: the numbers stand in the code, and a shift by none is no shift.
// CHECK-LABEL: func.func private @known(
// CHECK:      %doubled = arith.muli %{{.*}}, %c2_i32
// CHECK-NEXT: %high = simd.multiply_high_add %doubled, %multiplier, %c1_i32
// CHECK-NEXT: simd.saturate %high 16
func.func private @known(%x: memref<8xi16>, %y: memref<8xi16>) {
  %c1_i32 = arith.constant 1 : i32
  %multiplier = arith.constant 1518500250 : i32
  %shift = arith.constant 0 : i32
  %least = arith.constant -32768 : i32
  %most = arith.constant 32767 : i32
  task.nest space(i = 8) fold()
    finish (%value = %x[i] : memref<8xi16>) {
      %wide = arith.extsi %value : i16 to i32
      %scaled = fx.rescale %wide, %multiplier, %shift right_only
      %moved = arith.addi %scaled, %c1_i32 overflow<nsw> : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i16
      task.yield %result : i16
    }
    writes (%y[i] : memref<8xi16>)
  func.return
}

func.func @main(%x: memref<3x4xi8>, %any: memref<2xi32>, %y: memref<3x2xi8>) {
  %small = memref.get_global @small : memref<2xi32>
  %large = memref.get_global @large : memref<2xi32>
  %m0 = memref.get_global @m0 : memref<2xi32>
  %s0 = memref.get_global @s0 : memref<2xi8>
  %m1 = memref.get_global @m1 : memref<2xi32>
  %s1 = memref.get_global @s1 : memref<2xi8>
  %m2 = memref.get_global @m2 : memref<2xi32>
  %s2 = memref.get_global @s2 : memref<2xi8>
  func.call @relu(%x, %small, %m0, %s0, %y) : (memref<3x4xi8>, memref<2xi32>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.call @relu(%x, %small, %m2, %s2, %y) : (memref<3x4xi8>, memref<2xi32>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.call @signed(%x, %small, %m0, %s0, %y) : (memref<3x4xi8>, memref<2xi32>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.call @too_large(%x, %large, %m1, %s1, %y) : (memref<3x4xi8>, memref<2xi32>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.call @unknown(%x, %any, %m1, %s1, %y) : (memref<3x4xi8>, memref<2xi32>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.call @mixed(%x, %small, %m1, %s1, %y) : (memref<3x4xi8>, memref<2xi32>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.call @relu_mixed(%x, %small, %m1, %s1, %y) : (memref<3x4xi8>, memref<2xi32>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.return
}
