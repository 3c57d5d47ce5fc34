// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// Types are those of the intrinsics, and are not written. Names of values are variables in C.
// CHECK: %[[MANY:.*]] = mve.vctp8q %count
// CHECK: %[[X:.*]] = mve.vldrbq_z_s8 %bytes, %[[MANY]]
// CHECK: %[[W:.*]] = mve.vldrbq_s8 %weights
// CHECK: %[[SUM:.*]] = mve.vmladavaq_s8 %sum, %[[X]], %[[W]]
// CHECK: %{{.*}}, %{{.*}} = mve.hide %bytes, %weights beside %lanes : (!ptr_xdsl.ptr, !ptr_xdsl.ptr) -> (!ptr_xdsl.ptr, !ptr_xdsl.ptr)
// CHECK: %{{.*}} = mve.hide %{{.*}} : (!ptr_xdsl.ptr) -> !ptr_xdsl.ptr
// CHECK: %{{.*}} = mve.vsetq_lane_s32 %[[SUM]], %lanes by 1
func.func @tail(%bytes: !ptr_xdsl.ptr, %weights: !ptr_xdsl.ptr, %count: i32, %sum: i32, %lanes: vector<4xi32>) -> vector<4xi32> {
  %many = mve.vctp8q %count
  %x = mve.vldrbq_z_s8 %bytes, %many
  %w = mve.vldrbq_s8 %weights
  %total = mve.vmladavaq_s8 %sum, %x, %w
  %one, %other = mve.hide %bytes, %weights beside %lanes : (!ptr_xdsl.ptr, !ptr_xdsl.ptr) -> (!ptr_xdsl.ptr, !ptr_xdsl.ptr)
  %last = mve.hide %one : (!ptr_xdsl.ptr) -> !ptr_xdsl.ptr
  %set = mve.vsetq_lane_s32 %total, %lanes by 1
  func.return %set : vector<4xi32>
}
