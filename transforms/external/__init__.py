"""Operators that C functions of the application compute: handing over, launching, reaching, running."""
