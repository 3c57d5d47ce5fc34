// RUN: not stillpool-opt -p "nn-channels{reasons=odd}" %s 2>&1 | filecheck %s
// RUN: not stillpool-opt -p "nn-channels{multiple=0}" %s 2>&1 | filecheck %s --check-prefix=MULTIPLE

// CHECK: nn-channels has no reason 'odd', it has constant, unused, twin
// MULTIPLE: nn-channels multiple must be at least 1, got 0
func.func @f() {
  func.return
}
