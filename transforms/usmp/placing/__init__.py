"""Decisions of USMP: candidate pools, overlaps, offsets, which operators become views."""
