"""Archives of files that are equal whenever the files are: in order of their paths, without times, owners, compression.

Compressed bytes depend on the version of the compressor.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Mapping

_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip archive can state."""


def tar_of(files: Mapping[str, bytes]) -> bytes:
    """A tar archive of {relative path: bytes}, with its folders."""
    stream = io.BytesIO()
    folders = {"/".join(parts[:end]) for path in files for parts in [path.split("/")] for end in range(1, len(parts))}
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted({*folders, *files}):
            entry = tarfile.TarInfo(path)
            if path in folders:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                entry.size = len(files[path])
                archive.addfile(entry, io.BytesIO(files[path]))
    return stream.getvalue()


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """A zip archive of {relative path: bytes}."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[path])
    return stream.getvalue()
