// RUN: not stillpool-opt -p "usmp{overlap=banana}" %s 2>&1 | filecheck %s --check-prefix USMP
// RUN: not stillpool-opt -p "usmp-overlap{mode=banana}" %s 2>&1 | filecheck %s --check-prefix OVERLAP

// USMP: error: --passes: usmp: overlap=banana is none of off, inplace, full
// OVERLAP: error: --passes: usmp-overlap: mode=banana is none of off, inplace, full
func.func @f() {
  func.return
}
