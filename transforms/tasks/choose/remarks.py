"""Remarks on a function's form: what it costs, and what other ways to run it would change.

`schedule` puts the steps of the function before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ....dialects import nn_keys
from ....dialects.operations import all_of
from ....lowering.schedule.variants import Variant
from .costs import FunctionCost
from .options import Option, fits


def put_remarks(
    module: ModuleOp,
    plain: Mapping[str, FunctionCost],
    found: Sequence[Option],
    taken: Mapping[str, Variant],
    room: Mapping[str, int] | None = None,
) -> None:
    """Put a remark on each function for which there is a way with schedules.

    Args:
        module: of tasks.
        plain: what functions cost without schedules, by estimates.
        found: the ways there are, compared with that.
        taken: the variant of the functions that get schedules.
        room: the most scratch memory by function; None for as much as it takes.
    """
    macs = _macs(module)
    for function in all_of(module, func.FuncOp):
        name = function.sym_name.data
        ways = [one for one in found if one.name == name and (one.saved or one.flash)]
        if not ways:
            continue
        own = next((one for one in ways if one.variant is taken.get(name)), None)
        instructions = plain[name].instructions - (own.saved if own else 0.0)
        said = ["" if own else "plain loops", _per_mac(instructions, macs.get(name, 0))]
        others = [] if own is None else [f"plain loops: {_change(own.saved, -own.flash)}"]
        for one in ways:
            saved, flash = (own.saved, own.flash) if own else (0.0, 0.0)
            if (one.saved, one.flash) != (saved, flash):
                change = _change(saved - one.saved, one.flash - flash)
                is_short = room is not None and not fits(one, room)
                scratch = f", {one.scratch:,} bytes of scratch memory for {room[name]:,}" if room and is_short else ""
                others.append(f"{one.variant.value}: {change}{scratch}")
        text = "; ".join([", ".join(filter(None, said)), *others])
        nn_keys.REMARK.put(function.attributes, text)
        nn_keys.GAIN.put(function.attributes, [round(own.saved), round(own.flash)] if own else [0, 0])


def _macs(module: ModuleOp) -> dict[str, int]:
    """Multiply-accumulates of all calls of each function."""
    found: dict[str, int] = {}
    for op in all_of(module, func.CallOp):
        name = op.callee.string_value()
        found[name] = found.get(name, 0) + (nn_keys.MACS.get(op.attributes) or 0)
    return found


def _per_mac(instructions: float, macs: int) -> str:
    return (
        f"about {instructions / macs:.2f} instructions per MAC" if macs else f"about {instructions:,.0f} instructions"
    )


def _change(instructions: float, flash: float) -> str:
    return f"{instructions:+,.0f} instructions, {flash:+,.0f} bytes of flash"
