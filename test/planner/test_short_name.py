"""Names of tensors in tables are short, and still told apart."""

from __future__ import annotations

from stillpool.planner.short_name import MOST, cut, labels


def test_scopes_and_appended_names_go() -> None:
    name = "functional_1/activation/Relu;functional_1/conv2d/BiasAdd/ReadVariableOp/resource"
    assert labels([name, f"{name}[12]"]) == {name: "activation/Relu", f"{name}[12]": "activation/Relu[12]"}


def test_equal_short_names_stay_apart() -> None:
    first, second = f"a/{'x' * 60}/block/conv;1", f"b/{'x' * 60}/block/conv;2"
    found = labels([first, second])
    assert found[first] != found[second]
    assert max(map(len, found.values())) <= MOST


def test_the_middle_goes() -> None:
    assert cut("short") == "short"
    assert cut("a" * 30 + "b" * 30, 9) == "aaa...bbb"


def test_what_is_no_row_stays() -> None:
    assert labels(["x[a]", "[1]"]) == {"x[a]": "x[a]", "[1]": "[1]"}
