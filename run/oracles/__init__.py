"""Whose answers compiled models are compared with."""
