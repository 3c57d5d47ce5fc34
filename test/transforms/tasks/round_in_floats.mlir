// RUN: stillpool-opt %s -p prepare-tasks{cpu=cortex-m4\ optimize=balanced\ flash=0} | filecheck %s
// RUN: stillpool-opt %s -p round-in-floats | filecheck %s
// RUN: stillpool-opt %s -p prepare-tasks{cpu=cortex-m3\ optimize=balanced\ flash=0} | filecheck %s --check-prefix M3

// No flash for schedules, so loops in order: ONNX's rounding is in floats in these, too, with a word for each channel.
// CHECK-LABEL: func.func private @ties(%x: memref<3x2xi8>, %m: memref<2xi32>, %y: memref<3x2xi8>)
// CHECK: %rounded = simd.scale_real narrow %wide, %factor
// M3-LABEL: func.func private @ties
// M3: fx.rescale_real
"memref.global"() <{sym_name = "m", type = memref<2xi32>, initial_value = dense<[1073741824, 1610612864]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "s", type = memref<2xi8>, initial_value = dense<[0, -3]> : tensor<2xi8>, sym_visibility = "private", constant}> : () -> ()
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

// One factor is a constant.
// CHECK-LABEL: func.func private @one
// CHECK: %rounded = simd.scale_real %wide, %c1048576001_i32
// M3-LABEL: func.func private @one
// M3: fx.rescale_real
func.func private @one(%x: memref<6xi8>, %y: memref<6xi8>) {
  %factor = arith.constant 1073741952 : i32
  %distance = arith.constant -1 : i32
  task.nest space(i = 6) fold()
    finish (%value = %x[i] : memref<6xi8>) {
      %wide = arith.extsi %value : i8 to i32
      %scaled = fx.rescale_real %wide, %factor, %distance
      %result = arith.trunci %scaled : i32 to i8
      task.yield %result : i8
    }
    writes (%y[i] : memref<6xi8>)
  func.return
}

func.func @main(%x: memref<3x2xi8>, %y: memref<3x2xi8>, %z: memref<6xi8>, %t: memref<6xi8>) {
  %m = memref.get_global @m : memref<2xi32>
  %s = memref.get_global @s : memref<2xi8>
  func.call @ties(%x, %m, %s, %y) : (memref<3x2xi8>, memref<2xi32>, memref<2xi8>, memref<3x2xi8>) -> ()
  func.call @one(%z, %t) : (memref<6xi8>, memref<6xi8>) -> ()
  func.return
}
