"""Where crawls start: lists of addresses and how they are read."""
