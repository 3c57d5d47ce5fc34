"""Schedules that were measured: what `stillpool tune` found for a task on a processor, kept in a file."""
