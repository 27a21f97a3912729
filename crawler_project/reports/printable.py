"""Text from the web on a terminal."""

from __future__ import annotations

from unicodedata import category


def printable(text: str) -> str:
    """Make text safe to print: what could steer a terminal or turn the direction of writing becomes ``·``."""
    return "".join(letter if letter.isprintable() or category(letter) == "Zs" else "·" for letter in text)
