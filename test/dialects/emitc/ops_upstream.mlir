// RUN: stillpool-opt %S/ops.mlir | %mlir-opt --verify-roundtrip -o /dev/null
// REQUIRES: mlir-opt

// Upstream's own tool reads what is printed.
