"""Unified static memory planning: passes from buffers to offsets in pools, and the proof of the result.

`analysis/` reads a module and changes nothing; `check/` proves a plan and shares no code with what made it;
`rewriting/` changes functions and calls; `placing/` decides: pools, overlaps, offsets, which operators become views.
Each folder imports only from those named before it; `usmp.py` is all steps in order.
"""
