"""Text from the web on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from unicodedata import category


def printable(text: str) -> str:
    """Make text safe to print: what could steer a terminal or turn the direction of writing becomes ``·``."""
    return "".join(letter if letter.isprintable() or category(letter) == "Zs" else "·" for letter in text)


def tell(message: str) -> None:
    """Print a message on standard error in one line: what it quotes may come from the web, or from a damaged file."""
    sys.stderr.write(printable(message) + "\n")


def print_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output; what it cannot encode becomes ``?``. A reader that goes away (``head``) ends it."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        for line in lines:
            sys.stdout.write(printable(line).encode(encoding, "replace").decode(encoding) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - the interpreter flushes it at its end
