"""Channels that a network loses, and whether that is right, before anything is lowered."""

from __future__ import annotations

from dataclasses import replace

from ..driver.compile.channel_choice import STEP
from ..driver.compile.compilation import Compilation
from ..errors import VerificationError
from ..transforms.nn.check_channels import Refuted, check_channels

BEFORE = "ranges"
"""The clean-up before it, whose changes are judged, too."""


def judge_channels(request: Compilation) -> int:
    """Judge again what ranges let the clean-ups remove; gives how many channels that is.

    Raises:
        VerificationError: one of the removals is not shown to be right.
    """
    off = request.plan.clean_ups_off
    if "all" in off or {STEP, BEFORE}.issubset(off):
        return 0
    without = replace(request, plan=replace(request.plan, clean_ups_off=(*off, STEP, BEFORE), externals=()))
    try:
        return check_channels(
            without.module("nn"), replace(request, plan=replace(request.plan, externals=())).module("nn")
        )
    except Refuted as error:
        raise VerificationError(
            f"{request.model.name}: what ranges let go is not shown to be right: {error}",
            remedy=f"--no-clean-up {STEP} --no-clean-up {BEFORE}",
        ) from error
