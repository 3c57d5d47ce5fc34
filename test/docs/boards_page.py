"""The page of boards, from their presets."""

from __future__ import annotations

from collections.abc import Iterator

from stillpool.machines.boards import Board, BoardMemory, board_names, get_board


def page() -> str:
    """The page's text."""
    boards = [get_board(name) for name in board_names()]
    heads = ["| board | | processor | MHz | RAM, KB | flash, KB |", "|---|---|---|---|---|---|"]
    parts = [
        "`--board NAME` takes the memories of one as pools. A file with the same keys describes any other board.\n"
    ]
    parts += ["\n".join([*heads, *map(_row, boards), ""])]
    parts += [
        "## Sources\n",
        "Sizes and clocks are from these documents; bandwidths follow from widths and wait states.\n",
    ]
    parts += ["\n".join(line for board in boards for line in _sources(board)), ""]
    return "\n".join(parts)


def _row(board: Board) -> str:
    sizes = (sum(memory.bytes for memory in board.kind(kind)) for kind in ("ram", "flash"))
    cells = (f"`{board.name}`", board.description, board.cpu, f"{board.clock_hz // 10**6}")
    return f"| {' | '.join((*cells, *(f'{size // 1024:,}' for size in sizes)))} |"


def _sources(board: Board) -> Iterator[str]:
    yield f"- `{board.name}`: {board.source}."
    for memory in board.memories:
        yield f"    - `{memory.name}`, {_size(memory)}: {memory.source}."


def _size(memory: BoardMemory) -> str:
    return f"{memory.bytes // 1024:,} KB"
