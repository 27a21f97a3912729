"""Leases and politeness for spiders that are not ours: a scheduler and a queue of requests (docs/migration.md)."""
