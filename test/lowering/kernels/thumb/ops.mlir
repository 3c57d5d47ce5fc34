// RUN: stillpool-opt %s | stillpool-opt | filecheck %s

// Instructions print with the registers of what they read and write.
// CHECK: thumb.kernel {
// CHECK: %[[X:.*]], %[[A:.*]], %[[B:.*]] = thumb.ldm %{{.*}} next : (!thumb.reg<r0>) -> (!thumb.reg<r0>, !thumb.reg<r2>, !thumb.reg<r3>)
// CHECK: thumb.spill %{{.*}} by 4 : !thumb.reg<r2>
// CHECK: %{{.*}} = thumb.reload by 4 : !thumb.reg<r2>
// CHECK: %{{.*}} = armv7em.smlad %{{.*}}, %[[A]], %[[B]] : (!thumb.reg<r4>, !thumb.reg<r2>, !thumb.reg<r3>) -> !thumb.reg<r4>
// CHECK: thumb.until %[[X]], %{{.*}} carries %[[X]], %{{.*}} : !thumb.reg<r0>, !thumb.reg<r1>, !thumb.reg<r0>, !thumb.reg<r4>
// CHECK: thumb.strb %{{.*}} by 64, %{{.*}} : (!thumb.reg<ip>, !thumb.reg<r4>) -> ()
thumb.kernel {
^bb0(%x: !thumb.reg<r0>, %end: !thumb.reg<r1>, %sum: !thumb.reg<r4>, %out: !thumb.reg<ip>):
  %r7 = thumb.entering : !thumb.reg<r7>
  %y = thumb.frame %end, %r7 {
    %z, %total = thumb.loop %x, %sum {
    ^bb1(%place: !thumb.reg<r0>, %so_far: !thumb.reg<r4>):
      %next, %a, %b = thumb.ldm %place next : (!thumb.reg<r0>) -> (!thumb.reg<r0>, !thumb.reg<r2>, !thumb.reg<r3>)
      thumb.spill %a by 4 : !thumb.reg<r2>
      %again = thumb.reload by 4 : !thumb.reg<r2>
      %more = armv7em.smlad %so_far, %a, %b : (!thumb.reg<r4>, !thumb.reg<r2>, !thumb.reg<r3>) -> !thumb.reg<r4>
      thumb.until %next, %end carries %next, %more : !thumb.reg<r0>, !thumb.reg<r1>, !thumb.reg<r0>, !thumb.reg<r4>
    } : (!thumb.reg<r0>, !thumb.reg<r4>) -> (!thumb.reg<r0>, !thumb.reg<r4>)
    %byte = armv7em.ssat %total by 7 : (!thumb.reg<r4>) -> !thumb.reg<r4>
    thumb.yield %byte : !thumb.reg<r4>
  } : (!thumb.reg<r1>, !thumb.reg<r7>) -> !thumb.reg<r4>
  thumb.strb %out by 64, %y : (!thumb.reg<ip>, !thumb.reg<r4>) -> ()
  thumb.yield
}

// Registers need not be given yet. A kernel says which ones it may write to, but for those that any other may.
// CHECK: thumb.kernel writes [!thumb.reg<r2>, !thumb.reg<r3>] {
// CHECK: armv7em.vldm %{{.*}} : (!thumb.reg<v0>) -> (!thumb.float, !thumb.float)
thumb.kernel writes [!thumb.reg<r2>, !thumb.reg<r3>] {
^bb0(%x: !thumb.reg<v0>):
  %a, %b = armv7em.vldm %x : (!thumb.reg<v0>) -> (!thumb.float, !thumb.float)
  thumb.yield
}
