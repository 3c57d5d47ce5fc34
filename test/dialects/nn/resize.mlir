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
