"""Write a tree of files so that it appears whole or not at all."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ...documents import misfit, read_json
from ...errors import InputError
from ...progress import tell
from ..undisturbed import undisturbed

MANIFEST = "manifest.json"

_END = re.compile(r"[a-z0-9_]{8}")
"""Text that `tempfile` puts behind a prefix."""


def write_tree(files: Mapping[str, bytes], directory: Path) -> None:
    """Make `directory` hold `files` ({relative path: bytes}).

    The tree is built beside its place, which is where a symbolic link points, and renamed into it. A directory that
    stillpool wrote before is replaced; what others put there since stays. Ctrl-C waits until the tree is there; what a
    killed run left is cleared by the next one.

    Raises:
        InputError: the directory holds something else than an earlier tree, a foreign file stands where a new one
            must go, or the file system refuses.
    """
    tell(f"writing {directory.name}: {len(files)} files")
    directory = Path(os.path.realpath(directory))
    try:
        _clear_what_was_left(directory)
        foreign = _foreign_files(directory)
        for path in foreign:
            # New files may go into a folder.
            within = "/" if _is_folder(directory / path) else f"{path}/"
            if any(path == new or path.startswith(f"{new}/") or new.startswith(within) for new in files):
                raise InputError(f"{directory / path} is not stillpool's file and stands in the way", remedy="move it")
        directory.parent.mkdir(parents=True, exist_ok=True)
        with undisturbed():
            staging = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
            lock = os.open(staging, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
                _fill(staging / "new", files, directory, foreign)
                if directory.exists():
                    directory.rename(staging / "old")
                (staging / "new").rename(directory)
            except BaseException:
                if (staging / "old").exists() and not directory.exists():
                    (staging / "old").rename(directory)
                raise
            finally:
                shutil.rmtree(staging, ignore_errors=True)
                os.close(lock)
    except OSError as error:
        raise InputError(f"cannot write {directory}: {error.strerror or error}") from error


def _fill(place: Path, files: Mapping[str, bytes], old: Path, foreign: list[str]) -> None:
    place.mkdir()
    for path, data in files.items():
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    for path in foreign:
        target = place / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if _is_folder(old / path):
            target.mkdir(exist_ok=True)
            continue
        shutil.copy2(old / path, target, follow_symlinks=False)


def _clear_what_was_left(directory: Path) -> None:
    """Remove the folders in which killed runs built this tree; the tree comes back if it was moved there already."""
    beginning = f".{directory.name}-"
    found = list(directory.parent.iterdir()) if directory.parent.is_dir() else []
    for folder in found:
        end = folder.name.removeprefix(beginning)
        if not folder.name.startswith(beginning) or not _END.fullmatch(end) or not _is_folder(folder):
            continue
        if {path.name for path in folder.iterdir()} <= {"new", "old"}:
            _clear(folder, directory)


def _clear(folder: Path, directory: Path) -> None:
    """Remove one of them, unless a run is at it."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if (folder / "old").exists() and not directory.exists():
            (folder / "old").rename(directory)
        shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        pass
    finally:
        os.close(lock)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _foreign_files(directory: Path) -> list[str]:
    """Entries of an earlier tree beside the files of its manifest, relative: files, and folders without any."""
    if not directory.exists() and not directory.is_symlink():
        return []
    if not directory.is_dir():
        raise InputError(f"{directory} exists and is not a directory")
    present = sorted(
        Path(folder, name).relative_to(directory).as_posix()
        for folder, folders, names in os.walk(directory)
        for name in [*names, *(name for name in folders if _stands_alone(Path(folder, name)))]
    )
    if not present and not any(directory.iterdir()):
        return []
    own = _listed(directory / MANIFEST)
    if own is None:
        raise InputError(
            f"{directory} exists and was not written by stillpool", remedy="name an empty or new directory"
        )
    return [path for path in present if path not in own]


def _stands_alone(folder: Path) -> bool:
    """Whether no file within tells of a folder."""
    return folder.is_symlink() or not any(folder.iterdir())


def _listed(manifest: Path) -> set[str] | None:
    """The files that a manifest says belong to it; None when there is no manifest of ours."""
    try:
        document = read_json(manifest)
    except InputError:
        return None
    if misfit(document, {"tool": {"name": str}, "files": [str]}) or document["tool"]["name"] != "stillpool":
        return None
    return {MANIFEST, *document["files"]}
