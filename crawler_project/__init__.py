"""A crawler for the web of one language or one topic."""

__version__ = "0.1.0"
