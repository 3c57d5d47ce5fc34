"""What programs did is done again where nothing has changed, and found out again where anything has."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from programs import kept
from programs.kept import Store
from programs.popen import Popen

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")

SOURCE = """\
#include <stdio.h>
#include "number.h"
int main(int count, char **words) {
    int number = 0;
    FILE *in = fopen(words[1], "r"), *out = fopen("out.txt", "w");
    if (count < 2 || !in || !out || fscanf(in, "%d", &number) != 1) return 1;
    fprintf(out, "%d", number + NUMBER);
    printf("%s %d\\n", words[1], number);
    return fclose(in) | fclose(out);
}
"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """An empty one, for all programs of a test."""
    store = Store(tmp_path / "store")
    monkeypatch.setattr(Popen, "store", store)
    return store


@pytest.fixture
def work(tmp_path: Path) -> Callable[..., str]:
    """Compile a program and run it, each time in a new folder; what it has written."""

    def do(source: str = SOURCE, number: int = 1, given: int = 2, flags: tuple[str, ...] = ()) -> str:
        folder = tmp_path / f"work{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "main.c").write_text(source)
        (folder / "number.h").write_text(f"#define NUMBER {number}\n")
        subprocess.run(["cc", *flags, "main.c", "-o", str(folder / "main")], cwd=folder, check=True)
        (folder / "in.txt").write_text(f"{given}")
        ran = subprocess.run([folder / "main", "in.txt"], cwd=folder, capture_output=True, text=True, check=True)
        assert ran.stdout == f"in.txt {given}\n"
        return (folder / "out.txt").read_text()

    return do


def test_the_same_is_not_run_again(store: Store, work: Callable[..., str]):
    assert work() == "3"
    assert (store.hits, store.misses) == (0, 2)
    assert work() == "3"
    assert (store.hits, store.misses) == (2, 2)


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"source": SOURCE.replace("number +", "number -")}, "1"),
        ({"number": 4}, "6"),
        ({"flags": ("-O1",)}, "3"),
    ],
    ids=["a byte of C", "a header", "a flag"],
)
def test_what_a_compiler_reads_counts(store: Store, work: Callable[..., str], change: dict[str, object], answer: str):
    work()
    assert work(**change) == answer
    assert store.misses >= 3


def test_an_input_counts(store: Store, work: Callable[..., str]):
    work()
    assert work(given=5) == "6"
    assert (store.hits, store.misses) == (1, 3)


@pytest.mark.parametrize("what", ["version_of", "packages"])
def test_who_it_is_counts(store: Store, work: Callable[..., str], monkeypatch: pytest.MonkeyPatch, what: str):
    """The compiler's version, and for scripts that of each package."""
    kept.compiler_at.cache_clear()
    work()
    kept.compiler_at.cache_clear()
    monkeypatch.setattr(kept, what, lambda *_: "another")
    work()
    kept.compiler_at.cache_clear()
    assert (store.misses > 2) == (what == "version_of")


@pytest.mark.parametrize("script", kept.SCRIPTS, ids=lambda path: Path(path).name)
def test_packages_of_scripts_count(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The version of the emulator, and of reference interpreters."""
    keys: list[str] = []
    for version in ("unicorn-2.1.1", "unicorn-2.1.1", "unicorn-2.1.2"):
        monkeypatch.setattr(kept, "packages", lambda version=version: version)
        asked = kept.question_of([sys.executable, "-P", script, str(tmp_path)], None, {})
        assert asked is not None
        keys.append(asked.key)
    assert keys[0] == keys[1] != keys[2]


def test_the_environment_counts(store: Store, work: Callable[..., str], monkeypatch: pytest.MonkeyPatch):
    work()
    monkeypatch.setenv("CPATH", "/nowhere")
    work()
    assert (store.hits, store.misses) == (0, 4)


def test_a_failure_is_not_kept(store: Store, tmp_path: Path):
    (tmp_path / "main.c").write_text("no C\n")
    for _ in range(2):
        assert subprocess.run(["cc", "-c", "main.c"], cwd=tmp_path, capture_output=True).returncode != 0
    assert store.hits == 0


def test_a_file_from_elsewhere_counts(store: Store, tmp_path: Path):
    """What a command names outside of its folder."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (here / "main.c").write_text('#include "other.h"\nint x = X;\n')
    for number in (1, 1, 2):
        (there / "other.h").write_text(f"#define X {number}\n")
        subprocess.run(["cc", f"-I{there}", "-S", "main.c"], cwd=here, check=True)
        assert f"\t{number}\n" in (here / "main.s").read_text().replace(".long ", "")
        (here / "main.s").unlink()
    assert (store.hits, store.misses) == (1, 2)


def test_where_this_process_is_does_not_count(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A program that is told no folder to start in is told by words where to read and write."""
    for number in range(2):
        folder, elsewhere = tmp_path / f"folder{number}", tmp_path / f"elsewhere{number}"
        folder.mkdir()
        elsewhere.mkdir()
        monkeypatch.chdir(elsewhere)
        (folder / "main.c").write_text("int x;\n")
        subprocess.run(["cc", "-c", folder / "main.c", "-o", folder / "main.o"], check=True)
        assert (folder / "main.o").is_file()
    assert (store.hits, store.misses) == (1, 1)


def test_programs_of_other_kinds_are_not_asked_about(store: Store, tmp_path: Path):
    """A script that a test writes may do anything."""
    (tmp_path / "cc").write_text("#!/bin/sh\necho called >> calls\n")
    (tmp_path / "cc").chmod(0o755)
    for _ in range(2):
        subprocess.run([tmp_path / "cc"], cwd=tmp_path, check=True)
    assert (tmp_path / "calls").read_text() == "called\n" * 2
    assert (store.hits, store.misses) == (0, 0)


def test_a_fresh_run_begins_with_no_answers(work: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Its workers share what it finds out, and no other run does."""
    monkeypatch.setattr(kept.tempfile, "tempdir", str(tmp_path))
    runs = [{"STILLPOOL_FRESH": "1"}, {"STILLPOOL_FRESH": "1"}]
    for run in runs:
        first, is_made = kept.store_of_run(run)
        assert is_made
        monkeypatch.setattr(Popen, "store", first)
        assert work() == "3"
        assert (first.hits, first.misses) == (0, 2)
        worker, is_made = kept.store_of_run(run)
        assert not is_made
        monkeypatch.setattr(Popen, "store", worker)
        assert work() == "3"
        assert (worker.hits, worker.misses) == (2, 0)
    assert kept.store_of_run({})[0].folder == kept.ROOT / "build" / "kept"


def test_what_is_broken_is_found_out_again(store: Store, work: Callable[..., str]):
    work()
    for path in store.folder.glob("*/*"):
        path.write_bytes(path.read_bytes()[:9])
    assert work() == "3"
    assert store.hits == 0


def test_it_does_not_grow_without_end(store: Store, work: Callable[..., str]):
    work()
    store.prune()
    assert len(list(store.folder.glob("*/*"))) == 2
    store.most = 0
    store.prune()
    assert list(store.folder.glob("*/*")) == []
    assert work() == "3"
