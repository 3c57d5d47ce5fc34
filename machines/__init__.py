"""Processors and boards: features, memories, cost models. Imports nothing of the other rooms but errors."""
