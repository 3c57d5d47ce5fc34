// Edges of a 16x16 image: the image less its blurred self. Written by hand at the level of memrefs.
//
//   xdsl-opt -p usmp,emit-c examples/mlir/edges.mlir          prints the emitc dialect
//   xdsl-opt -p usmp,emit-c -t c examples/mlir/edges.mlir     prints C
//
// `usmp` places @edges' buffer %soft and the scratch buffer %sums of @blur in one pool, which becomes an argument.

// Mean of three neighbours in a row, then of three in a column; the border is copied.
func.func private @blur(%in: memref<16x16xi8>, %out: memref<16x16xi8>) {
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.constant 15 : index
  %end = arith.constant 16 : index
  %nine = arith.constant 9 : i32
  %sums = memref.alloc() {pool.name = "row sums", pool.kind = #pool.kind<scratch>} : memref<16x16xi16>
  scf.for %y = %first to %end step %one {
    scf.for %x = %first to %end step %one {
      %pixel = memref.load %in[%y, %x] : memref<16x16xi8>
      memref.store %pixel, %out[%y, %x] : memref<16x16xi8>
    }
    scf.for %x = %one to %last step %one {
      %x_left = arith.subi %x, %one : index
      %x_right = arith.addi %x, %one : index
      %left = memref.load %in[%y, %x_left] : memref<16x16xi8>
      %middle = memref.load %in[%y, %x] : memref<16x16xi8>
      %right = memref.load %in[%y, %x_right] : memref<16x16xi8>
      %left16 = arith.extsi %left : i8 to i16
      %middle16 = arith.extsi %middle : i8 to i16
      %right16 = arith.extsi %right : i8 to i16
      %two = arith.addi %left16, %middle16 overflow<nsw> : i16
      %three = arith.addi %two, %right16 overflow<nsw> : i16
      memref.store %three, %sums[%y, %x] : memref<16x16xi16>
    }
  }
  scf.for %y = %one to %last step %one {
    scf.for %x = %one to %last step %one {
      %y_above = arith.subi %y, %one : index
      %y_below = arith.addi %y, %one : index
      %above = memref.load %sums[%y_above, %x] : memref<16x16xi16>
      %row = memref.load %sums[%y, %x] : memref<16x16xi16>
      %below = memref.load %sums[%y_below, %x] : memref<16x16xi16>
      %above32 = arith.extsi %above : i16 to i32
      %row32 = arith.extsi %row : i16 to i32
      %below32 = arith.extsi %below : i16 to i32
      %six = arith.addi %above32, %row32 overflow<nsw> : i32
      %sum = arith.addi %six, %below32 overflow<nsw> : i32
      %mean = arith.divsi %sum, %nine : i32
      %pixel = arith.trunci %mean : i32 to i8
      memref.store %pixel, %out[%y, %x] : memref<16x16xi8>
    }
  }
  func.return
}

// a - b, clamped to int8.
func.func private @difference(%a: memref<16x16xi8>, %b: memref<16x16xi8>, %out: memref<16x16xi8>) {
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 16 : index
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  scf.for %y = %first to %end step %one {
    scf.for %x = %first to %end step %one {
      %left = memref.load %a[%y, %x] : memref<16x16xi8>
      %right = memref.load %b[%y, %x] : memref<16x16xi8>
      %left32 = arith.extsi %left : i8 to i32
      %right32 = arith.extsi %right : i8 to i32
      %far = arith.subi %left32, %right32 overflow<nsw> : i32
      %above = arith.maxsi %far, %least : i32
      %clamped = arith.minsi %above, %most : i32
      %pixel = arith.trunci %clamped : i32 to i8
      memref.store %pixel, %out[%y, %x] : memref<16x16xi8>
    }
  }
  func.return
}

func.func @edges(%image: memref<16x16xi8>, %result: memref<16x16xi8>) {
  %soft = memref.alloc() {pool.name = "soft", pool.kind = #pool.kind<activation>} : memref<16x16xi8>
  func.call @blur(%image, %soft) : (memref<16x16xi8>, memref<16x16xi8>) -> ()
  func.call @difference(%image, %soft, %result) : (memref<16x16xi8>, memref<16x16xi8>, memref<16x16xi8>) -> ()
  func.return
}
