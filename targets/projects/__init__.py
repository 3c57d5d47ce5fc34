"""Project layouts: which files a compiled model becomes."""
