"""Channels that the numbers decide: constant, unused or twice there."""
