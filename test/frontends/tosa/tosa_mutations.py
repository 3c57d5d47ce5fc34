"""Damage to TOSA files: words of a text, bytes and words of a flatbuffer.

`python test/frontends/tosa/tosa_mutations.py text 10000 1` tries that many; the tests try fewer. Each must give a model
that lowers to loops, or one of stillpool's errors, within seconds and little memory.
"""

from __future__ import annotations

import random
import re
import resource
import struct
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from networks import FILES, NETWORKS, RECORDED
from outcome import BYTES, outcome
from xdsl.dialects.builtin import ModuleOp

from stillpool.driver.models.tosa_model import load_tosa

_WORD = re.compile(r'"[^"\n]*"|%?[A-Za-z_0-9.]+|-?\d+|[^\sA-Za-z_0-9]')
NUMBERS = (0, -1, 1, 2, 3, 7, 31, 32, 127, 128, 255, 513, 32767, 65536, 2**31 - 1, 2**31, -(2**31), 2**40, 2**63)


def damaged_text(text: str, rng: random.Random) -> str:
    """A text with a few other words."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        words = [match.span() for match in _WORD.finditer(text)]
        begin, end = rng.choice(words)
        word = text[begin:end]
        match rng.randrange(6):
            case 0:
                other = ""
            case 1:
                first, last = rng.choice(words)
                other = text[first:last]
            case 2:
                other = f"{word} {word}"
            case 3:
                other = rng.choice(("i8", "ui8", "i16", "i32", "i48", "i64", "i1", "f32", "f16", "index", "?", "true"))
            case _:
                other = (
                    str(rng.choice(NUMBERS)) if re.fullmatch(r"-?\d+", word) else word[: rng.randrange(len(word) + 1)]
                )
        text = text[:begin] + other + text[end:]
    return text


def damaged_bytes(data: bytes, rng: random.Random) -> bytes:
    """A file with a few other bytes or words, or without its end."""
    made = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        place = rng.randrange(8, len(made))
        match rng.randrange(5):
            case 0:
                made[place] = rng.randrange(256)
            case 1:
                made[place] ^= 1 << rng.randrange(8)
            case 2:
                struct.pack_into(
                    "<I", made, place & ~3 if place + 4 <= len(made) else 8, rng.choice(NUMBERS) & 0xFFFFFFFF
                )
            case 3:
                source = rng.randrange(8, len(made) - 4) & ~3
                target = rng.randrange(8, len(made) - 4) & ~3
                made[target : target + 4] = made[source : source + 4]
            case _:
                del made[max(place, 64) :]
                break
    return bytes(made)


def _loaded(file: Path) -> ModuleOp:
    return load_tosa(file, "net", None, {}).nn


def main(kind: str, count: int, seed: int) -> int:
    """Try; print what failed and a summary."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    rng, outcomes, failures = random.Random(seed), Counter[str](), 0
    texts = {name: make() for name, make in NETWORKS.items()}
    binaries = [RECORDED.with_name(f"{name}.tosa").read_bytes() for name in FILES]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            if kind == "text":
                file = Path(folder) / "net.mlir"
                file.write_text(damaged_text(texts[rng.choice(sorted(texts))], rng))
            else:
                file = Path(folder) / "net.tosa"
                file.write_bytes(damaged_bytes(rng.choice(binaries), rng))
            try:
                outcomes[outcome(partial(_loaded, file))] += 1
            except Exception as error:
                failures += 1
                kept = Path(tempfile.gettempdir()) / f"{kind}_{seed}_{number}{file.suffix}"
                kept.write_bytes(file.read_bytes())
                print(f"{kept}: {type(error).__name__}: {error}"[:300].replace("\n", " "), flush=True)
    print(dict(outcomes), f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
