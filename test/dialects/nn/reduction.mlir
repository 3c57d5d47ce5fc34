// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt --print-op-generic %s | stillpool-opt | filecheck %s

func.func @reductions(%x: tensor<1x4x4x2xi8>, %b: tensor<3x2xi1>, %f: tensor<2x5xf32>) {
  %m = nn.mean %x axes [1, 2] zero_points [3, -5] rescale <[1073741824], [-4]> clamp <-128, 127> : (tensor<1x4x4x2xi8>) -> tensor<1x1x1x2xi8>
  %s = nn.reduce_sum %f axes [0, 1] : (tensor<2x5xf32>) -> tensor<1x1xf32>
  %h = nn.reduce_max %x axes [3] : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x1xi8>
  %l = nn.reduce_min %f axes [0] : (tensor<2x5xf32>) -> tensor<1x5xf32>
  %inf = nn.reduce_min %f axes [0] infinite : (tensor<2x5xf32>) -> tensor<1x5xf32>
  %p = nn.reduce_product %f axes [] : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %all = nn.reduce_all %b axes [0] : (tensor<3x2xi1>) -> tensor<1x2xi1>
  %any = nn.reduce_any %b axes [1] : (tensor<3x2xi1>) -> tensor<3x1xi1>
  %i = nn.arg_max %f axis 1 : (tensor<2x5xf32>) -> tensor<2xi32>
  %j = nn.arg_min %x axis 0 : (tensor<1x4x4x2xi8>) -> tensor<4x4x2xi64>
  %v, %w = nn.top_k %f : (tensor<2x5xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %c = nn.cumulative_sum %f axis 1 exclusive reverse : (tensor<2x5xf32>) -> tensor<2x5xf32>
  %d = nn.cumulative_sum %x axis 1 zero_points [1, 2] left_shift 20 rescale <[1073741824, 1073741824], [0, -18]> clamp <-128, 127> : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
  func.return
}
// CHECK: nn.mean %x axes [1, 2] zero_points [3, -5] rescale <[1073741824], [-4]> clamp <-128, 127>
// CHECK: nn.reduce_sum %f axes [0, 1]
// CHECK: nn.reduce_max %x axes [3]
// CHECK: nn.reduce_min %f axes [0]
// CHECK: nn.reduce_min %f axes [0] infinite :
// CHECK: nn.reduce_product %f axes []
// CHECK: nn.reduce_all %b axes [0]
// CHECK: nn.reduce_any %b axes [1]
// CHECK: nn.arg_max %f axis 1
// CHECK: nn.arg_min %x axis 0
// CHECK: nn.top_k %f
// CHECK: nn.cumulative_sum %f axis 1 exclusive reverse
// CHECK: nn.cumulative_sum %x axis 1 zero_points [1, 2] left_shift 20

func.func @quantised_product(%x: tensor<2x3xi8>) -> tensor<2x1xi8> {
  // CHECK: nn.reduce_product %x axes [1] zero_points [3, -1] rescale <[1518500250], [-7]> clamp <-128, 127>
  %y = nn.reduce_product %x axes [1] zero_points [3, -1] rescale <[1518500250], [-7]> clamp <-128, 127>
    : (tensor<2x3xi8>) -> tensor<2x1xi8>
  func.return %y : tensor<2x1xi8>
}
