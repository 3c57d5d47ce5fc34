// RUN: stillpool-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%e: tensor<1x8x4xf32>, %p: tensor<1x8x3xf32>, %a: tensor<8x4xf32>) {
  %b, %c, %s, %n = nn.detection_postprocess %e, %p, %a scales [10.0, 10.0, 5.0, 5.0] score_threshold 0.5 iou_threshold 0.25 num_classes 2 max_detections 5 per_class 3
    : (tensor<1x8x4xf32>, tensor<1x8x3xf32>, tensor<8x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>)
  func.return
}
// CHECK: nn.detection_postprocess %e, %p, %a scales [{{.*}}] score_threshold {{.*}} iou_threshold {{.*}} num_classes 2 max_detections 5 per_class 3

// -----

// CHECK: 'nn.detection_postprocess' op boxes must have shape [1, 5, 4], got [1, 6, 4]
func.func @f(%e: tensor<1x8x4xf32>, %p: tensor<1x8x3xf32>, %a: tensor<8x4xf32>) {
  %b, %c, %s, %n = nn.detection_postprocess %e, %p, %a scales [10.0, 10.0, 5.0, 5.0] score_threshold 0.5 iou_threshold 0.25 num_classes 3 max_detections 5
    : (tensor<1x8x4xf32>, tensor<1x8x3xf32>, tensor<8x4xf32>) -> (tensor<1x6x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>)
  func.return
}

// -----

// CHECK: 'nn.detection_postprocess' op 3 predictions do not fit 5 classes
func.func @f(%e: tensor<1x8x4xf32>, %p: tensor<1x8x3xf32>, %a: tensor<8x4xf32>) {
  %b, %c, %s, %n = nn.detection_postprocess %e, %p, %a scales [10.0, 10.0, 5.0, 5.0] score_threshold 0.5 iou_threshold 0.25 num_classes 5 max_detections 5
    : (tensor<1x8x4xf32>, tensor<1x8x3xf32>, tensor<8x4xf32>) -> (tensor<1x5x4xf32>, tensor<1x5xf32>, tensor<1x5xf32>, tensor<1xf32>)
  func.return
}
