"""What USMP reads off a module, before and after planning; nothing here changes it."""
