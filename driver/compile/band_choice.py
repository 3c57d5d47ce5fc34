"""`--spend macs`: operators run in bands where that takes fewer bytes for what is computed again.

What bands take is estimated part by part. Something else may need more than the best bands: of those that leave no more
live than these the ones with the fewest multiplications are chosen.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...dialects.nn.interfaces import HasMacs
from ...dialects.operations import all_of
from ...progress import tell
from ...transforms.nn.split_bands import NnSplitBandsPass
from ...transforms.rows.bands import Inputs, Offer, offers
from ...transforms.rows.network import Network, is_straight
from ...transforms.rows.order import best_segments, peak_of
from ...transforms.usmp.analysis.structure import entries
from .. import pipeline
from ..models.entry import entry_function, tensor_names
from ..models.simplified import simplified
from .channel_choice import with_channels
from .ways import Way

_ROUGH = 1.03
"""What bands take may be more than estimated by this factor."""


def in_bands(of: Way) -> pipeline.Plan:
    """The plan with the bands that take the fewest bytes for `Plan.recompute`; as it is if no bands help.

    Raises:
        StillpoolError: a pass refused the model.
    """
    module = simplified(of.model, with_channels(of))
    most = int(_macs(module) * of.plan.recompute / 100)
    tell(f"{of.model.name}: bands")
    found = offers(entry_function(module), most, _inputs(module, of.plan))

    @cache
    def live(offer: Offer) -> int:
        return _live(of, module, offer)

    if len(found) < 2:
        return of.plan
    # The most bytes first: from some offer on it is something else that needs the most.
    found.reverse()
    least, most_bytes = 0, len(found) - 1
    while least < most_bytes:
        middle = (least + most_bytes) // 2
        if live(found[middle]) > found[middle].bytes * _ROUGH:
            most_bytes = middle
        else:
            least = middle + 1
    best = min(found[: least + 1][-2:], key=lambda offer: (live(offer), offer.macs))
    return _planned(of.plan, best)


def macs_again(of: Way) -> int:
    """Multiply-accumulates that bands make a second time."""
    if not of.plan.column_bands:
        return 0
    module = simplified(of.model, with_channels(of))
    once = _macs(module)
    pipeline.apply(module, (NnSplitBandsPass(of.plan.column_bands, of.plan.channel_bands),), where=of.model.source)
    return _macs(module) - once


def _macs(module: ModuleOp) -> int:
    return sum(op.macs() for op in all_of(entry_function(module), HasMacs))


def _inputs(module: ModuleOp, plan: pipeline.Plan) -> Inputs:
    """What pools have of a model's inputs."""
    arguments, inside = entry_function(module).body.block.args, {*plan.io.split(",")}
    outside: set[SSAValue] = set()
    streamed: set[SSAValue] = set()
    for argument, name in zip(arguments, tensor_names(module, "input"), strict=True):
        if name == plan.stream_input:
            streamed.add(argument)
        elif plan.double_buffer_inputs or not inside & {"all", "inputs", name}:
            outside.add(argument)
    return Inputs(outside, streamed)


def _planned(plan: pipeline.Plan, offer: Offer) -> pipeline.Plan:
    columns, channels = (tuple(map(str, each)) for each in (offer.columns, offer.channels))
    return replace(plan, column_bands=columns, channel_bands=channels)


def _live(of: Way, module: ModuleOp, offer: Offer) -> int:
    """The most bytes that are live with some bands, without scratch memory of kernels."""
    plan = replace(_planned(of.plan, offer), scheduled_for="", schedules="", rows="split")
    made = module.clone()
    pipeline.apply(made, pipeline.to_row_network(plan), where=of.model.source, verify=False)
    networks = [Network.of(made, entry) for entry in entries(made) if is_straight(entry)]
    return max((peak_of(network, best_segments(network)) for network in networks), default=0)
