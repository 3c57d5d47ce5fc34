// Elements at other places, reductions, pools and images of another size.
// RUN: xdsl-opt -p import-tosa %s --split-input-file | filecheck %s

// CHECK-LABEL: @places
// CHECK-NEXT:    %r = nn.reshape %x
// CHECK-NEXT:    %t = nn.transpose %r permutation [0, 2, 1]
// CHECK-NEXT:    %v = nn.slice %t begin [0, 0, 3] step [1, 1, -1]
// CHECK-NEXT:    %s = nn.slice %v begin [0, 1, 0] step [1, 1, 1]
// CHECK-NEXT:    %p = nn.pad %s before [0, 0, 1] after [0, 0, 0] value -5 : i8
// CHECK-NEXT:    %g = nn.gather %p, %i axis 1 batch_dims 1
// CHECK-NEXT:    %c = nn.concat %g, %p axis 1
// CHECK-NEXT:    %m = nn.tile %c multiples [1, 1, 2]
// CHECK-NEXT:    func.return %m : tensor<1x4x10xi8>
func.func @places(%x: tensor<1x2x2x3xi8>, %i: tensor<1x2xi32>) -> tensor<1x4x10xi8> {
  %shape = tosa.const_shape {values = dense<[1, -1, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %r = tosa.reshape %x, %shape : (tensor<1x2x2x3xi8>, !tosa.shape<3>) -> tensor<1x4x3xi8>
  %t = tosa.transpose %r {perms = array<i32: 0, 2, 1>} : (tensor<1x4x3xi8>) -> tensor<1x3x4xi8>
  %v = tosa.reverse %t {axis = 2 : i32} : (tensor<1x3x4xi8>) -> tensor<1x3x4xi8>
  %begin = tosa.const_shape {values = dense<[0, 1, 0]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %size = tosa.const_shape {values = dense<[1, 2, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s = tosa.slice %v, %begin, %size : (tensor<1x3x4xi8>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x4xi8>
  %margin = tosa.const_shape {values = dense<[0, 0, 0, 0, 1, 0]> : tensor<6xindex>} : () -> !tosa.shape<6>
  %fill = "tosa.const"() <{values = dense<-5> : tensor<1xi8>}> : () -> tensor<1xi8>
  %p = tosa.pad %s, %margin, %fill : (tensor<1x2x4xi8>, !tosa.shape<6>, tensor<1xi8>) -> tensor<1x2x5xi8>
  %g = tosa.gather %p, %i : (tensor<1x2x5xi8>, tensor<1x2xi32>) -> tensor<1x2x5xi8>
  %c = tosa.concat %g, %p {axis = 1 : i32} : (tensor<1x2x5xi8>, tensor<1x2x5xi8>) -> tensor<1x4x5xi8>
  %times = tosa.const_shape {values = dense<[1, 1, 2]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %m = tosa.tile %c, %times : (tensor<1x4x5xi8>, !tosa.shape<3>) -> tensor<1x4x10xi8>
  return %m : tensor<1x4x10xi8>
}

// -----

// Rows replace others, batch by batch.
// CHECK-LABEL: @scattered
// CHECK:         nn.scatter_nd replace %{{.*}}, %y, %x
func.func @scattered(%x: tensor<1x4x2xf32>, %y: tensor<1x1x2xf32>) -> tensor<1x4x2xf32> {
  %i = "tosa.const"() <{values = dense<1> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
  %s = tosa.scatter %x, %i, %y : (tensor<1x4x2xf32>, tensor<1x1xi32>, tensor<1x1x2xf32>) -> tensor<1x4x2xf32>
  return %s : tensor<1x4x2xf32>
}

// -----

// Where a plain form finds the same elements it is taken.
// CHECK-LABEL: @images
// CHECK-NEXT:    %n = nn.resize_nearest %x
// CHECK-NEXT:    %b = nn.resize_bilinear %n half_pixel_centers
// CHECK-NEXT:    %p = nn.average_pool2d %b kernel [2, 2] strides [2, 2] pads [0, 0, 0, 0]
// CHECK-NEXT:    %r = nn.reduce_max %p axes [3]
// CHECK-NEXT:    %a = nn.arg_max %r axis 1
func.func @images(%x: tensor<1x2x2x3xf32>) -> tensor<1x4x1xi32> {
  %two = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %zero = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %one = tosa.const_shape {values = dense<1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %n = tosa.resize %x, %two, %zero, %one {mode = NEAREST_NEIGHBOR} : (tensor<1x2x2x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x4x4x3xf32>
  %four = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %less = tosa.const_shape {values = dense<-1> : tensor<2xindex>} : () -> !tosa.shape<2>
  %b = tosa.resize %n, %four, %less, %one {mode = BILINEAR} : (tensor<1x4x4x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x8x8x3xf32>
  %z = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %p = tosa.avg_pool2d %b, %z, %z {acc_type = f32, kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x8x8x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x3xf32>
  %r = tosa.reduce_max %p {axis = 3 : i32} : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x1xf32>
  %a = tosa.argmax %r {axis = 1 : i32} : (tensor<1x4x4x1xf32>) -> tensor<1x4x1xi32>
  return %a : tensor<1x4x1xi32>
}
