"""Writing a project: whole or not at all, and never over somebody's files."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import tempfile
from pathlib import Path
from typing import Any

import pytest

from stillpool.errors import InputError
from stillpool.run.project import tree as tree_module
from stillpool.run.project.tree import write_tree


def tree(**files: str) -> dict[str, bytes]:
    """Files with a manifest that lists them; `__` in names stands for `/`."""
    named = {name.replace("__", "/"): text.encode() for name, text in files.items()}
    document = {"tool": {"name": "stillpool"}, "files": [*named, "manifest.json"]}
    return {**named, "manifest.json": json.dumps(document).encode()}


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_writes_a_new_tree_in_new_parents(tmp_path: Path) -> None:
    files = tree(src__a="1", include__b="2")
    write_tree(files, tmp_path / "deep" / "er")
    assert contents(tmp_path / "deep" / "er") == files
    assert os.listdir(tmp_path / "deep") == ["er"]


def test_replaces_its_own_tree_and_keeps_foreign_files(tmp_path: Path) -> None:
    write_tree(tree(src__a="1", src__gone="x"), tmp_path / "p")
    (tmp_path / "p" / "test").mkdir()
    (tmp_path / "p" / "test" / "mine.o").write_bytes(b"object")
    write_tree(tree(src__a="2"), tmp_path / "p")
    assert contents(tmp_path / "p") == {**tree(src__a="2"), "test/mine.o": b"object"}


def test_refuses_a_foreign_directory(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="not written by stillpool"):
        write_tree(tree(a="1"), tmp_path)
    assert contents(tmp_path) == {"thesis.txt": b"years of work"}


def test_refuses_a_foreign_file_in_the_way(tmp_path: Path) -> None:
    write_tree(tree(a="1"), tmp_path / "p")
    (tmp_path / "p" / "b").write_text("mine")
    before = contents(tmp_path / "p")
    with pytest.raises(InputError, match="stands in the way"):
        write_tree(tree(a="1", b="2"), tmp_path / "p")
    assert contents(tmp_path / "p") == before


def test_refuses_a_file_as_directory(tmp_path: Path) -> None:
    (tmp_path / "p").write_text("file")
    with pytest.raises(InputError, match="not a directory"):
        write_tree(tree(a="1"), tmp_path / "p")


def test_leaves_nothing_when_writing_fails(tmp_path: Path) -> None:
    write_tree(tree(a="1"), tmp_path / "p")
    with pytest.raises(InputError, match="cannot write"):
        # A name too long for the file system, after a good one.
        write_tree({**tree(a="2"), "x" * 5000: b""}, tmp_path / "p")
    assert contents(tmp_path / "p") == tree(a="1")
    assert os.listdir(tmp_path) == ["p"]


@pytest.mark.parametrize("step", ["mkdtemp", "_fill", "rmtree"])
def test_an_interruption_waits(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = {"mkdtemp": tempfile, "_fill": tree_module, "rmtree": shutil}[step]
    plain = getattr(place, step)

    def disturbed(*arguments: Any, **options: Any) -> Any:
        result = plain(*arguments, **options)
        signal.raise_signal(signal.SIGINT)
        return result

    monkeypatch.setattr(place, step, disturbed)
    # What runs in the background of a shell ignores it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            write_tree(tree(a="1"), tmp_path / "project")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert [path.name for path in tmp_path.iterdir()] == ["project"]
    assert contents(tmp_path / "project") == tree(a="1")


def test_a_symbolic_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    for text in ("1", "2"):
        write_tree(tree(a=text), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert contents(tmp_path / "real") == tree(a="2")
    assert sorted(os.listdir(tmp_path)) == ["link", "real"]


def test_empty_folders_of_the_user_stay(tmp_path: Path) -> None:
    write_tree(tree(a="1"), tmp_path / "p")
    (tmp_path / "p" / "logs" / "today").mkdir(parents=True)
    (tmp_path / "p" / "test").mkdir()
    write_tree(tree(a="2", test__b="3"), tmp_path / "p")
    assert (tmp_path / "p" / "logs" / "today").is_dir()
    assert contents(tmp_path / "p") == tree(a="2", test__b="3")
    (tmp_path / "p" / "c").mkdir()
    with pytest.raises(InputError, match="stands in the way"):
        write_tree(tree(a="2", c="3"), tmp_path / "p")


def test_what_killed_runs_left_is_cleared(tmp_path: Path) -> None:
    left = {name: tmp_path / name for name in (".p-0abc_xyz", ".p-11111111", ".p-mine", ".p-22222222", ".q-33333333")}
    for name, folder in left.items():
        (folder / ("thesis" if name.endswith("2") else "new")).mkdir(parents=True)
    write_tree(tree(a="1"), left[".p-11111111"] / "old")
    lock = os.open(left[".p-0abc_xyz"], os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    # The earlier tree had been moved away when the run was killed.
    write_tree(tree(a="2", b="3"), tmp_path / "p")
    os.close(lock)
    assert contents(tmp_path / "p") == tree(a="2", b="3")
    assert {name for name, folder in left.items() if folder.exists()} == {*left} - {".p-11111111"}
    write_tree(tree(a="3"), tmp_path / "p")
    assert not left[".p-0abc_xyz"].exists()
