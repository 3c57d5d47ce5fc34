// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt %s --print-op-generic | stillpool-opt | filecheck %s

// Every requantisation has a rounding, which is not written where it is TensorFlow Lite's.

// CHECK-LABEL: func.func @roundings
func.func @roundings(%x: tensor<1x4xi8>, %y: tensor<1x4xf32>) {
  // CHECK-NEXT: nn.rescale %x zero_points [0, 0] rescale <[1073741952], [-1]> clamp <-128, 127>
  %a = nn.rescale %x zero_points [0, 0] rescale <[1073741952], [-1], double> clamp <-128, 127> : (tensor<1x4xi8>) -> tensor<1x4xi8>
  // CHECK-NEXT: nn.rescale %x zero_points [0, 0] rescale <[1073741825], [-1], single> clamp <-128, 127>
  %b = nn.rescale %x zero_points [0, 0] rescale <[1073741825], [-1], single> clamp <-128, 127> : (tensor<1x4xi8>) -> tensor<1x4xi8>
  // CHECK-NEXT: nn.rescale %x zero_points [0, 0] rescale <[1073741952], [-1], real> clamp <-128, 127>
  %c = nn.rescale %x zero_points [0, 0] rescale <[1073741952], [-1], real> clamp <-128, 127> : (tensor<1x4xi8>) -> tensor<1x4xi8>
  // CHECK-NEXT: nn.quantize %y scale 1.000000e-01 zero_point 3 to_even
  %d = nn.quantize %y scale 1.000000e-01 zero_point 3 to_even : (tensor<1x4xf32>) -> tensor<1x4xi8>
  // CHECK-NEXT: nn.real_binary add %a, %b zero_points [1, 2, 3] scales [1.000000e+00, 2.000000e+00, 5.000000e-01] clamp <-128, 127>
  %e = nn.real_binary add %a, %b zero_points [1, 2, 3] scales [1.0, 2.0, 0.5] clamp <-128, 127> : (tensor<1x4xi8>, tensor<1x4xi8>) -> tensor<1x4xi8>
  func.return
}

// CHECK-LABEL: func.func @pool
func.func @pool(%x: tensor<1x4x4x2xi8>) {
  // CHECK-NEXT: nn.real_average_pool2d %x kernel [4, 4] strides [1, 1] pads [0, 0, 0, 0] zero_points [1, 2] scales [1.000000e+00, 2.000000e+00] clamp <-128, 127>
  %a = nn.real_average_pool2d %x kernel [4, 4] strides [1, 1] pads [0, 0, 0, 0] zero_points [1, 2] scales [1.0, 2.0] clamp <-128, 127> : (tensor<1x4x4x2xi8>) -> tensor<1x1x1x2xi8>
  // CHECK-NEXT: nn.real_average_pool2d {{.*}} scales [1.000000e+00, 2.000000e+00] order "lanes" clamp <-128, 127>
  %b = nn.real_average_pool2d %x kernel [4, 4] strides [1, 1] pads [0, 0, 0, 0] zero_points [1, 2] scales [1.0, 2.0] order "lanes" clamp <-128, 127> : (tensor<1x4x4x2xi8>) -> tensor<1x1x1x2xi8>
  // CHECK-NEXT: nn.real_average_pool2d {{.*}} scales [1.000000e+00, 2.000000e+00] order "pairs" clamp <-128, 127>
  %c = nn.real_average_pool2d %x kernel [4, 4] strides [1, 1] pads [0, 0, 0, 0] zero_points [1, 2] scales [1.0, 2.0] order "pairs" clamp <-128, 127> : (tensor<1x4x4x2xi8>) -> tensor<1x1x1x2xi8>
  func.return
}

// CHECK-LABEL: func.func @resize
func.func @resize(%x: tensor<1x2x2x3xi8>, %y: tensor<1x2x2x3xf32>) {
  // CHECK-NEXT: nn.real_resize %x rows [2.500000e-01, 1.000000e+00] columns [0.000000e+00] zero_points [1, 2] scales [1.000000e+00, 2.000000e+00] clamp <-128, 127>
  %a = nn.real_resize %x rows [0.25, 1.0] columns [0.0] zero_points [1, 2] scales [1.0, 2.0] clamp <-128, 127> : (tensor<1x2x2x3xi8>) -> tensor<1x2x1x3xi8>
  // CHECK-NEXT: nn.real_resize {{.*}} scales [1.000000e+00, 1.000000e+00] truncates clamp <-128, 127>
  %b = nn.real_resize %x rows [0.25, 1.0] columns [0.0] zero_points [0, 0] scales [1.0, 1.0] truncates clamp <-128, 127> : (tensor<1x2x2x3xi8>) -> tensor<1x2x1x3xi8>
  // CHECK-NEXT: nn.real_resize %y rows [5.000000e-01] columns [0.000000e+00, 1.000000e+00] :
  %c = nn.real_resize %y rows [0.5] columns [0.0, 1.0] : (tensor<1x2x2x3xf32>) -> tensor<1x1x2x3xf32>
  func.return
}
