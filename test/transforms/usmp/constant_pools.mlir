// RUN: stillpool-opt -p usmp %s | filecheck %s
// RUN: stillpool-opt -p usmp,emit-c -t c %s | filecheck %s --check-prefix=C
// RUN: not stillpool-opt -p 'usmp-assign-pools{pins="w=sram"}' %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not stillpool-opt -p 'usmp-assign-pools{pins="v*=flash"}' %s 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: stillpool-opt -p 'usmp-assign-pools{pins="b*=external","x=slow"}' %s | filecheck %s --check-prefix=PINNED

pool.declare @flash constant align 8
pool.declare @external constant
pool.declare @fast workspace
pool.declare @slow workspace

// Constants with a place keep their global, which holds the bytes.
// CHECK:      pool.declare @flash constant align 8 size 12
// CHECK:      sym_name = "w"
// CHECK-SAME: pool.assigned = @flash, pool.offset = 8 : i64
// CHECK:      sym_name = "bias"
// CHECK-SAME: pool.assigned = @flash, pool.offset = 0 : i64
"memref.global"() <{sym_name = "w", type = memref<4xi8>, initial_value = dense<[1, 2, 3, 4]> : tensor<4xi8>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "bias", type = memref<2xi32>, initial_value = dense<[5, -6]> : tensor<2xi32>, sym_visibility = "private", constant}> : () -> ()

// What reads them reads the pool, which comes as an argument.
// CHECK:      func.func @entry(
// CHECK-SAME: %flash: memref<12xi8> {pool.pool = @flash}
// CHECK:      memref.view %flash[%{{.*}}][] : memref<12xi8> to memref<4xi8>
// CHECK:      memref.view %flash[%{{.*}}][] : memref<12xi8> to memref<2xi32>
// CHECK-NOT:  memref.get_global
func.func @entry(%y: memref<4xi32>) {
  %x = memref.alloc() : memref<4xi8>
  %w = memref.get_global @w : memref<4xi8>
  %b = memref.get_global @bias : memref<2xi32>
  func.call @inner(%x, %w, %b, %y) : (memref<4xi8>, memref<4xi8>, memref<2xi32>, memref<4xi32>) -> ()
  func.return
}

func.func private @inner(%x: memref<4xi8>, %w: memref<4xi8>, %b: memref<2xi32>, %y: memref<4xi32>)

// The bytes of the pool, little-endian, as one array; the network reads them through the pool's pointer.
// C:      const int8_t flash_constant_pool_data[12] = {
// C-NEXT:   5, 0, 0, 0, -6, -1, -1, -1, 1, 2, 3, 4,
// C:      void entry(int32_t *y, int8_t *flash, int8_t *fast)

// UNKNOWN: pin 'w=sram': there is no pool @sram; declared are @flash, @external, @fast, @slow
// NOTHING: pin 'v*=flash' matches none of the 2 constants

// PINNED: sym_name = "w"
// PINNED-SAME: pool.candidates = [@flash, @external]
// PINNED: sym_name = "bias"
// PINNED-SAME: pool.candidates = [@external]
// PINNED: memref.alloc() {pool.candidates = [@slow]}
