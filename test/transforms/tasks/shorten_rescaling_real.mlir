// RUN: stillpool-opt %s -p shorten-rescaling{floats=true} | filecheck %s
// RUN: stillpool-opt %s -p shorten-rescaling | filecheck %s --check-prefix M3

// Sums of both channels are small, so that the short form is proved for ONNX's rounding: high halves are rounded down.
// CHECK-LABEL: func.func private @proved
// CHECK: %high = simd.multiply_high_floor_add %{{.*}}, %multiplier, %nudge
// CHECK-NEXT: arith.shrsi %high, %right
// M3-LABEL: func.func private @proved
// M3: simd.multiply_high_floor_add
"memref.global"() <{sym_name = "m", type = memref<2xi32>, initial_value = dense<[1518500224, 1288490112]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "s", type = memref<2xi8>, initial_value = dense<[-4, -3]> : tensor<2xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "m1", type = memref<2xi32>, initial_value = dense<[1073741824, 1610612864]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "s1", type = memref<2xi8>, initial_value = dense<[0, -3]> : tensor<2xi8>, sym_visibility = "private", constant}> : () -> ()
func.func private @proved(%x: memref<3x2xi8>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant -127 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold()
    finish (%value = %x[i, c] : memref<3x2xi8>, %factor = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) {
      %wide = arith.extsi %value : i8 to i32
      %distance = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale_real %wide, %factor, %distance
      %moved = arith.addi %scaled, %zero_point : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

// Halves of the first channel go to even: floats where the processor has them, with one word for each channel.
// CHECK-LABEL: func.func private @ties(%x: memref<3x2xi8>, %m: memref<2xi32>, %y: memref<3x2xi8>)
// CHECK: %rounded = simd.scale_real narrow %wide, %factor
// CHECK-NEXT: %moved = arith.subi %rounded, %{{.*}} overflow<nsw> : i32
// M3-LABEL: func.func private @ties
// M3: fx.rescale_real
func.func private @ties(%x: memref<3x2xi8>, %m: memref<2xi32>, %s: memref<2xi8>, %y: memref<3x2xi8>) {
  %zero_point = arith.constant -127 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  task.nest space(i = 3, c = 2) fold()
    finish (%value = %x[i, c] : memref<3x2xi8>, %factor = %m[c] : memref<2xi32>, %shift = %s[c] : memref<2xi8>) {
      %wide = arith.extsi %value : i8 to i32
      %distance = arith.extsi %shift : i8 to i32
      %scaled = fx.rescale_real %wide, %factor, %distance
      %moved = arith.addi %scaled, %zero_point : i32
      %raised = arith.maxsi %moved, %least : i32
      %clamped = arith.minsi %raised, %most : i32
      %result = arith.trunci %clamped : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i, c] : memref<3x2xi8>)
  func.return
}

func.func @main(%x: memref<3x2xi8>, %y: memref<3x2xi8>, %z: memref<3x2xi8>) {
  %m = memref.get_global @m : memref<2xi32>
  %s = memref.get_global @s : memref<2xi8>
  func.call @proved(%x, %m, %s, %y) : (memref<3x2xi8>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  %m1 = memref.get_global @m1 : memref<2xi32>
  %s1 = memref.get_global @s1 : memref<2xi8>
  func.call @ties(%x, %m1, %s1, %z) : (memref<3x2xi8>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.return
}
