"""Constants as bytes in files of their own, beside or instead of C arrays."""
