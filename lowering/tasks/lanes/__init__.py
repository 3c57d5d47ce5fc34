"""Nests that run in vectors: the points of a dimension as lanes, or sums of several bytes' products."""
