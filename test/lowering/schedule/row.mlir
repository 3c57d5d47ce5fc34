// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m4 optimize=speed},schedule{cpu=cortex-m4}' | filecheck %s --check-prefix FAST
// RUN: stillpool-opt %s -p 'prepare-tasks{cpu=cortex-m3 optimize=speed},schedule{cpu=cortex-m3}' | filecheck %s --check-prefix M3

// Products of one row. A tile of a single point has all words of the fold written out, up to sixteen.
// FAST-LABEL: @several
// FAST: schedule <split oc 4, order (oc_o, oc_i, ic), jam oc_i, dual 1 10>
// A single channel shares nothing: words are read where they lie.
// FAST-LABEL: @one
// FAST: schedule <dual 1 2, direct>
// Of one fold point the only word is copied for all channels.
// FAST-LABEL: @point
// FAST: schedule <split oc 4, order (oc_o, oc_i, ic), jam oc_i, dual 1 1>
// M3-LABEL: @one
// M3-NOT: schedule <
"memref.global"() <{sym_name = "w", type = memref<8x20xi8>, initial_value = dense<3> : tensor<8x20xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "v", type = memref<1x20xi8>, initial_value = dense<3> : tensor<1x20xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "u", type = memref<8x1xi8>, initial_value = dense<3> : tensor<8x1xi8>, sym_visibility = "private", constant}> : () -> ()

func.func private @several(%input: memref<20xi8>, %filter: memref<8x20xi8>, %output: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(oc = 8) fold(ic = 20)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[ic] : memref<20xi8>, %weight = %filter[oc, ic] : memref<8x20xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[oc] : memref<8xi32>)
  func.return
}

func.func private @one(%input: memref<20xi8>, %filter: memref<1x20xi8>, %output: memref<1xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(oc = 1) fold(ic = 20)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[ic] : memref<20xi8>, %weight = %filter[oc, ic] : memref<1x20xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[oc] : memref<1xi32>)
  func.return
}

func.func private @point(%input: memref<1xi8>, %filter: memref<8x1xi8>, %output: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  task.nest space(oc = 8) fold(ic = 1)
    start () {
      task.yield %zero : i32
    }
    step (%value = %input[ic] : memref<1xi8>, %weight = %filter[oc, ic] : memref<8x1xi8>) into (%acc: i32) {
      %0 = arith.extsi %value : i8 to i32
      %1 = arith.extsi %weight : i8 to i32
      %2 = arith.muli %0, %1 overflow<nsw> : i32
      %next = arith.addi %acc, %2 overflow<nsw> : i32
      task.yield %next : i32
    }
    finish () of (%sum: i32) {
      task.yield %sum : i32
    }
    writes (%output[oc] : memref<8xi32>)
  func.return
}

func.func @main(%x: memref<20xi8>, %p: memref<1xi8>, %a: memref<8xi32>, %b: memref<1xi32>, %c: memref<8xi32>) {
  %w = memref.get_global @w : memref<8x20xi8>
  %v = memref.get_global @v : memref<1x20xi8>
  %u = memref.get_global @u : memref<8x1xi8>
  func.call @several(%x, %w, %a) : (memref<20xi8>, memref<8x20xi8>, memref<8xi32>) -> ()
  func.call @one(%x, %v, %b) : (memref<20xi8>, memref<1x20xi8>, memref<1xi32>) -> ()
  func.call @point(%p, %u, %c) : (memref<1xi8>, memref<8x1xi8>, memref<8xi32>) -> ()
  func.return
}
