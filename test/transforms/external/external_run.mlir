// RUN: xdsl-opt %s -p external-run | filecheck %s
// RUN: xdsl-opt %s -p 'external-run{hooks=tvm},emit-c' -t c | filecheck %s --check-prefix C

// CHECK: func.func private @f(%x: memref<4xi8>, %y: memref<4xi8>, %run: !external.run)
func.func private @f(%x: memref<4xi8>, %y: memref<4xi8>) {
  // CHECK-NEXT: "external.call"(%x, %y, %run) <{{.*}}device = "npu"{{.*}}number = 0 : i32, open = "npu_open", close = "npu_close"
  "external.call"(%x, %y) <{function = "my_f", kind = "sort", names = ["a", "b"], parameters = {limit = 6 : i32, sizes = array<i32: 4, -2147483648>, none = array<f32>, word = "a\22b"}, device = "npu", types = array<i32: 1, 2>, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (memref<4xi8>, memref<4xi8>) -> ()
  func.return
}

// CHECK: func.func @entry(%x: memref<4xi8>, %y: memref<4xi8>, %run: !external.run)
func.func @entry(%x: memref<4xi8>, %y: memref<4xi8>) {
  // CHECK-NEXT: external.activate "npu" by "npu_activate", %run
  // CHECK-NEXT: func.call @f(%x, %y, %run)
  func.call @f(%x, %y) : (memref<4xi8>, memref<4xi8>) -> ()
  // CHECK-NEXT: external.deactivate "npu" by "npu_deactivate", %run
  func.return
}

// C: #include "stillpool_external_sort.h"
// C: STILLPOOL_EXTERNAL int32_t my_f(
// C: STILLPOOL_EXTERNAL int32_t TVMDeviceNpuOpen(void *device);
// C: typedef struct external_run {
// C-NEXT: int32_t status;
// C-NEXT: void *npu;
// C-NEXT: } external_run;
// C: static const int32_t external_0_sizes[2] = {4, (-2147483647 - 1)};
// C-NEXT: static const stillpool_external_sort external_0 = {6, external_0_sizes, 2, NULL, 0, "a\042b", 0};
// C: static void f(const int8_t *x, int8_t *y, external_run *run)
// C-NEXT: if (run->status == 0) {
// C-NEXT:   run->status = TVMDeviceNpuOpen(run->npu);
// C-NEXT:   if (run->status == 0) {
// C-NEXT:     run->status = my_f(&external_0, x, (uint8_t *)(void *)y, NULL, run->npu);
// C-NEXT:     external_keep(run, TVMDeviceNpuClose(run->npu));
// C: void entry(const int8_t *x, int8_t *y, external_run *run)
// C: external_npu_active = run->status == 0;
// C: external_keep(run, TVMDeviceNpuDeactivate(run->npu));
