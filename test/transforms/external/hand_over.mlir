// RUN: xdsl-opt %s -p 'hand-over{externals="conv_2d=my_conv:scratch=64,align=16,pool=sram+flash,device=npu,async","to*=my_relu"}' | filecheck %s
// RUN: xdsl-opt %s -p 'hand-over{externals="clamp=my_relu"},lower-nn' | filecheck %s --check-prefix LOWERED

// The first request that matches counts; the reshape is a view and nobody's work.

// CHECK-LABEL: func.func @two
func.func @two(%x: tensor<1x2x2x1xf32>) -> tensor<4xf32> {
  %w = nn.constant dense<1.0> : tensor<1x1x1x1xf32>
  // CHECK: %c = external.operator "my_conv" "conv2d" ["input", "filter", "output"] {input_shape = array<i32: 1, 2, 2, 1>, filter_shape = array<i32: 1, 1, 1, 1>, output_shape = array<i32: 1, 2, 2, 1>, strides = array<i32: 1, 1>, pads = array<i32: 0, 0, 0, 0>, dilations = array<i32: 1, 1>, filter_scales = array<f32>,
  // CHECK-SAME: zero_points = array<i32>, multiplier = array<i32>, shift = array<i32>, clamp_min = 0 : i32, clamp_max = 0 : i32, clamp_float_min = 0.000000e+00 : f32, clamp_float_max = 0.000000e+00 : f32}(%x, %w)
  // CHECK-SAME: scratch 64 : i64 align 16 : i64 pools ["sram", "flash"] device "npu" asynchronous {nn.origin = #nn.origin<0, "CONV_2D", "convolved">}
  %c = nn.conv2d %x, %w strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] {nn.origin = #nn.origin<0, "CONV_2D", "convolved">} : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32>
  // CHECK-NEXT: %r = nn.reshape
  %r = nn.reshape %c {nn.origin = #nn.origin<1, "RESHAPE", "row">} : (tensor<1x2x2x1xf32>) -> tensor<4xf32>
  // CHECK-NEXT: external.operator "my_relu" "clamp" ["input", "output"] {input_shape = array<i32: 4>, output_shape = array<i32: 4>,
  // CHECK-SAME: clamp_float_min = 0.000000e+00 : f32, clamp_float_max = 6.000000e+00 : f32
  %y = nn.clamp %r clamp <0.0, 6.0> {nn.origin = #nn.origin<2, "RELU6", "top">} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// LOWERED: func.func private @[[F:.*]](%input: memref<4xf32>, %output: memref<4xf32>)
// LOWERED-NEXT: "external.call"(%input, %output) <{function = "my_relu", kind = "clamp"
// LOWERED: func.call @[[F]]
