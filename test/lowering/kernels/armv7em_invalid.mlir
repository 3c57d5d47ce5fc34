// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: of several words the first is in the register with the least number
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>):
  %a, %b = armv7em.ldm %x : (!armv7em.reg<r0>) -> (!armv7em.reg<r3>, !armv7em.reg<r2>)
  armv7em.yield
}

// -----

// PUSH stores registers in the order of their numbers.
// CHECK: of what a frame keeps the first is in the register with the least number
armv7em.kernel {
^bb0(%x: !armv7em.reg<r7>, %y: !armv7em.reg<r3>):
  armv7em.frame %x, %y {
    armv7em.yield
  } : (!armv7em.reg<r7>, !armv7em.reg<r3>) -> ()
  armv7em.yield
}

// -----

// CHECK: several words are loaded or stored, not one
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>):
  %a = armv7em.ldm %x : (!armv7em.reg<r0>) -> !armv7em.reg<r2>
  armv7em.yield
}

// -----

// CHECK: 2 numbers are loaded, none is stored
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>):
  %a = armv7em.ldrd %x by 0 : (!armv7em.reg<r0>) -> !armv7em.reg<r2>
  armv7em.yield
}

// -----

// CHECK: what a loop carries stays in the same registers
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>):
  %y = armv7em.loop %x {
  ^bb1(%a: !armv7em.reg<r1>):
    armv7em.until %a, %a carries %a : !armv7em.reg<r1>, !armv7em.reg<r1>, !armv7em.reg<r1>
  } : (!armv7em.reg<r0>) -> !armv7em.reg<r1>
  armv7em.yield
}

// -----

// CHECK: a kernel ends with what it yields
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>):
  armv7em.until %x, %x : !armv7em.reg<r0>, !armv7em.reg<r0>
}

// -----

// CHECK: what an instruction changes stays in its register
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>):
  %y, %a = armv7em.ldr %x next by 4 : (!armv7em.reg<r0>) -> (!armv7em.reg<r1>, !armv7em.reg<r2>)
  armv7em.yield
}

// -----

// CHECK: what an instruction changes stays in its register
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>):
  %y = armv7em.movt %x by 4 : (!armv7em.reg<r0>) -> !armv7em.reg<r1>
  armv7em.yield
}

// -----

// CHECK: what is changed, or not, stays in the same registers
armv7em.kernel {
^bb0(%x: !armv7em.reg<r0>, %y: !armv7em.reg<r1>):
  %z = armv7em.unless %x, %y carries %x {
    armv7em.yield %y : !armv7em.reg<r1>
  } : (!armv7em.reg<r0>, !armv7em.reg<r1>, !armv7em.reg<r0>) -> !armv7em.reg<r0>
  armv7em.yield
}
