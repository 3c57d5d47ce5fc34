"""The order of a search: repeatable, the same whoever is done first, taken up where it was left."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from pretending import DIGITS, Pretending

from stillpool.driver.compile.prepare import prepare
from stillpool.errors import VerificationError
from stillpool.lowering.schedule.known.database import read_database
from stillpool.machines.cpus import get_cpu
from stillpool.tune import measure
from stillpool.tune.job import Job, Way
from stillpool.tune.search import Estimate, Search
from stillpool.tune.session import WRONG, Session
from stillpool.tune.store import Store
from stillpool.tune.tasks import Tasks
from stillpool.tune.tuning import Tuning, Wishes
from stillpool.tune.workers import Workers

pytestmark = pytest.mark.extra("emulate")
WAY = Way("cortex-m4")
TRIALS = 20


@pytest.fixture(autouse=True)
def estimates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates as little true as what is measured: which ones they are does not matter here."""

    def pretended(self: Search, steps: object) -> Estimate:
        return Estimate(int(hashlib.sha256(f"{steps}".encode()).hexdigest()[:4], 16), f"{steps}")

    monkeypatch.setattr(Search, "_estimated", pretended)


def searched(digits: Tasks, path: Path, workers: Workers, *, trials: int = TRIALS, seed: int = 0) -> Session:
    session = Session(digits, Store(path), WAY, trials=trials, seed=seed)
    session.run(workers)
    return session


def tried(session: Session) -> list[list[str]]:
    return [sorted(one.records) for one in session.tuned]


def best(session: Session) -> list[str]:
    return ["" if one.best is None else one.best.schedule for one in session.tuned]


def test_who_is_done_first_changes_nothing(digits: Tasks, tmp_path: Path) -> None:
    one = searched(digits, tmp_path / "a", Pretending())
    other = searched(digits, tmp_path / "b", Pretending(backwards=True))
    assert tried(one) == tried(other)
    assert best(one) == best(other)
    assert any(one.best is not None and one.best.schedule not in one.task.heuristics for one in one.tuned)
    assert all(len(texts) <= TRIALS for texts in tried(one))


def test_a_seed_is_another_order(digits: Tasks, tmp_path: Path) -> None:
    assert tried(searched(digits, tmp_path / "a", Pretending())) != tried(
        searched(digits, tmp_path / "b", Pretending(), seed=1)
    )


def test_nothing_is_measured_twice(digits: Tasks, tmp_path: Path) -> None:
    first, second = Pretending(), Pretending()
    one = searched(digits, tmp_path / "a", first)
    other = searched(digits, tmp_path / "a", second)
    assert len(first.jobs) == sum(len(texts) for texts in tried(one))
    assert second.jobs == []
    assert tried(one) == tried(other)


def test_what_was_interrupted_goes_on(digits: Tasks, tmp_path: Path) -> None:
    first, second = Pretending(most=40), Pretending()
    with pytest.raises(KeyboardInterrupt):
        searched(digits, tmp_path / "a", first)
    assert len(read_database(tmp_path / "a").records) == 40
    resumed = searched(digits, tmp_path / "a", second)
    whole = searched(digits, tmp_path / "b", Pretending())
    assert tried(resumed) == tried(whole)
    assert len(first.jobs) + len(second.jobs) == sum(map(len, tried(whole)))
    assert (tmp_path / "a").read_text().count("\n") == (tmp_path / "b").read_text().count("\n")


def test_more_trials_go_on_from_fewer(digits: Tasks, tmp_path: Path) -> None:
    searched(digits, tmp_path / "a", Pretending(), trials=8)
    more = Pretending()
    assert tried(searched(digits, tmp_path / "a", more)) == tried(searched(digits, tmp_path / "b", Pretending()))


def test_other_outputs_are_an_error_and_never_taken(digits: Tasks, tmp_path: Path) -> None:
    session = searched(digits, tmp_path / "a", Pretending(wrong="bytes"))
    wrong = [text for one in session.tuned for text in one.wrong]
    assert wrong
    assert all("bytes" in text for text in wrong)
    assert not any("bytes" in text for text in best(session))
    failed = {one.failed for one in read_database(tmp_path / "a").records.values()}
    assert WRONG in failed
    assert "too long" in failed


def test_what_leaves_its_memory_is_a_bug_too(digits: Tasks, tmp_path: Path) -> None:
    session = searched(digits, tmp_path / "a", Pretending(strays="bytes"))
    wrong = {text: why for one in session.tuned for text, why in one.wrong.items()}
    assert wrong
    assert all("bytes" in text and "not its own" in why for text, why in wrong.items())
    assert not any("bytes" in text for text in best(session))


def test_a_bug_is_reported_with_the_task_and_its_schedule(tmp_path: Path) -> None:
    tuning = Tuning(DIGITS, Store(tmp_path / "s"), Wishes(WAY, trials=12))
    assert tuning.wrong(tmp_path) is None
    tuning.run(Pretending(wrong="bytes"))
    error = tuning.wrong(tmp_path)
    assert error is not None
    written = list(tmp_path.glob("stillpool-bug-*.mlir"))
    assert written
    for file in written:
        assert str(file) in str(error)
        text = file.read_text()
        # What is to be reported compiles, in the schedule that it is about.
        assert "schedule" in text.partition("task.nest")[2]
        assert "bytes" in text
        assert prepare(file).result().code


def test_a_program_that_leaves_its_memory_is_no_loss_of_time(digits: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    def strays(*_: object, **__: object) -> None:
        raise VerificationError("task wrote at 0x20000000")

    monkeypatch.setattr(measure, "emulate", strays)
    task = digits.tasks[0]
    job = Job(task.program, task.place.function, task.place.number, task.needed, WAY)
    assert "task wrote at 0x20000000" in measure.measured(job).wrong


def test_what_is_estimated_to_be_fastest_comes_first(digits: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for one of four, by chance; and once they are measured, it is what was measured that counts."""
    monkeypatch.undo()
    task = next(task for task in digits.tasks if task.what == "1x8x8x12 of 1x1x12 i8")
    search = Search(task, get_cpu("cortex-m4"), trials=9, seed=0)
    search.take(search.plain(), 100)
    first = search.batch()
    assert len(first) == 8
    estimated = [search._estimate(text).instructions for text in first]  # pyright: ignore[reportPrivateUsage]
    named = [estimate for n, estimate in enumerate(estimated) if n % 4 != 3]
    assert named == sorted(named)
    known = search._estimates.values()  # pyright: ignore[reportPrivateUsage]
    assert min(estimated) == min(one.instructions for one in known)


def test_schedules_of_the_same_program_are_measured_once(digits: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    """As passes over more words than are written out."""
    monkeypatch.undo()
    task = next(task for task in digits.tasks if task.what == "1x8x8x12 of 1x1x12 i8")
    search = Search(task, get_cpu("cortex-m4"), trials=40, seed=0)
    found = [search.plain(), *search.heuristics()]
    while found:
        for text in found:
            search.take(text, search._estimate(text).instructions)  # pyright: ignore[reportPrivateUsage]
        found = search.batch()
    loops = [search._estimate(text).loops for text in search.values]  # pyright: ignore[reportPrivateUsage]
    assert len(loops) == len(set(loops)) > 20
