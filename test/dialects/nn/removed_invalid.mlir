// RUN: not stillpool-opt %s 2>&1 | filecheck %s

// CHECK: nn.removed channels must ascend below 4
func.func @f() attributes {r = #nn.removed<4, [2 in 0 to 0, 4 in 0 to 0]>} {
  func.return
}
