"""Searches schedules of tasks by measuring them: `stillpool tune`.

Every candidate is a list of steps that the verifier of tasks allows, so that none changes a result; each is built into
a small program and run. What was measured is kept in a file, which `compile --schedules` and the pass `schedule` take.
"""
