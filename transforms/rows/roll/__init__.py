"""A straight line of calls on rows as a loop: `calls` reads it, `columns` finds tables, `rewrite` makes the loop."""
