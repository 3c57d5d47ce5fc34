"""Write a tree of files so that it appears whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..documents import misfit, read_json
from ..errors import InputError
from ..progress import tell
from .undisturbed import undisturbed

MANIFEST = "manifest.json"


def write_tree(files: Mapping[str, bytes], directory: Path) -> None:
    """Make `directory` hold `files` ({relative path: bytes}).

    The tree is built beside its place and renamed into it. A directory that stillpool wrote before is replaced; what
    others put there since stays. Ctrl-C waits until the tree is there.

    Raises:
        InputError: the directory holds something else than an earlier tree, a foreign file stands where a new one
            must go, or the file system refuses.
    """
    directory = Path(os.path.abspath(directory))
    tell(f"writing {directory.name}: {len(files)} files")
    try:
        foreign = _foreign_files(directory)
        for path in foreign:
            if any(path == new or path.startswith(f"{new}/") or new.startswith(f"{path}/") for new in files):
                raise InputError(f"{directory / path} is not stillpool's file and stands in the way", remedy="move it")
        directory.parent.mkdir(parents=True, exist_ok=True)
        with undisturbed():
            staging = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
            try:
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
        shutil.copy2(old / path, target, follow_symlinks=False)


def _foreign_files(directory: Path) -> list[str]:
    """Files in an earlier tree that the tree's own manifest does not list, relative; empty for a new directory."""
    if not directory.exists() and not directory.is_symlink():
        return []
    if not directory.is_dir():
        raise InputError(f"{directory} exists and is not a directory")
    present = sorted(
        Path(folder, name).relative_to(directory).as_posix()
        for folder, folders, names in os.walk(directory)
        for name in [*names, *(name for name in folders if Path(folder, name).is_symlink())]
    )
    if not present and not any(directory.iterdir()):
        return []
    own = _listed(directory / MANIFEST)
    if own is None:
        raise InputError(
            f"{directory} exists and was not written by stillpool", remedy="name an empty or new directory"
        )
    return [path for path in present if path not in own]


def _listed(manifest: Path) -> set[str] | None:
    """The files that a manifest says belong to it; None when there is no manifest of ours."""
    try:
        document = read_json(manifest)
    except InputError:
        return None
    if misfit(document, {"tool": {"name": str}, "files": [str]}) or document["tool"]["name"] != "stillpool":
        return None
    return {MANIFEST, *document["files"]}
