"""Loops of nests whose schedule has `packed` or `quads`."""
