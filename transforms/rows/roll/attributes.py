"""Attributes that tell later levels of loops of calls."""

POSITIONS = "nn.positions"
"""Of a call in a loop: which calls of the function it was, counted from 0."""
OWN = "nn.own"
"""Of a table that belongs to one plan: other instances of the model, which share its weights, have others."""
COMMENT = "nn.comment"
"""One line for readers of the C: of a function, a loop, or a call."""
