"""The console commands, loaded with care: a signal that comes before they can hold anything ends them without a word.

Nothing heavy is imported here: until the handlers are there, Python answers Ctrl-C with a traceback.
"""

from __future__ import annotations

import os
import signal
from types import FrameType


def stillpool() -> None:
    """`stillpool`."""
    _end_quietly()
    from .cli import main

    main()


def stillpool_opt() -> None:
    """`stillpool-opt`."""
    _end_quietly()
    from .cli.opt import main

    main()


def _end_quietly() -> None:
    """Until the commands have handlers of their own (`cli.interrupt`) and after they took them back."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)
