"""Numbers as people read them: ``1,234``, ``61.2 %``, ``1.4 MB``; an en dash for what is not known."""

from __future__ import annotations

import pandas as pd

MISSING = "–"
_MINUS = "−"
_SPACE = "\N{NO-BREAK SPACE}"


def count(value: float | None) -> str:
    """Write a whole number with thousands separators."""
    return MISSING if value is None or pd.isna(value) else f"{value:,.0f}"


def percent(value: float | None, digits: int = 1) -> str:
    """Write a share (0 to 1) in per cent."""
    return MISSING if value is None or pd.isna(value) else f"{100 * value:,.{digits}f}{_SPACE}%"


def signed(value: float, digits: int = 0) -> str:
    """Write a difference with its sign: ``+1,234``, ``−0.5``, ``0``."""
    text = f"{abs(value):,.{digits}f}"
    if not text.strip("0.,"):
        return text
    return ("+" if value > 0 else _MINUS) + text


def size(value: float | None) -> str:
    """Write bytes in the unit that fits (powers of 1,000): ``532 B``, ``1.4 MB``."""
    if value is None or pd.isna(value):
        return MISSING
    number = float(value)
    for unit in ("B", "kB", "MB", "GB"):
        if abs(number) < 999.5:
            return f"{number:,.0f}{_SPACE}{unit}" if unit == "B" or number >= 100 else f"{number:,.1f}{_SPACE}{unit}"
        number /= 1000
    return f"{number:,.1f}{_SPACE}TB"
