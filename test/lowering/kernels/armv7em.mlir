// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// Instructions print with the registers of what they read and write.
// CHECK: armv7em.kernel {
// CHECK: %[[X:.*]], %[[A:.*]], %[[B:.*]] = armv7em.ldm %{{.*}} next : (!armv7em.reg<r0>) -> (!armv7em.reg<r0>, !armv7em.reg<r2>, !armv7em.reg<r3>)
// CHECK: armv7em.spill %{{.*}} by 4 : !armv7em.reg<r2>
// CHECK: %{{.*}} = armv7em.reload by 4 : !armv7em.reg<r2>
// CHECK: %{{.*}} = armv7em.smlad %{{.*}}, %[[A]], %[[B]] : (!armv7em.reg<r4>, !armv7em.reg<r2>, !armv7em.reg<r3>) -> !armv7em.reg<r4>
// CHECK: armv7em.until %[[X]], %{{.*}} carries %[[X]], %{{.*}} : !armv7em.reg<r0>, !armv7em.reg<r1>, !armv7em.reg<r0>, !armv7em.reg<r4>
// CHECK: armv7em.strb %{{.*}} by 64, %{{.*}} : (!armv7em.reg<ip>, !armv7em.reg<r4>) -> ()
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>, %end: !armv7em.reg<r1>, %sum: !armv7em.reg<r4>, %out: !armv7em.reg<ip>):
  %r7 = armv7em.entering : !armv7em.reg<r7>
  %y = armv7em.frame %end, %r7 {
    %z, %total = armv7em.loop %x, %sum {
    ^bb1(%place: !armv7em.reg<r0>, %so_far: !armv7em.reg<r4>):
      %next, %a, %b = armv7em.ldm %place next : (!armv7em.reg<r0>) -> (!armv7em.reg<r0>, !armv7em.reg<r2>, !armv7em.reg<r3>)
      armv7em.spill %a by 4 : !armv7em.reg<r2>
      %again = armv7em.reload by 4 : !armv7em.reg<r2>
      %more = armv7em.smlad %so_far, %a, %b : (!armv7em.reg<r4>, !armv7em.reg<r2>, !armv7em.reg<r3>) -> !armv7em.reg<r4>
      armv7em.until %next, %end carries %next, %more : !armv7em.reg<r0>, !armv7em.reg<r1>, !armv7em.reg<r0>, !armv7em.reg<r4>
    } : (!armv7em.reg<r0>, !armv7em.reg<r4>) -> (!armv7em.reg<r0>, !armv7em.reg<r4>)
    %byte = armv7em.ssat %total by 7 : (!armv7em.reg<r4>) -> !armv7em.reg<r4>
    armv7em.yield %byte : !armv7em.reg<r4>
  } : (!armv7em.reg<r1>, !armv7em.reg<r7>) -> !armv7em.reg<r4>
  armv7em.strb %out by 64, %y : (!armv7em.reg<ip>, !armv7em.reg<r4>) -> ()
  armv7em.yield
}

// Registers need not be given yet. A kernel says which ones it may write to, but for those that any other may.
// CHECK: armv7em.kernel writes [!armv7em.reg<r2>, !armv7em.reg<r3>] {
// CHECK: armv7em.vldm %{{.*}} : (!armv7em.reg<v0>) -> (!armv7em.float, !armv7em.float)
armv7em.kernel writes [!armv7em.reg<r2>, !armv7em.reg<r3>] {
^bb0(%x: !armv7em.reg<v0>):
  %a, %b = armv7em.vldm %x : (!armv7em.reg<v0>) -> (!armv7em.float, !armv7em.float)
  armv7em.yield
}
