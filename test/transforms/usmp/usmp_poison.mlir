// RUN: stillpool-opt -p "usmp-io-allocs{tensors=all},usmp-assign-pools,usmp-overlap{mode=off},usmp-plan,usmp-check,usmp-poison,usmp-materialize-offsets,usmp-check" %s | filecheck %s
// RUN: stillpool-opt -p "usmp-io-allocs{tensors=all},usmp-assign-pools,usmp-overlap{mode=off},usmp-plan,usmp-poison,usmp-materialize-offsets,emit-c" -t c %s | filecheck %s --check-prefix C

// 64 bytes of buffers at 16, guard bytes before and behind. What is no input is filled at first, what is dead after
// each call. @tight has a limit: the guard behind takes what it leaves.

pool.declare @roomy workspace
pool.declare @tight workspace limit 36

func.func private @copy(%x: memref<32xi8>, %y: memref<32xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %v = memref.load %x[%i] : memref<32xi8>
    memref.store %v, %y[%i] : memref<32xi8>
  }
  func.return
}
func.func @model(%in: memref<32xi8> {pool.io = "input", pool.candidates = [@roomy]}, %out: memref<32xi8> {pool.io = "output", pool.candidates = [@roomy]}) {
  %a = memref.alloc() {pool.candidates = [@roomy]} : memref<32xi8>
  %b = memref.alloc() {pool.candidates = [@tight]} : memref<32xi8>
  func.call @copy(%in, %a) : (memref<32xi8>, memref<32xi8>) -> ()
  func.call @copy(%a, %b) : (memref<32xi8>, memref<32xi8>) -> ()
  func.call @copy(%b, %out) : (memref<32xi8>, memref<32xi8>) -> ()
  func.return
}

// CHECK:       pool.declare @roomy workspace size 96 lower_bound 96
// CHECK-NEXT:  pool.declare @tight workspace limit 36 size 36 lower_bound 36
// CHECK:       func.func @model(%roomy: memref<96xi8> {pool.pool = @roomy}, %tight: memref<36xi8> {pool.pool = @tight}) -> i32
// CHECK:         func.call @poison_fill({{.*}}) {pool.poison} : (memref<?xi8>, index) -> ()

// C:       static int32_t poison_damage(
// C:       int32_t model(int8_t *roomy, int8_t *tight) {
// C-NEXT:    poison_fill(roomy, 16);
// C-NEXT:    int8_t *guard = roomy + 80;
// C-NEXT:    poison_fill(guard, 16);
// C-NEXT:    int8_t *guard_1 = tight + 32;
// C-NEXT:    poison_fill(guard_1, 4);
// C-NEXT:    int8_t *a = roomy + 16;
// C-NEXT:    poison_fill(roomy + 16, 32);
// C-NEXT:    poison_fill(tight, 32);
// C-NEXT:    copy(roomy + 48, a);
// C-NEXT:    poison_fill(roomy + 48, 32);
// C-NEXT:    copy(a, tight);
// C-NEXT:    poison_fill(roomy + 16, 32);
// C-NEXT:    copy(tight, roomy + 16);
// C-NEXT:    poison_fill(tight, 32);
// C-NEXT:    int32_t v1 = poison_damage(roomy, 16);
// C-NEXT:    int32_t v2 = poison_damage(guard, 16);
// C-NEXT:    return v1 + v2 + poison_damage(guard_1, 4);
