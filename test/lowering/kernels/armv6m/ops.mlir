// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// High registers are a kind of their own, and what may not run changes its registers in place.
// CHECK: thumb.kernel writes [!thumb.reg<r2>, !armv6m.high<r9>] {
// CHECK: %[[END:.*]] = armv6m.mov %{{.*}} : (!thumb.reg<r1>) -> !armv6m.high<r9>
// CHECK: %{{.*}} = thumb.unless %{{.*}}, %[[END]] carries %{{.*}} {
// CHECK: %[[SUM:.*]], %{{.*}} = armv6m.adcs_asrs %{{.*}}, %{{.*}} by 16 : (!thumb.reg<r2>, !thumb.reg<r0>) -> (!thumb.reg<r2>, !thumb.reg<r0>)
// CHECK: thumb.yield %[[SUM]] : !thumb.reg<r2>
// CHECK: } : (!thumb.reg<r0>, !armv6m.high<r9>, !thumb.reg<r2>) -> !thumb.reg<r2>
thumb.kernel writes [!thumb.reg<r2>, !armv6m.high<r9>] {
^bb0(%x: !thumb.reg<r0>, %y: !thumb.reg<r1>, %sum: !thumb.reg<r2>):
  %end = armv6m.mov %y : (!thumb.reg<r1>) -> !armv6m.high<r9>
  %z = thumb.unless %x, %end carries %sum {
    %more, %shifted = armv6m.adcs_asrs %sum, %x by 16 : (!thumb.reg<r2>, !thumb.reg<r0>) -> (!thumb.reg<r2>, !thumb.reg<r0>)
    thumb.yield %more : !thumb.reg<r2>
  } : (!thumb.reg<r0>, !armv6m.high<r9>, !thumb.reg<r2>) -> !thumb.reg<r2>
  thumb.yield
}
