// RUN: stillpool-opt -p lower-nn,lower-tasks --split-input-file %s | filecheck %s

// The fast way: scratch memory for decoded boxes, their best classes and the candidates; nothing is sorted.

func.func @fast(%e: tensor<1x8x4xf32>, %p: tensor<1x8x3xf32>, %a: tensor<8x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>) {
  %b, %c, %s, %n = nn.detection_postprocess %e, %p, %a scales [10.0, 10.0, 5.0, 5.0] score_threshold 0.5 iou_threshold 0.25 num_classes 2 max_detections 5
    : (tensor<1x8x4xf32>, tensor<1x8x3xf32>, tensor<8x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>)
  func.return %b, %c, %s, %n : tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>
}
// CHECK:      func.func private @detection_postprocess_0(%encodings: memref<8x4xf32>, %predictions: memref<8x3xf32>, %anchors: memref<8x4xf32>
// CHECK:      %places = memref.alloc() {pool.name = "places", pool.kind = #pool.kind<scratch>} : memref<5xi32>
// CHECK:      %decoded = memref.alloc() {pool.name = "decoded", pool.kind = #pool.kind<scratch>} : memref<8x4xf32>
// CHECK:      math.exp %{{.*}} : f64
// CHECK:      %candidates = memref.alloc() {pool.name = "candidates", pool.kind = #pool.kind<scratch>} : memref<8xi32>
// CHECK:      %rounds = arith.minsi %found, %c5 : index
// CHECK-NEXT: scf.for %round = %c0 to %rounds
// CHECK:        arith.cmpi sgt, %left_1, %c0
// CHECK:        scf.if

// -----

// The regular way: class by class, and a list of the best that is kept in order.

func.func @regular(%e: tensor<1x8x4xf32>, %p: tensor<1x8x3xf32>, %a: tensor<8x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>) {
  %b, %c, %s, %n = nn.detection_postprocess %e, %p, %a scales [10.0, 10.0, 5.0, 5.0] score_threshold 0.5 iou_threshold 0.25 num_classes 2 max_detections 5 per_class 3
    : (tensor<1x8x4xf32>, tensor<1x8x3xf32>, tensor<8x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>)
  func.return %b, %c, %s, %n : tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>
}
// CHECK:      @detection_postprocess_0
// CHECK:      scf.for %class = %c0 to %c2
// CHECK:        arith.addi %class, %c1 : index
// CHECK:        arith.minsi %found, %c3 : index
// CHECK:        %position{{.*}} = scf.for
