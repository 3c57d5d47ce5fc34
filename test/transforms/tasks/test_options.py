"""Which schedules a limit of flash allows."""

from __future__ import annotations

from stillpool.lowering.schedule.variants import Variant
from stillpool.transforms.tasks.choose.options import Option, chosen

COMPACT, FAST = Variant.COMPACT, Variant.FAST


def test_flash_goes_where_it_saves_most() -> None:
    found = [
        Option("free", FAST, saved=10, flash=-5),
        Option("slower", FAST, saved=-1, flash=-100),
        Option("good", FAST, saved=1000, flash=100),
        Option("large", FAST, saved=5000, flash=1000),
        Option("small", FAST, saved=50, flash=20),
    ]
    assert set(chosen(found, 1200)) == {"free", "good", "large", "small"}
    assert set(chosen(found, 1000)) == {"free", "good", "small"}
    assert set(chosen(found, 0)) == {"free"}
    assert set(chosen(found, 1000, last={"good", "free"})) == {"free", "large"}


def test_more_flash_takes_faster_variants() -> None:
    found = [
        Option("one", COMPACT, saved=900, flash=100),
        Option("one", FAST, saved=1000, flash=200),
        Option("other", COMPACT, saved=500, flash=100),
        Option("other", FAST, saved=900, flash=200),
        # Saves less for each byte than half of the other.
        Option("third", COMPACT, saved=10, flash=100),
        Option("third", FAST, saved=400, flash=200),
    ]
    assert chosen(found, 100) == {"one": COMPACT}
    assert chosen(found, 200) == {"one": COMPACT, "other": COMPACT}
    assert chosen(found, 300) == {"one": COMPACT, "other": FAST}
    assert chosen(found, 500) == {"one": COMPACT, "other": FAST, "third": FAST}
    assert chosen(found, 600) == {"one": FAST, "other": FAST, "third": FAST}


def test_a_variant_that_is_not_faster_is_not_taken() -> None:
    found = [Option("one", COMPACT, saved=100, flash=10), Option("one", FAST, saved=90, flash=30)]
    assert chosen(found, 1000) == {"one": COMPACT}
