"""How much memory functions may have beside what is in use around their calls."""

from __future__ import annotations

from xdsl.parser import Parser

from stillpool.driver.pipeline import context
from stillpool.transforms.usmp.analysis.held import room_for_scratch

NETWORK = """
func.func private @first(%x: memref<100xi8>, %y: memref<20xi8>)
func.func private @second(%x: memref<20xi8>, %y: memref<10xi8>)
func.func @main(%x: memref<100xi8>, %z: memref<10xi8>) {
  %y = memref.alloc() : memref<20xi8>
  %a = memref.cast %x : memref<100xi8> to memref<100xi8>
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<100xi8>
  func.call @first(%x, %y) : (memref<100xi8>, memref<20xi8>) -> ()
  func.call @second(%y, %z) : (memref<20xi8>, memref<10xi8>) -> ()
  func.return
}
"""


def test_scratch_has_room_beside_what_is_in_use() -> None:
    module = Parser(context(), NETWORK).parse_module()
    # A hundred bytes are in use before the first call, thirty at the second one.
    assert room_for_scratch(module, 0) == {"first": 0, "second": 70}
    assert room_for_scratch(module, 90) == {"first": 90, "second": 160}
