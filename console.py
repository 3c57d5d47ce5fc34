"""The console commands, loaded with care: a signal that comes before they can hold anything ends them without a word.

Nothing heavy is imported here: until the handlers are there, Python answers Ctrl-C with a traceback.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
from types import FrameType

_COLLECTED = 4_000_000, 3
"""Objects that a command makes before Python looks for dead ones among them, and how often it does that before it looks
among the older ones, too. IR is many that live long: with Python's 700 and 10 a tenth of a compilation is looking.
These take 30 MB more, with large networks 90."""


def stillpool() -> None:
    """`stillpool`."""
    _prepare()
    from .cli import main

    main()


def stillpool_opt() -> None:
    """`stillpool-opt`."""
    _prepare()
    from .cli.opt import main

    main()


def _prepare() -> None:
    _end_quietly()
    _collect_seldom()
    _define_quickly()
    # NumPy starts threads for products of real matrices, of which there are none: a tenth of a short command's time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _collect_seldom() -> None:
    gc.set_threshold(*_COLLECTED)
    # Nor is there anything to look for when the process ends: that would take a fifth of a short command.
    atexit.register(gc.freeze)


def _define_quickly() -> None:
    from .late_methods import make_methods_late

    make_methods_late()


def _end_quietly() -> None:
    """Until the commands have handlers of their own (`cli.interrupt`) and after they took them back."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)
