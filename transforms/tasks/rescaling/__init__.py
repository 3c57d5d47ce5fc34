"""Short forms of rescaling: what is exact (`records`), by what ranges (`bounds`, `channel_ranges`), and the rewrite."""

from .round_in_floats import RoundInFloatsPass, round_in_floats
from .shorten_rescaling import ShortenRescalingPass, shorten_rescaling

__all__ = ["RoundInFloatsPass", "ShortenRescalingPass", "round_in_floats", "shorten_rescaling"]
