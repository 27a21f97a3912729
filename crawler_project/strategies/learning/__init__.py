"""What ``adaptive`` is made of: what it looks at, its model, its memory, and how these are kept and shared."""
