// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// High registers are a kind of their own, and what may not run changes its registers in place.
// CHECK: armv7em.kernel writes [!armv7em.reg<r2>, !armv6m.high<r9>] {
// CHECK: %[[END:.*]] = armv6m.mov %{{.*}} : (!armv7em.reg<r1>) -> !armv6m.high<r9>
// CHECK: %{{.*}} = armv7em.unless %{{.*}}, %[[END]] carries %{{.*}} {
// CHECK: %[[SUM:.*]], %{{.*}} = armv6m.adcs_asrs %{{.*}}, %{{.*}} by 16 : (!armv7em.reg<r2>, !armv7em.reg<r0>) -> (!armv7em.reg<r2>, !armv7em.reg<r0>)
// CHECK: armv7em.yield %[[SUM]] : !armv7em.reg<r2>
// CHECK: } : (!armv7em.reg<r0>, !armv6m.high<r9>, !armv7em.reg<r2>) -> !armv7em.reg<r2>
armv7em.kernel writes [!armv7em.reg<r2>, !armv6m.high<r9>] {
^bb0(%x: !armv7em.reg<r0>, %y: !armv7em.reg<r1>, %sum: !armv7em.reg<r2>):
  %end = armv6m.mov %y : (!armv7em.reg<r1>) -> !armv6m.high<r9>
  %z = armv7em.unless %x, %end carries %sum {
    %more, %shifted = armv6m.adcs_asrs %sum, %x by 16 : (!armv7em.reg<r2>, !armv7em.reg<r0>) -> (!armv7em.reg<r2>, !armv7em.reg<r0>)
    armv7em.yield %more : !armv7em.reg<r2>
  } : (!armv7em.reg<r0>, !armv6m.high<r9>, !armv7em.reg<r2>) -> !armv7em.reg<r2>
  armv7em.yield
}
