"""Prints the memory of a compiled model from its manifest: what it takes, and the least that any plan could take.

Usage: python examples/digits/pools.py DIR/manifest.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(path: Path) -> None:
    """One line for each pool, one for the constants outside pools."""
    manifest = json.loads(path.read_text(encoding="utf-8"))
    for pool in manifest["pools"]:
        print(f"pool {pool['name']}: {pool['bytes']} bytes, lower bound {pool['lower_bound_bytes']} bytes")
    print(f"constants: {manifest['code']['weights_bytes']} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
