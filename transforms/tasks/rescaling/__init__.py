"""Short forms of rescaling: what is exact (`records`), by what ranges (`bounds`, `channel_ranges`), and the rewrite."""

from .shorten_rescaling import ShortenRescalingPass, round_in_floats, shorten_rescaling

__all__ = ["ShortenRescalingPass", "round_in_floats", "shorten_rescaling"]
