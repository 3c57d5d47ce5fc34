"""Sums of products that come out larger, by their constants, where that saves what follows."""

from .scale_sums import ScaleSumsPass

__all__ = ["ScaleSumsPass"]
