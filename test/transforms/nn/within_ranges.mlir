// RUN: stillpool-opt -p nn-within-ranges --split-input-file %s | filecheck %s
// RUN: stillpool-opt -p "nn-clean-up{off=ranges}" --split-input-file %s | filecheck %s --check-prefix=OFF

// A clamp that nothing reaches goes, one that the highest element alone reaches stays.

// CHECK-LABEL: @clamps
// CHECK-NEXT:    %a = nn.clamp %x clamp <-10, 20>
// CHECK-NEXT:    %p = nn.max_pool2d %a
// CHECK-NEXT:    %c = nn.clamp %p clamp <-11, 19>
// CHECK-NEXT:    func.return %p, %c
func.func @clamps(%x: tensor<1x2x2x1xi8>) -> (tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>) {
  %a = nn.clamp %x clamp <-10, 20> : (tensor<1x2x2x1xi8>) -> tensor<1x2x2x1xi8>
  %p = nn.max_pool2d %a kernel [2, 2] strides [2, 2] pads [0, 0, 0, 0] clamp <-128, 127> : (tensor<1x2x2x1xi8>) -> tensor<1x1x1x1xi8>
  %b = nn.clamp %p clamp <-10, 20> : (tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xi8>
  %c = nn.clamp %p clamp <-11, 19> : (tensor<1x1x1x1xi8>) -> tensor<1x1x1x1xi8>
  func.return %b, %c : tensor<1x1x1x1xi8>, tensor<1x1x1x1xi8>
}

// -----

// Bounds of a rescaled element that never act are those of its type. A least one that says something of the sign stays.

// CHECK-LABEL: @fused
// CHECK:         %a = nn.rescale {{.*}} clamp <-128, 127>
// CHECK:         %b = nn.rescale {{.*}} clamp <-128, 63>
// CHECK:         %c = nn.rescale {{.*}} clamp <-64, 64>
func.func @fused(%x: tensor<4x1xi8>) -> (tensor<4x1xi8>, tensor<4x1xi8>, tensor<4x1xi8>) {
  %a = nn.rescale %x zero_points [0, 0] rescale <[1073741824], [0]> clamp <-128, 64> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %b = nn.rescale %x zero_points [0, 0] rescale <[1073741824], [0]> clamp <-128, 63> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %c = nn.rescale %x zero_points [0, 0] rescale <[1073741824], [0]> clamp <-64, 64> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  func.return %a, %b, %c : tensor<4x1xi8>, tensor<4x1xi8>, tensor<4x1xi8>
}

// -----

// The larger and the smaller of what is ordered in every channel.

// CHECK-LABEL: @ordered
// CHECK:         [[A:%.*]] = nn.clamp %x clamp <3, 127>
// CHECK:         [[B:%.*]] = nn.clamp %y clamp <-128, 3>
// CHECK-NEXT:    %r = nn.binary maximum %x, %y
// CHECK-NEXT:    func.return [[A]], [[B]], %r
// OFF-LABEL: @ordered
// OFF:         nn.binary minimum
func.func @ordered(%x: tensor<4x1xi8>, %y: tensor<4x1xi8>) -> (tensor<4x1xi8>, tensor<4x1xi8>, tensor<4x1xi8>) {
  %a = nn.clamp %x clamp <3, 127> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %b = nn.clamp %y clamp <-128, 3> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %p = nn.binary maximum %b, %a : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x1xi8>
  %q = nn.binary minimum %b, %a : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x1xi8>
  %r = nn.binary maximum %x, %y : (tensor<4x1xi8>, tensor<4x1xi8>) -> tensor<4x1xi8>
  func.return %p, %q, %r : tensor<4x1xi8>, tensor<4x1xi8>, tensor<4x1xi8>
}

// -----

// Entries for the elements -1 to 2 stay.

// CHECK-LABEL: @table
// CHECK:         nn.table %c values [1, 2, 3, 4] first -1 :
func.func @table(%x: tensor<4x1xi8>) -> tensor<4x1xi8> {
  %c = nn.clamp %x clamp <-1, 2> : (tensor<4x1xi8>) -> tensor<4x1xi8>
  %t = nn.table %c values [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5] : (tensor<4x1xi8>) -> tensor<4x1xi8>
  func.return %t : tensor<4x1xi8>
}
