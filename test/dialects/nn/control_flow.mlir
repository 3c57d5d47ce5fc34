// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    %y = nn.cond_if %c then {
// CHECK-NEXT:      nn.yield %a : tensor<2xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      nn.yield %b : tensor<2xf32>
// CHECK-NEXT:    } : (tensor<i1>) -> tensor<2xf32>
func.func @branch(%c: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %y = nn.cond_if %c then {
    nn.yield %a : tensor<2xf32>
  } else {
    nn.yield %b : tensor<2xf32>
  } : (tensor<i1>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: func.func @loop
// CHECK-NEXT:    %x, %d = nn.while_loop %a, %c condition {
// CHECK-NEXT:    ^bb0(%{{.*}}: tensor<2xf32>, %[[GO:.*]]: tensor<1xi1>):
// CHECK-NEXT:      nn.yield %[[GO]] : tensor<1xi1>
// CHECK-NEXT:    } body {
// CHECK:           nn.yield %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<1xi1>
// CHECK-NEXT:    } : (tensor<2xf32>, tensor<1xi1>) -> (tensor<2xf32>, tensor<1xi1>)
func.func @loop(%a: tensor<2xf32>, %c: tensor<1xi1>) -> tensor<2xf32> {
  %x, %d = nn.while_loop %a, %c condition {
  ^bb0(%v: tensor<2xf32>, %go: tensor<1xi1>):
    nn.yield %go : tensor<1xi1>
  } body {
  ^bb0(%v: tensor<2xf32>, %go: tensor<1xi1>):
    %w = nn.add %v, %v : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    nn.yield %w, %go : tensor<2xf32>, tensor<1xi1>
  } : (tensor<2xf32>, tensor<1xi1>) -> (tensor<2xf32>, tensor<1xi1>)
  func.return %x : tensor<2xf32>
}

// CHECK-LABEL: func.func @scan
// CHECK-NEXT:    %last, %all = nn.scan initial(%h) over(%x) reverse body {
// CHECK-NEXT:    ^bb0(%[[STATE:.*]]: tensor<2xf32>, %[[SLICE:.*]]: tensor<2xf32>):
// CHECK-NEXT:      %[[N:.*]] = nn.add %[[STATE]], %[[SLICE]]
// CHECK-NEXT:      nn.yield %[[N]], %[[N]] : tensor<2xf32>, tensor<2xf32>
// CHECK-NEXT:    } : (tensor<2xf32>), (tensor<9x2xf32>) -> (tensor<2xf32>, tensor<9x2xf32>)
func.func @scan(%h: tensor<2xf32>, %x: tensor<9x2xf32>) -> (tensor<2xf32>, tensor<9x2xf32>) {
  %last, %all = nn.scan initial(%h) over(%x) reverse body {
  ^bb0(%s: tensor<2xf32>, %r: tensor<2xf32>):
    %n = nn.add %s, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    nn.yield %n, %n : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2xf32>), (tensor<9x2xf32>) -> (tensor<2xf32>, tensor<9x2xf32>)
  func.return %last, %all : tensor<2xf32>, tensor<9x2xf32>
}
