// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @no_such_type(%x: tensor<2xi16>) {
  // CHECK: 'nn.unary' op exp is not defined for elements of type i16
  %0 = nn.unary exp %x : (tensor<2xi16>) -> tensor<2xi16>
  func.return
}

// -----

func.func @scales_are_missing(%x: tensor<2xi8>) {
  // CHECK: 'nn.mul' op needs zero_points and rescale exactly when elements are quantised
  %0 = nn.mul %x, %x : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  func.return
}

// -----

func.func @short_table(%x: tensor<2xi8>) {
  // CHECK: 'nn.table' op values must have 256 entries, got 2
  %0 = nn.table %x values [0, 1] : (tensor<2xi8>) -> tensor<2xi8>
  func.return
}

// -----

func.func @f(%x: tensor<2xi16>) -> tensor<2xi16> {
  // CHECK: 'nn.table' op values must have 513 entries, got 2
  %0 = nn.table %x values [0, 1] : (tensor<2xi16>) -> tensor<2xi16>
  func.return %0 : tensor<2xi16>
}

// -----

func.func @f(%x: tensor<2xi16>) -> tensor<2xi8> {
  // CHECK: 'nn.table' op elements must be of 8 bits, or of 16 with results of 16 or 32
  %0 = nn.table %x values [0, 1] : (tensor<2xi16>) -> tensor<2xi8>
  func.return %0 : tensor<2xi8>
}
