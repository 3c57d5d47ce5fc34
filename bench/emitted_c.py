"""Whether two checkouts emit the same C: compiles the same model files with both and compares every emitted byte.

    python bench/emitted_c.py BEFORE AFTER MODELS... [--cases N] [--comments-aside]

BEFORE and AFTER are checkouts with their environments in `.venv`. MODELS are `.tflite` files and folders of them;
`--cases` adds N generated models of every kind of operator that AFTER's conformance tests know. With `--comments-aside`
comments, line breaks and blanks may differ.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
"""A comment of C; none of the strings that stillpool emits holds one."""


def digests(paths: Sequence[Path], *, comments: bool) -> Iterator[tuple[str, str]]:
    """For each model a digest of the C that this interpreter's stillpool emits, or what it refuses the model with."""
    from stillpool import compile, load
    from stillpool.errors import StillpoolError

    for path in paths:
        try:
            code = compile(load(str(path))).code
            files = sorted((name, data if comments else without_comments(data)) for name, data in code.items())
            yield str(path), hashlib.sha256(b"".join(name.encode() + data for name, data in files)).hexdigest()
        except StillpoolError as error:
            yield str(path), f"refused: {type(error).__name__}"
        except Exception as error:
            yield str(path), f"error: {type(error).__name__}"


def without_comments(text: bytes) -> bytes:
    """The words that remain without comments, however they are laid out."""
    return b" ".join(COMMENT.sub(b" ", text).split())


def generate(folder: Path, count: int) -> None:
    """Write generated models of every kind of operator."""
    sys.path.insert(0, str(Path("test/conformance").resolve()))
    from kinds import KINDS
    from varied import examples

    for number, (kind, strategy) in enumerate(KINDS.items()):
        for which, spec in enumerate(examples(strategy, count, kind)):
            (folder / f"{number:04}_{which:02}.tflite").write_bytes(spec.case().model)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("models", type=Path, nargs="*")
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--comments-aside", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.cases:
            _run(options.after, "--generate", folder, str(options.cases))
        files = [path.resolve() for root in (*options.models, Path(folder)) for path in _models(root)]
        runs = [
            _start(checkout, files, comments=not options.comments_aside) for checkout in (options.before, options.after)
        ]
        before, after = (json.loads(run.communicate()[0]) for run in runs)
    different = [path for path in before if before[path] != after[path]]
    for path in different:
        print(f"{path}: {before[path][:24]} -> {after[path][:24]}")
    print(f"{len(before)} models compared, {len(different)} differ")
    return 1 if different else 0


def _models(root: Path) -> list[Path]:
    return sorted(root.rglob("*.tflite")) if root.is_dir() else [root]


def _start(checkout: Path, files: Sequence[Path], *, comments: bool) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [checkout / ".venv/bin/python", Path(__file__).resolve(), "--digests", str(int(comments))],
        cwd=checkout, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write("\n".join(map(str, files)).encode())
    process.stdin.close()
    process.stdin = None
    return process


def _run(checkout: Path, *arguments: str) -> None:
    subprocess.run([checkout / ".venv/bin/python", Path(__file__).resolve(), *arguments], cwd=checkout, check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--digests"]:
        paths = [Path(line) for line in sys.stdin.read().splitlines()]
        json.dump(dict(digests(paths, comments=sys.argv[2] == "1")), sys.stdout)
    elif sys.argv[1:2] == ["--generate"]:
        generate(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(main())
