"""Kernels as instructions: for each instruction set operations on registers, generators, and what prints them in C."""
