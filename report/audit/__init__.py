"""Audit of a linked program: what it holds of a model, beside the plan."""
