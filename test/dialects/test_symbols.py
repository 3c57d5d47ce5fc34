"""Verification with symbols looked up once refuses what xDSL refuses, and goes over many calls in time."""

from __future__ import annotations

import sys

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import VerifyException

from stillpool.dialects.symbols import verify
from stillpool.driver.pipeline import context

WRONG = {
    "missing": "func.func @f() { func.call @g() : () -> () func.return }",
    "no function": "memref.global @g : memref<1xi8> = uninitialized\n"
    "func.func @f() { func.call @g() : () -> () func.return }",
    "too many": "func.func private @g()\nfunc.func @f(%x: i8) { func.call @g(%x) : (i8) -> () func.return }",
    "of another type": "func.func private @g(i32)\nfunc.func @f(%x: i8) { func.call @g(%x) : (i8) -> () func.return }",
    "outside": "func.func private @g()\nmodule { func.func @f() { func.call @g() : () -> () func.return } }",
}
RIGHT = """
func.func private @g(i8)
module @inner { func.func private @g() func.func @f() { func.call @g() : () -> () func.return } }
func.func @f(%x: i8) { func.call @g(%x) : (i8) -> () func.call @f(%x) : (i8) -> () func.return }
"""


def parsed(text: str) -> ModuleOp:
    return Parser(context(), text).parse_module()


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_refuses_what_xdsl_refuses(text: str) -> None:
    module = parsed(text)
    with pytest.raises(VerifyException) as expected:
        module.verify()
    with pytest.raises(VerifyException) as found:
        verify(module)
    assert str(found.value) == str(expected.value)


def test_accepts_what_is_right_and_sees_changes() -> None:
    module = parsed(RIGHT)
    verify(module)
    first = next(iter(module.ops))
    first.detach()
    with pytest.raises(VerifyException):
        verify(module)


def test_each_symbol_is_read_once() -> None:
    """Counted, not timed: what Python calls grows with the calls, not with calls times functions."""

    def steps(count: int) -> int:
        functions = "\n".join(f"func.func private @g{n}()" for n in range(count))
        calls = "\n".join(f"func.call @g{n}() : () -> ()" for n in range(count))
        module = parsed(f"{functions}\nfunc.func @f() {{ {calls} func.return }}")
        seen = 0

        def count_calls(*_: object) -> None:
            nonlocal seen
            seen += 1

        sys.setprofile(count_calls)
        try:
            verify(module)
        finally:
            sys.setprofile(None)
        return seen

    assert steps(200) < 2.5 * steps(100)


def test_others_look_symbols_up_as_before() -> None:
    module = parsed(RIGHT)
    assert SymbolTable.lookup_symbol(module, "g") is next(iter(module.ops))
    assert SymbolTable.lookup_symbol(module, "h") is None
