// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%x: tensor<1x2x3x4xi8>) {
  %n = nn.resize_nearest %x align_corners half_pixel_centers : (tensor<1x2x3x4xi8>) -> tensor<1x4x6x4xi8>
  %b = nn.resize_bilinear %x half_pixel_centers : (tensor<1x2x3x4xi8>) -> tensor<1x3x7x4xi8>
  func.return
}
// CHECK: nn.resize_nearest %x align_corners half_pixel_centers
// CHECK: nn.resize_bilinear %x half_pixel_centers

// -----

// CHECK: 'nn.resize_bilinear' op cannot align both corners and half pixels
func.func @f(%x: tensor<1x2x3x4xi8>) {
  %b = nn.resize_bilinear %x align_corners half_pixel_centers : (tensor<1x2x3x4xi8>) -> tensor<1x3x7x4xi8>
  func.return
}

// -----

// CHECK: 'nn.resize_nearest' op result must have shape [1, 3, 7, 4], got [1, 3, 7, 5]
func.func @f(%x: tensor<1x2x3x4xi8>) {
  %b = nn.resize_nearest %x : (tensor<1x2x3x4xi8>) -> tensor<1x3x7x5xi8>
  func.return
}

// -----

// CHECK: 'nn.real_resize' op rows must lie from 0 to 1
func.func @f(%x: tensor<1x2x3x4xf32>) {
  %b = nn.real_resize %x rows [1.5] columns [0.0] : (tensor<1x2x3x4xf32>) -> tensor<1x1x1x4xf32>
  func.return
}

// -----

// CHECK: 'nn.real_resize' op integers, and they alone, have zero points, scales and a clamp
func.func @f(%x: tensor<1x2x3x4xi8>) {
  %b = nn.real_resize %x rows [1.0] columns [0.0] : (tensor<1x2x3x4xi8>) -> tensor<1x1x1x4xi8>
  func.return
}

// -----

// CHECK: 'nn.real_resize' op result must have shape [1, 1, 2, 4], got [1, 1, 1, 4]
func.func @f(%x: tensor<1x2x3x4xf32>) {
  %b = nn.real_resize %x rows [1.0] columns [0.0, 2.0] : (tensor<1x2x3x4xf32>) -> tensor<1x1x1x4xf32>
  func.return
}
