"""Unified static memory planning: passes from buffers to offsets in pools, and the proof of the result."""
