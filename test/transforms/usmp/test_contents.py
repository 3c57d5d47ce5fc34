"""Changes of contents are looked back at, and taken back: as if everything had been copied at the mark."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stillpool.transforms.usmp.check.contents import Contents

CHANGES = st.lists(st.tuples(st.sampled_from(["write", "destroy", "renew"]), st.integers(0, 4), st.integers(0, 4)))


def change(contents: Contents, kind: str, number: int, by: int) -> None:
    if kind == "write":
        contents.write(number)
    elif kind == "destroy":
        contents.destroy(number, by)
    else:
        contents.renew(number)


@given(CHANGES, CHANGES)
def test_marks_are_copies(before: list[tuple[str, int, int]], after: list[tuple[str, int, int]]) -> None:
    contents = Contents()
    for one in before:
        change(contents, *one)
    mark, intact, destroyed = contents.mark(), set(contents.intact), dict(contents.destroyed)
    for one in after:
        change(contents, *one)
        assert contents.is_as_at(mark) == ((contents.intact, contents.destroyed) == (intact, destroyed))
    contents.back_to(mark)
    assert (contents.intact, contents.destroyed) == (intact, destroyed)
    assert contents.is_as_at(mark)


def test_what_was_destroyed_begins_anew() -> None:
    contents = Contents()
    contents.write(1)
    contents.destroy(1, by=2)
    contents.destroy(3, by=2)
    assert (contents.intact, contents.destroyed) == (set(), {1: 2})
    contents.renew(1)
    assert (contents.intact, contents.destroyed) == (set(), {})
