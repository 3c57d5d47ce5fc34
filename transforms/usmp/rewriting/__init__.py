"""Changes of functions and calls by USMP, before and after planning."""
