// RUN: stillpool-opt %s -p roll-rows | filecheck %s
// RUN: stillpool-opt %s -p roll-rows,emit-c -t c | filecheck %s --check-prefix C

// Twelve calls, of which the first and the last are like no other and stay as they are.

// CHECK:      sym_name = "order", {{.*}} dense<[0, 0, 1, 0, 1, 0, 1, 0, 1, 0]>
// CHECK:      sym_name = "turns", {{.*}} dense<[0, 1, 0, 2, 1, 3, 2, 4, 3, 5]>
// The input's rows are regular, those in between are listed once, though three operands run over them.
// CHECK:      sym_name = "places", {{.*}} dense<[100, 50, 80, 20, 60, 40]>
// CHECK-LABEL: func.func @main
// CHECK:        func.call @first(
// CHECK-NOT:    func.call
// CHECK:        scf.for %step = %{{.*}} to %{{.*}} step
// CHECK:          scf.index_switch %kind
// CHECK:          case 0 {
// CHECK:            func.call @above({{.*}}) {{{.*}}nn.positions = array<i64: 1, 2, 4, 6, 8, 10>
// CHECK:          case 1 {
// CHECK:            func.call @below({{.*}}) {{{.*}}nn.positions = array<i64: 3, 5, 7, 9>
// CHECK:        func.call @last(

// C:      /* Positions 1 to 10, row by row: order says which call is next, turns how often it came before, places where rows{{$}}
// C-NEXT:   * lie that lie irregularly. */
// C:      for (int32_t step = 0; step < 10; ++step) {
// C:        int32_t turn = (int32_t)(uint8_t)turns[step];
// C:        switch ((int32_t)(uint8_t)order[step]) {
// C:        case 0: {
// C:          above(pool + turn * 8, pool + (int32_t)(uint8_t)places[turn]);
// C:        case 1: {
// C:          below(pool + (int32_t)(uint8_t)places[turn], pool + (int32_t)(uint8_t)places[1 + turn], pool + 150);

func.func private @first(memref<128xi8>) -> ()
func.func private @last(memref<128xi8>) -> ()
func.func private @above(memref<8xi8>, memref<8xi8>) -> ()
func.func private @below(memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()

func.func @main(%pool: memref<200xi8>) {
  %o1 = arith.constant 0 : index
  %v1 = memref.view %pool[%o1][] : memref<200xi8> to memref<128xi8>
  func.call @first(%v1) : (memref<128xi8>) -> ()
  %o2 = arith.constant 0 : index
  %v2 = memref.view %pool[%o2][] : memref<200xi8> to memref<8xi8>
  %o3 = arith.constant 100 : index
  %v3 = memref.view %pool[%o3][] : memref<200xi8> to memref<8xi8>
  func.call @above(%v2, %v3) : (memref<8xi8>, memref<8xi8>) -> ()
  %o4 = arith.constant 8 : index
  %v4 = memref.view %pool[%o4][] : memref<200xi8> to memref<8xi8>
  %o5 = arith.constant 50 : index
  %v5 = memref.view %pool[%o5][] : memref<200xi8> to memref<8xi8>
  func.call @above(%v4, %v5) : (memref<8xi8>, memref<8xi8>) -> ()
  %o6 = arith.constant 100 : index
  %v6 = memref.view %pool[%o6][] : memref<200xi8> to memref<8xi8>
  %o7 = arith.constant 50 : index
  %v7 = memref.view %pool[%o7][] : memref<200xi8> to memref<8xi8>
  %o8 = arith.constant 150 : index
  %v8 = memref.view %pool[%o8][] : memref<200xi8> to memref<8xi8>
  func.call @below(%v6, %v7, %v8) : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  %o9 = arith.constant 16 : index
  %v9 = memref.view %pool[%o9][] : memref<200xi8> to memref<8xi8>
  %o10 = arith.constant 80 : index
  %v10 = memref.view %pool[%o10][] : memref<200xi8> to memref<8xi8>
  func.call @above(%v9, %v10) : (memref<8xi8>, memref<8xi8>) -> ()
  %o11 = arith.constant 50 : index
  %v11 = memref.view %pool[%o11][] : memref<200xi8> to memref<8xi8>
  %o12 = arith.constant 80 : index
  %v12 = memref.view %pool[%o12][] : memref<200xi8> to memref<8xi8>
  %o13 = arith.constant 150 : index
  %v13 = memref.view %pool[%o13][] : memref<200xi8> to memref<8xi8>
  func.call @below(%v11, %v12, %v13) : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  %o14 = arith.constant 24 : index
  %v14 = memref.view %pool[%o14][] : memref<200xi8> to memref<8xi8>
  %o15 = arith.constant 20 : index
  %v15 = memref.view %pool[%o15][] : memref<200xi8> to memref<8xi8>
  func.call @above(%v14, %v15) : (memref<8xi8>, memref<8xi8>) -> ()
  %o16 = arith.constant 80 : index
  %v16 = memref.view %pool[%o16][] : memref<200xi8> to memref<8xi8>
  %o17 = arith.constant 20 : index
  %v17 = memref.view %pool[%o17][] : memref<200xi8> to memref<8xi8>
  %o18 = arith.constant 150 : index
  %v18 = memref.view %pool[%o18][] : memref<200xi8> to memref<8xi8>
  func.call @below(%v16, %v17, %v18) : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  %o19 = arith.constant 32 : index
  %v19 = memref.view %pool[%o19][] : memref<200xi8> to memref<8xi8>
  %o20 = arith.constant 60 : index
  %v20 = memref.view %pool[%o20][] : memref<200xi8> to memref<8xi8>
  func.call @above(%v19, %v20) : (memref<8xi8>, memref<8xi8>) -> ()
  %o21 = arith.constant 20 : index
  %v21 = memref.view %pool[%o21][] : memref<200xi8> to memref<8xi8>
  %o22 = arith.constant 60 : index
  %v22 = memref.view %pool[%o22][] : memref<200xi8> to memref<8xi8>
  %o23 = arith.constant 150 : index
  %v23 = memref.view %pool[%o23][] : memref<200xi8> to memref<8xi8>
  func.call @below(%v21, %v22, %v23) : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  %o24 = arith.constant 40 : index
  %v24 = memref.view %pool[%o24][] : memref<200xi8> to memref<8xi8>
  %o25 = arith.constant 40 : index
  %v25 = memref.view %pool[%o25][] : memref<200xi8> to memref<8xi8>
  func.call @above(%v24, %v25) : (memref<8xi8>, memref<8xi8>) -> ()
  %o26 = arith.constant 0 : index
  %v26 = memref.view %pool[%o26][] : memref<200xi8> to memref<128xi8>
  func.call @last(%v26) : (memref<128xi8>) -> ()
  func.return
}
