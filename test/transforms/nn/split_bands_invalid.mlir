// RUN: not stillpool-opt -p 'nn-split-bands{columns="0-1:2"}' %s 2>&1 | filecheck %s
// RUN: not stillpool-opt -p 'nn-split-bands{columns="0-0:9"}' %s 2>&1 | filecheck %s --check-prefix=MANY
// RUN: not stillpool-opt -p 'nn-split-bands{columns="first"}' %s 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: not stillpool-opt -p 'nn-split-bands{columns="0-0:2","0-0:2"}' %s 2>&1 | filecheck %s --check-prefix=TWICE

// CHECK: operators 0 to 1 cannot run in bands of columns
// MANY: there are no 9 bands of 6 columns
// TEXT: 'first' names no bands, such as 2-9:3
// TWICE: operators 0 to 0 cannot run in bands of columns
func.func @both_used(%a: tensor<1x2x6x1xf32>) -> (tensor<1x2x6x1xf32>, tensor<1x2x6x1xf32>) {
  %p = nn.max_pool2d %a kernel [1, 3] strides [1, 1] pads [0, 0, 1, 1] : (tensor<1x2x6x1xf32>) -> tensor<1x2x6x1xf32>
  %s = nn.max_pool2d %p kernel [1, 3] strides [1, 1] pads [0, 0, 1, 1] : (tensor<1x2x6x1xf32>) -> tensor<1x2x6x1xf32>
  func.return %p, %s : tensor<1x2x6x1xf32>, tensor<1x2x6x1xf32>
}
