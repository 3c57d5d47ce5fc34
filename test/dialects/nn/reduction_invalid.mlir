// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: 'nn.reduce_max' op axis 2 is none of the 2 dimensions
func.func @f(%x: tensor<2x5xf32>) {
  %y = nn.reduce_max %x axes [2] : (tensor<2x5xf32>) -> tensor<2x1xf32>
  func.return
}

// -----

// CHECK: 'nn.mean' op axes [1, 0] must ascend
func.func @f(%x: tensor<2x5xf32>) {
  %y = nn.mean %x axes [1, 0] : (tensor<2x5xf32>) -> tensor<1x1xf32>
  func.return
}

// -----

// CHECK: 'nn.reduce_sum' op result must have shape [1, 5], got [5]
func.func @f(%x: tensor<2x5xf32>) {
  %y = nn.reduce_sum %x axes [0] : (tensor<2x5xf32>) -> tensor<5xf32>
  func.return
}

// -----

// CHECK: 'nn.mean' op has zero_points, rescale and clamp together or none of them
func.func @f(%x: tensor<2x5xi8>) {
  %y = nn.mean %x axes [0] zero_points [0, 0] : (tensor<2x5xi8>) -> tensor<1x5xi8>
  func.return
}

// -----

// CHECK: 'nn.reduce_any' op elements must be i1, got i8
func.func @f(%x: tensor<2x5xi8>) {
  %y = nn.reduce_any %x axes [0] : (tensor<2x5xi8>) -> tensor<1x5xi8>
  func.return
}

// -----

// CHECK: 'nn.arg_max' op makes i32 or i64, not i8
func.func @f(%x: tensor<2x5xi8>) {
  %y = nn.arg_max %x axis 0 : (tensor<2x5xi8>) -> tensor<5xi8>
  func.return
}

// -----

// CHECK: 'nn.top_k' op cannot take [2, 6] from [2, 5]
func.func @f(%x: tensor<2x5xi8>) {
  %y, %z = nn.top_k %x : (tensor<2x5xi8>) -> (tensor<2x6xi8>, tensor<2x6xi32>)
  func.return
}

// -----

// CHECK: 'nn.cumulative_sum' op has zero_points, rescale and clamp together or none of them
func.func @f(%x: tensor<2x5xi8>) {
  %y = nn.cumulative_sum %x axis 0 zero_points [0, 0] : (tensor<2x5xi8>) -> tensor<2x5xi8>
  func.return
}
