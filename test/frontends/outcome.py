"""What becomes of damaged models, within time of the processor: how busy the machine is changes nothing."""

from __future__ import annotations

import signal
from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp

from stillpool.driver import pipeline
from stillpool.errors import StillpoolError

SECONDS, BYTES = 20, 2 << 30
"""What a model may take."""


def _late(number: int, frame: object) -> None:
    raise TimeoutError(f"longer than {SECONDS} s")


def outcome(load: Callable[[], ModuleOp]) -> str:
    """Lower a model to loops; gives the class of the error if it is refused, or `lowered`.

    Raises:
        TimeoutError: it took too long.
    """
    signal.signal(signal.SIGPROF, _late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        module, plan = load(), pipeline.Plan()
        steps = (*pipeline.to_simplified(plan), *pipeline.to_tasks(plan), *pipeline.to_memref())
        pipeline.apply(module, steps, where="net")
    except StillpoolError as error:
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "lowered"
