"""What USMP does to functions and calls, before and after planning."""
