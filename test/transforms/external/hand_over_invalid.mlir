// RUN: xdsl-opt %s -p 'hand-over{externals="conv_2d=f"}' --verify-diagnostics | filecheck %s
// RUN: xdsl-opt %s -p 'hand-over{externals="abs=3f"}' --verify-diagnostics | filecheck %s --check-prefix NAME
// RUN: xdsl-opt %s -p 'hand-over{externals="acme"}' --verify-diagnostics | filecheck %s --check-prefix ADDED

// CHECK: external 'conv_2d=f' matches none of the 1 operators; there are abs
// NAME: external 'abs=3f': '3f' is no name of a C function
// ADDED: external 'acme' is not PATTERN=FUNCTION[:...], and no installed package has patterns of that name
func.func @one(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
