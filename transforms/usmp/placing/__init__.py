"""What USMP decides: candidate pools, overlaps, offsets, which operators become views."""
