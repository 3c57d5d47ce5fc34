"""Board presets, one TOML file each; users may bring files of their own, packages boards."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

from ...documents import read_toml
from ...errors import UsageError
from ...plugins import Plugins, is_instance
from .board import Board, BoardMemory, parse_board

__all__ = ["Board", "BoardMemory", "board_names", "get_board"]

ADDED: Plugins[Board] = Plugins("stillpool.boards", "a stillpool.machines.boards.Board", is_instance(Board))
"""Boards of other packages, by name."""


def board_names() -> list[str]:
    """Names of all presets."""
    return sorted({*_own(), *ADDED.names()})


def get_board(name: str) -> Board:
    """The preset `name`, or the board that the TOML file `name` describes (a path that ends in `.toml`).

    Raises:
        UsageError: there is no such preset, with those that exist; or that of a package cannot be loaded.
        InputError: the file cannot be read or is no board.
    """
    if name.endswith(".toml"):
        return parse_board(read_toml(Path(name)), name)
    if name in _own():
        return parse_board(tomllib.loads(files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")), name)
    added = ADDED.load(name)
    if added is None:
        raise UsageError(
            f"unknown board '{name}'", remedy=f"choose one of {', '.join(board_names())}, or give a .toml file"
        )
    return added


def _own() -> list[str]:
    entries = (entry.name for entry in files(__name__).iterdir())
    return [name.removesuffix(".toml") for name in entries if name.endswith(".toml")]
