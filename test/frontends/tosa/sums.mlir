// Sums of products with the RESCALE that reads them are one operation.
// RUN: xdsl-opt -p import-tosa %s --split-input-file | filecheck %s

// Factors for each channel, the double rounding of TensorFlow Lite; the bias of zeros is none.
// CHECK-LABEL: @double
// CHECK:         %r = nn.conv2d %x, %w strides [1, 1] pads [1, 1, 1, 1] dilations [1, 1] zero_points [-3, 0, 5] rescale <[1073741824, 1518500250], [-7, -9]> clamp <-128, 127>
// CHECK-SAME:    #nn.origin<0, "CONV2D", "r">
// CHECK-NEXT:    func.return %r : tensor<1x8x8x2xi8>
func.func @double(%x: tensor<?x8x8x3xi8>, %w: tensor<2x3x3x3xi8>) -> tensor<?x8x8x2xi8> {
  %b = "tosa.const"() <{values = dense<0> : tensor<2xi32>}> : () -> tensor<2xi32>
  %xz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %m = "tosa.const"() <{values = dense<[1073741824, 1518500250]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s = "tosa.const"() <{values = dense<[38, 40]> : tensor<2xi8>}> : () -> tensor<2xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<?x8x8x3xi8>, tensor<2x3x3x3xi8>, tensor<2xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<?x8x8x2xi32>
  %r = tosa.rescale %c, %m, %s, %iz, %oz {input_unsigned = false, output_unsigned = false, per_channel = true, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<?x8x8x2xi32>, tensor<2xi32>, tensor<2xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<?x8x8x2xi8>
  return %r : tensor<?x8x8x2xi8>
}

// -----

// A single rounding is an attribute. Bytes without a sign come in and go out.
// CHECK-LABEL: @single
// CHECK-SAME:    %x: tensor<1x4x4x2xui8>
// CHECK-SAME:    -> (tensor<1x3x3x4xui8>
// CHECK:         %s = nn.rescale %x zero_points [128, 0] rescale <[1073741824], [1], single> clamp <-128, 127>
// CHECK:         nn.depthwise_conv2d %s, {{%.*}}, {{%.*}} strides [1, 1] pads [0, 0, 0, 0] dilations [1, 1] zero_points [0, 0, -121] rescale <[1600000000], [-6], single>
// CHECK:         nn.rescale {{%.*}} zero_points [-128, 0] rescale <[1073741824], [1]> clamp <0, 255>
func.func @single(%x: tensor<1x4x4x2xi8>) -> tensor<1x3x3x4xi8> {
  %xz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %one = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %thirty = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %s = tosa.rescale %x, %one, %thirty, %xz, %z {input_unsigned = true, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
  %w = "tosa.const"() <{values = dense<[[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]]> : tensor<2x2x2x2xi8>}> : () -> tensor<2x2x2x2xi8>
  %b = "tosa.const"() <{values = dense<9> : tensor<1xi32>}> : () -> tensor<1xi32>
  %c = tosa.depthwise_conv2d %s, %w, %b, %z, %z {acc_type = i32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x4x4x2xi8>, tensor<2x2x2x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x3x3x4xi32>
  %m = "tosa.const"() <{values = dense<1600000000> : tensor<1xi32>}> : () -> tensor<1xi32>
  %k = "tosa.const"() <{values = dense<37> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %oz = "tosa.const"() <{values = dense<7> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.rescale %c, %m, %k, %iz, %oz {input_unsigned = false, output_unsigned = true, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<1x3x3x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3x3x4xi8>
  return %r : tensor<1x3x3x4xi8>
}

// -----

// Sums of 48 bits are multiplied by 16. A convolution of single pixels is a product with a matrix.
// CHECK-LABEL: @wide
// CHECK:         nn.fully_connected {{%.*}}, {{%.*}}, {{%.*}} zero_points [0, 0, 0] rescale <[1310720000], [-8]> acc_type i64 clamp <-32768, 32767>
func.func @wide(%x: tensor<2x1x1x3xi16>) -> tensor<2x1x1x1xi16> {
  %w = "tosa.const"() <{values = dense<[[[[1, 2, 3]]]]> : tensor<1x1x1x3xi8>}> : () -> tensor<1x1x1x3xi8>
  %b = "tosa.const"() <{values = dense<70000000000> : tensor<1xi48>}> : () -> tensor<1xi48>
  %xz = "tosa.const"() <{values = dense<0> : tensor<1xi16>}> : () -> tensor<1xi16>
  %wz = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %c = tosa.conv2d %x, %w, %b, %xz, %wz {acc_type = i48, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x1x1x3xi16>, tensor<1x1x1x3xi8>, tensor<1xi48>, tensor<1xi16>, tensor<1xi8>) -> tensor<2x1x1x1xi48>
  %m = "tosa.const"() <{values = dense<20000> : tensor<1xi16>}> : () -> tensor<1xi16>
  %s = "tosa.const"() <{values = dense<23> : tensor<1xi8>}> : () -> tensor<1xi8>
  %iz = "tosa.const"() <{values = dense<0> : tensor<1xi48>}> : () -> tensor<1xi48>
  %r = tosa.rescale %c, %m, %s, %iz, %xz {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = false} : (tensor<2x1x1x1xi48>, tensor<1xi16>, tensor<1xi8>, tensor<1xi48>, tensor<1xi16>) -> tensor<2x1x1x1xi16>
  return %r : tensor<2x1x1x1xi16>
}

// -----

// Arithmetic in 32 bits between RESCALEs is one operation of 8.
// CHECK-LABEL: @between
// CHECK-NEXT:    %r = nn.add %a, %b zero_points [-2, -1, -3] left_shift 20 rescale <[2120396549, 1073741824, 1517269748], [-1, 0, -19]> clamp <-128, 127>
// CHECK-NEXT:    %t = nn.mul %r, %a zero_points [-3, -2, 4] rescale <[1517269748], [-19]> clamp <-128, 127>
// CHECK-NEXT:    %u = nn.reduce_sum %t axes [0, 1] zero_points [4, 4] rescale <[1517269748], [-5]> clamp <-128, 127>
// CHECK-NEXT:    func.return %u
func.func @between(%a: tensor<4x4xi8>, %b: tensor<4x4xi8>) -> tensor<1x1xi8> {
  %half = "tosa.const"() <{values = dense<1073741824> : tensor<1xi32>}> : () -> tensor<1xi32>
  %m = "tosa.const"() <{values = dense<2120396549> : tensor<1xi32>}> : () -> tensor<1xi32>
  %n = "tosa.const"() <{values = dense<1517269748> : tensor<1xi32>}> : () -> tensor<1xi32>
  %ten = "tosa.const"() <{values = dense<10> : tensor<1xi8>}> : () -> tensor<1xi8>
  %eleven = "tosa.const"() <{values = dense<11> : tensor<1xi8>}> : () -> tensor<1xi8>
  %thirty = "tosa.const"() <{values = dense<30> : tensor<1xi8>}> : () -> tensor<1xi8>
  %k = "tosa.const"() <{values = dense<32> : tensor<1xi8>}> : () -> tensor<1xi8>
  %f = "tosa.const"() <{values = dense<36> : tensor<1xi8>}> : () -> tensor<1xi8>
  %l = "tosa.const"() <{values = dense<50> : tensor<1xi8>}> : () -> tensor<1xi8>
  %az = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %bz = "tosa.const"() <{values = dense<-1> : tensor<1xi8>}> : () -> tensor<1xi8>
  %rz = "tosa.const"() <{values = dense<-3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %tz = "tosa.const"() <{values = dense<4> : tensor<1xi8>}> : () -> tensor<1xi8>
  %z = "tosa.const"() <{values = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
  %nothing = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %0 = tosa.rescale %a, %half, %ten, %az, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x4xi32>
  %1 = tosa.rescale %0, %m, %k, %z, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<4x4xi32>
  %2 = tosa.rescale %b, %half, %eleven, %bz, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x4xi32>
  %3 = tosa.add %1, %2 : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  %r = tosa.rescale %3, %n, %l, %z, %rz {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x4xi8>
  %4 = tosa.rescale %r, %half, %thirty, %rz, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x4xi32>
  %5 = tosa.rescale %a, %half, %thirty, %az, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x4xi32>
  %6 = tosa.mul %4, %5, %nothing : (tensor<4x4xi32>, tensor<4x4xi32>, tensor<1xi8>) -> tensor<4x4xi32>
  %t = tosa.rescale %6, %n, %l, %z, %tz {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<4x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x4xi8>
  %7 = tosa.rescale %t, %half, %thirty, %tz, %z {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = SINGLE_ROUND, scale32 = true} : (tensor<4x4xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x4xi32>
  %8 = tosa.reduce_sum %7 {axis = 1 : i32} : (tensor<4x4xi32>) -> tensor<4x1xi32>
  %9 = tosa.reduce_sum %8 {axis = 0 : i32} : (tensor<4x1xi32>) -> tensor<1x1xi32>
  %u = tosa.rescale %9, %n, %f, %z, %tz {input_unsigned = false, output_unsigned = false, per_channel = false, rounding_mode = DOUBLE_ROUND, scale32 = true} : (tensor<1x1xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1xi8>
  return %u : tensor<1x1xi8>
}
