// RUN: stillpool-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: of several words the first is in the register with the least number
thumb.kernel {
^bb0(%x: !thumb.reg<r0>):
  %a, %b = thumb.ldm %x : (!thumb.reg<r0>) -> (!thumb.reg<r3>, !thumb.reg<r2>)
  thumb.yield
}

// -----

// PUSH stores registers in the order of their numbers.
// CHECK: of what a frame keeps the first is in the register with the least number
thumb.kernel {
^bb0(%x: !thumb.reg<r7>, %y: !thumb.reg<r3>):
  thumb.frame %x, %y {
    thumb.yield
  } : (!thumb.reg<r7>, !thumb.reg<r3>) -> ()
  thumb.yield
}

// -----

// CHECK: several words are loaded or stored, not one
thumb.kernel {
^bb0(%x: !thumb.reg<r0>):
  %a = thumb.ldm %x : (!thumb.reg<r0>) -> !thumb.reg<r2>
  thumb.yield
}

// -----

// CHECK: 2 numbers are loaded, none is stored
thumb.kernel {
^bb0(%x: !thumb.reg<r0>):
  %a = armv7em.ldrd %x by 0 : (!thumb.reg<r0>) -> !thumb.reg<r2>
  thumb.yield
}

// -----

// CHECK: what a loop carries stays in the same registers
thumb.kernel {
^bb0(%x: !thumb.reg<r0>):
  %y = thumb.loop %x {
  ^bb1(%a: !thumb.reg<r1>):
    thumb.until %a, %a carries %a : !thumb.reg<r1>, !thumb.reg<r1>, !thumb.reg<r1>
  } : (!thumb.reg<r0>) -> !thumb.reg<r1>
  thumb.yield
}

// -----

// CHECK: a kernel ends with what it yields
thumb.kernel {
^bb0(%x: !thumb.reg<r0>):
  thumb.until %x, %x : !thumb.reg<r0>, !thumb.reg<r0>
}

// -----

// CHECK: what an instruction changes stays in its register
thumb.kernel {
^bb0(%x: !thumb.reg<r0>):
  %y, %a = thumb.ldr %x next by 4 : (!thumb.reg<r0>) -> (!thumb.reg<r1>, !thumb.reg<r2>)
  thumb.yield
}

// -----

// CHECK: what an instruction changes stays in its register
thumb.kernel {
^bb0(%x: !thumb.reg<r0>):
  %y = armv7em.movt %x by 4 : (!thumb.reg<r0>) -> !thumb.reg<r1>
  thumb.yield
}

// -----

// CHECK: what is changed, or not, stays in the same registers
thumb.kernel {
^bb0(%x: !thumb.reg<r0>, %y: !thumb.reg<r1>):
  %z = thumb.unless %x, %y carries %x {
    thumb.yield %y : !thumb.reg<r1>
  } : (!thumb.reg<r0>, !thumb.reg<r1>, !thumb.reg<r0>) -> !thumb.reg<r0>
  thumb.yield
}
