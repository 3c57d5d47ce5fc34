"""Pools as users write them."""

from __future__ import annotations

import pytest

from stillpool.driver.options.pool_spec import PoolSpec, distinct, parse_bytes, parse_pool
from stillpool.errors import UsageError


@pytest.mark.parametrize(
    ("text", "bytes_"), [("0", 0), ("65536", 65536), ("0x1F", 31), ("64K", 65536), ("2MiB", 2 << 20), ("1kb", 1024)]
)
def test_sizes(text: str, bytes_: int) -> None:
    assert parse_bytes(text, "here") == bytes_


@pytest.mark.parametrize("text", ["", "-1", "1.5", "64KK", "K", "1 2", "1e3"])
def test_wrong_sizes(text: str) -> None:
    with pytest.raises(UsageError, match=r"here: .*is not a number of bytes"):
        parse_bytes(text, "here")


def test_every_property() -> None:
    spec = parse_pool("dtcm:size=64K,align=32,section=.dtcm,read-bandwidth=100,burst=8")
    assert spec == PoolSpec("dtcm", "workspace", 65536, 32, ".dtcm", (("read_bandwidth", 100), ("burst", 8)))
    declared = 'pool.declare @dtcm workspace limit 65536 align 32 section ".dtcm" read_bandwidth 1.000000e+02 burst 8'
    assert str(spec.declare()) == declared


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1abc", "starts with a letter"),
        ("a b", "starts with a letter"),
        ("", "starts with a letter"),
        ("p:colour=red", "unknown property 'colour=red'"),
        ("p:size", "unknown property 'size'"),
        ("p:size=1,size=2", "given twice"),
        ("p:align=3", "not a power of two"),
        ("p:align=0", "not a power of two"),
        ('p:section=a"b', "not the name of a linker section"),
        ("p:kind=rom", "kind 'rom' is none of workspace, constant, state"),
        ("p:address=0x20000000", "an address has no effect without a section"),
    ],
)
def test_mistakes(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_pool(text)


def test_an_address() -> None:
    spec = parse_pool("dtcm:section=DTCM,address=0x20000000")
    assert spec.address == 0x20000000
    assert parse_pool(str(spec)) == spec


def test_a_kind_in_the_text() -> None:
    assert parse_pool("p:kind=constant,size=1K") == parse_pool("p:size=1K", "constant")
    assert parse_pool("p:kind=state", "state").kind == "state"
    with pytest.raises(UsageError, match="kind=state in a constant pool"):
        parse_pool("p:kind=state", "constant")


def test_names_must_differ() -> None:
    with pytest.raises(UsageError, match="declared twice"):
        distinct([parse_pool("sram"), parse_pool("SRAM")])
