// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// The record of channels that went: each with its range, and the one that it is the same as.

// CHECK: nn.removed = [#nn.removed<4, [0 in -128 to -128, 2 in -5 to 7 as 1]>]
func.func @f(%x: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %r = nn.clamp %x clamp <0, 5> {nn.removed = [#nn.removed<4, [0 in -128 to -128, 2 in -5 to 7 as 1]>]} : (tensor<1x2xi8>) -> tensor<1x2xi8>
  func.return %r : tensor<1x2xi8>
}
