"""Analyses of a module by USMP, before and after planning; nothing here changes it."""
