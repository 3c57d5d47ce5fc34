// RUN: stillpool-opt %s | stillpool-opt | filecheck %s
// RUN: stillpool-opt --print-op-generic %s | stillpool-opt | filecheck %s

func.func @moves(%x: tensor<1x4x4x2xi8>, %v: tensor<6xi16>) {
  %t = nn.transpose %x permutation [0, 3, 1, 2] : (tensor<1x4x4x2xi8>) -> tensor<1x2x4x4xi8>
  %d = nn.space_to_depth %x block 2 : (tensor<1x4x4x2xi8>) -> tensor<1x2x2x8xi8>
  %w = nn.depth_to_space %d block 2 : (tensor<1x2x2x8xi8>) -> tensor<1x4x4x2xi8>
  %s = nn.slice %v begin [5] step [-2] : (tensor<6xi16>) -> tensor<3xi16>
  %a, %b = nn.split %v axis 0 : (tensor<6xi16>) -> (tensor<4xi16>, tensor<2xi16>)
  %c = nn.concat %b, %s axis 0 : (tensor<2xi16>, tensor<3xi16>) -> tensor<5xi16>
  %m = nn.tile %c multiples [2] : (tensor<5xi16>) -> tensor<10xi16>
  %p = nn.pad %m before [1] after [0] value 7 : i16 : (tensor<10xi16>) -> tensor<11xi16>
  %q = nn.mirror_pad %b before [2] after [1] symmetric : (tensor<2xi16>) -> tensor<5xi16>
  %r = nn.broadcast %b : (tensor<2xi16>) -> tensor<3x2xi16>
  func.return
}
// CHECK: nn.transpose %x permutation [0, 3, 1, 2]
// CHECK: nn.space_to_depth %x block 2
// CHECK: nn.depth_to_space %d block 2
// CHECK: nn.slice %v begin [5] step [-2] : (tensor<6xi16>) -> tensor<3xi16>
// CHECK: nn.split %v axis 0
// CHECK: nn.concat %b, %s axis 0
// CHECK: nn.tile %c multiples [2]
// CHECK: nn.pad %m before [1] after [0] value 7 : i16
// CHECK: nn.mirror_pad %b before [2] after [1] symmetric
// CHECK: nn.broadcast %b
