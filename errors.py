"""The errors that stillpool shows to its users.

Every error names the place (file, operator, tensor), says what is wrong and, where one is known, what to do.
Each class carries the exit code of the command line.
"""

from __future__ import annotations


class StillpoolError(Exception):
    """Base of all errors caused by what the user gave; printed as one line, never as a traceback."""

    exit_code = 1

    def __init__(self, message: str, *, remedy: str | None = None):
        self.message = message
        self.remedy = remedy
        super().__init__(message if remedy is None else f"{message}; {remedy}")


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
