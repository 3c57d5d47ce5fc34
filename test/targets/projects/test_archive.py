"""Archives of equal files are equal, and say nothing of when, where and by whom they were made."""

from __future__ import annotations

import io
import tarfile
import zipfile

from stillpool.targets.projects.archive import tar_of, zip_of

FILES = {"b/c.txt": b"c" * 1000, "a": b"", f"b/{'long' * 40}/d": b"d"}
TURNED = dict(reversed(FILES.items()))


def test_tar() -> None:
    data = tar_of(FILES)
    assert data == tar_of(TURNED)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        entries = archive.getmembers()
        read = {entry.name: archive.extractfile(entry).read() for entry in entries if entry.isfile()}  # type: ignore
    assert read == FILES
    assert [entry.name for entry in entries] == sorted([*FILES, "b", f"b/{'long' * 40}"])
    assert {(e.mtime, e.uid, e.gid, e.uname, e.gname) for e in entries} == {(0, 0, 0, "", "")}


def test_zip() -> None:
    data = zip_of(FILES)
    assert data == zip_of(TURNED)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        assert {entry.filename: archive.read(entry) for entry in entries} == FILES
    assert [entry.filename for entry in entries] == sorted(FILES)
    assert {(e.date_time, e.create_system, e.compress_type) for e in entries} == {((1980, 1, 1, 0, 0, 0), 3, 0)}
