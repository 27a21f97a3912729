"""Simulations side by side, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def simulation_table(records: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Give the lines of a table of simulations: by label, what ``--json`` prints of each."""
    width = max(8, *(len(label) for label in records))
    yield f"{'strategy':<{width}} {'pages':>11} {'relevant':>11} {'harvest':>8} {'coverage':>8} {'peak queue':>11} {'seconds':>8} {'RSS MB':>7}"
    for label, row in records.items():
        yield (
            f"{label:<{width}} {row['pages']:>11,} {row['relevant']:>11,} {row['harvest_rate']:>8.2%} "
            f"{row['coverage']:>8.2%} {row['peak_queue']:>11,} {row['seconds']:>8.1f} {row['peak_rss_bytes'] / 1e6:>7,.0f}"
            + (f"   {row['simulated_seconds']:,.1f} s simulated" if "simulated_seconds" in row else "")
            + (_of_topic(row) if "admitted" in row else "")
        )


def _of_topic(row: Mapping[str, Any]) -> str:
    admitted = ", ".join(f"{rule} {count:,}" for rule, count in row["admitted"].items())
    return (
        f"   target recall {row['target_recall']:.2%}, length {row['mean_target_length']:.2f}; admitted by {admitted}"
    )
