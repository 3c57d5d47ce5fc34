"""The mutation run changes what can be wrong, and says which changes no test notices."""

from __future__ import annotations

from pathlib import Path

import mutate
import pytest

CODE = '''"""Largest of two, less one."""


def largest(a: int, b: int = 1) -> int:
    assert a != 7, f"{a + 1} is odd"
    if a < b:
        return b - 1
    return max(a, b) - 1


def is_even(a: int) -> bool:
    return a % 2 == 0 and not a < 0
'''

TESTS = """
from room.code import is_even, largest


def test_largest():
    assert largest(2, 3) == 2
    assert largest(3, 2) == 2
    assert largest(0) == 0


def test_runs():
    is_even(2)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of a package with one room."""
    (tmp_path / "room").mkdir()
    (tmp_path / "test" / "room").mkdir(parents=True)
    (tmp_path / ".typing").mkdir()
    (tmp_path / ".typing" / "room").symlink_to("../room")
    (tmp_path / "room" / "code.py").write_text(CODE)
    (tmp_path / "test" / "room" / "test_code.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def test_what_is_changed() -> None:
    changes = [f"{mutant.line}: {mutant.before} -> {mutant.after}" for mutant in mutate.mutants(Path("code.py"), CODE)]
    assert changes == [
        "4: 1 -> 2",
        "6: a < b -> a <= b",
        "7: b - 1 -> b + 1",
        "7: 1 -> 2",
        "8: max(a, b) - 1 -> max(a, b) + 1",
        "8: max -> min",
        "8: 1 -> 2",
        "12: a % 2 == 0 and not a < 0 -> a % 2 == 0 or not a < 0",
        "12: a % 2 == 0 -> a % 2 != 0",
        "12: a % 2 -> a // 2",
        "12: 2 -> 3",
        "12: 0 -> 1",
        "12: not a < 0 -> a < 0",
        "12: a < 0 -> a <= 0",
        "12: 0 -> 1",
    ]


def test_every_change_is_one_place_and_can_be_read() -> None:
    for mutant in mutate.mutants(Path("code.py"), CODE):
        different = [
            number
            for number, (before, after) in enumerate(zip(CODE.splitlines(), mutant.text.splitlines(), strict=True), 1)
            if before != after
        ]
        assert different == [mutant.line], mutant
        compile(mutant.text, "code.py", "exec")


def test_what_no_test_notices_is_said(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert mutate.main(["room", "--each", "4", "--jobs", "1"], checkout) == 1
    said = capsys.readouterr().out.splitlines()
    chosen = mutate.sample(Path("room/code.py"), CODE, 4)
    # Nothing is asked of `is_even`, and either of two equal numbers is the largest.
    alive = [str(mutant) for mutant in chosen if mutant.line == 12 or mutant.before == "a < b"]
    assert 0 < len(alive) < len(chosen)
    assert said == [*alive, f"{len(alive)} of 4 changes in 1 files are not noticed"]
    assert (checkout / "room" / "code.py").read_text() == CODE


def test_tests_that_fail_anyway_are_not_asked(checkout: Path) -> None:
    (checkout / "room" / "code.py").write_text(CODE.replace("- 1", "+ 1"))
    with pytest.raises(SystemExit, match="test/room fails before anything is changed"):
        mutate.main(["room"], checkout)


def test_the_tests_of_a_file_are_in_the_nearest_folder() -> None:
    assert mutate.tests_of(mutate.ROOT, Path("planner/exact/search.py")) == Path("test/planner")
    assert mutate.tests_of(mutate.ROOT, Path("lowering/nn/requantise.py")) == Path("test/lowering/nn")
    assert all(mutate.files_of(mutate.ROOT, [room]) for room in mutate.ROOMS)
