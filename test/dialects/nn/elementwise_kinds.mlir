// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

func.func @kinds(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %g: tensor<4xi16>, %b: tensor<2xi8>) {
  // CHECK: nn.binary maximum %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = nn.binary maximum %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.unary round_even %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = nn.unary round_even %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.compare less_equal %b, %b zero_points [3, 4] rescale <[1073741824, 1073741824], [0, 0]>
  %2 = nn.compare less_equal %b, %b zero_points [3, 4] rescale <[1073741824, 1073741824], [0, 0]> : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi1>
  // CHECK: nn.sigmoid tanh %g multiplier 3 shift 0 : (tensor<4xi16>) -> tensor<4xi16>
  %3 = nn.sigmoid tanh %g multiplier 3 shift 0 : (tensor<4xi16>) -> tensor<4xi16>
  // CHECK: nn.sub %x, %y clamp <0.0, inf>
  %4 = nn.sub %x, %y clamp <0.0, inf> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: nn.cast %b : (tensor<2xi8>) -> tensor<2xi1>
  %5 = nn.cast %b : (tensor<2xi8>) -> tensor<2xi1>
  func.return
}
