"""The errors that stillpool shows to its users.

Every error names the place (file, operator, tensor), says what is wrong and, where one is known, what to do.
Each class carries the exit code of the command line.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import distributions
from urllib.parse import unquote, urlsplit


class StillpoolError(Exception):
    """Base of all errors caused by what the user gave: one line and those of its list, never a traceback."""

    exit_code = 1

    def __init__(self, message: str, *, remedy: str | None = None, lines: Sequence[str] = ()):
        self.message = "\n".join((message, *lines))
        self.remedy = remedy
        self.lines = lines
        """The end of the message, a line each."""
        joint = "\n" if lines else "; "
        super().__init__(self.message if remedy is None else joint.join((self.message, remedy)))


class InputError(StillpoolError):
    """The input is wrong: an unreadable or malformed model, a bad pool file, a wrong array."""

    exit_code = 1


class UsageError(StillpoolError):
    """The command or the call contradicts itself."""

    exit_code = 2


class BudgetError(StillpoolError):
    """The plan does not fit a memory budget."""

    exit_code = 3


class VerificationError(StillpoolError):
    """The compiled model does not compute what the reference computes."""

    exit_code = 4


class UnsupportedError(StillpoolError):
    """The model needs operators, types or shapes that stillpool cannot compile; lists all of them."""

    exit_code = 5


def one_of(given: str, available: Sequence[str]) -> str:
    """The remedy for a name that does not exist: those that are like it, if any are, and all there are."""
    close = [f"'{name}'" for name in get_close_matches(given, available)]
    meant = f"did you mean {' or '.join(close)}? " if close else ""
    return f"{meant}available: {', '.join(available)}"


def close_names(pattern: str, names: Sequence[str], most: int = 5) -> list[str]:
    """Names that may be meant by a pattern that matches none: they hold its text, or a part is spelt like it."""
    text = pattern.strip("*?").casefold()
    found = [name for name in names if text and text in name.casefold()]
    parts = {part: name for name in reversed(names) for part in [name, *re.split(r"[/;:.]", name)] if part}
    found += [parts[part] for part in get_close_matches(pattern.strip("*?"), parts, most)]
    return list(dict.fromkeys(found))[:most]


def install_extra(name: str) -> str:
    """The command that adds an optional extra to the stillpool that runs, as a remedy.

    pip notes where a package came from (direct_url.json, PEP 610): what was installed from a checkout, a wheel or a
    repository is installed from there again, anything else from the package index.
    """
    # What setuptools leaves in a checkout is a distribution of the same name too, without the note.
    notes = [text for found in distributions(name="stillpool") if (text := found.read_text("direct_url.json"))]
    noted = json.loads(notes[0]) if notes else {}
    url = str(noted.get("url", ""))
    place = f"stillpool[{name}]"
    if url.startswith("file:"):
        place = f"{unquote(urlsplit(url).path)}[{name}]"
    elif url:
        kind = noted.get("vcs_info", {}).get("vcs")
        place += f" @ {f'{kind}+' if kind else ''}{url}"
    editable = "-e " if noted.get("dir_info", {}).get("editable") else ""
    return f"python -m pip install {editable}{shlex.quote(place)}"
