"""Board presets, one TOML file each; users may bring files of their own."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

from ...errors import InputError, UsageError
from .board import Board, BoardMemory, parse_board

__all__ = ["Board", "BoardMemory", "board_names", "get_board"]


def board_names() -> list[str]:
    """Names of all presets."""
    entries = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(".toml") for name in entries if name.endswith(".toml"))


def get_board(name: str) -> Board:
    """The preset `name`, or the board that the TOML file `name` describes (a path that ends in `.toml`).

    Raises:
        UsageError: there is no such preset; lists those that exist.
        InputError: the file cannot be read or is no board.
    """
    if name.endswith(".toml"):
        try:
            text = Path(name).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise InputError(f"cannot read {name}: {error}") from error
    elif name in board_names():
        text = files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    else:
        raise UsageError(
            f"unknown board '{name}'", remedy=f"choose one of {', '.join(board_names())}, or give a .toml file"
        )
    try:
        return parse_board(tomllib.loads(text), name)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is not a TOML file: {error}") from error
