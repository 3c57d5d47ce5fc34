"""Clean-ups of graphs of `nn` operations."""
