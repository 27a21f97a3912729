"""What the argument of a command names."""

from __future__ import annotations

from pathlib import Path
from typing import Literal


def kind_of(argument: str) -> Literal["file", "folder", ""]:
    """Say whether a text names a file or a folder; empty: neither, also where it is too long, or with a NUL, to be a name."""
    try:
        path = Path(argument)
        return "file" if path.is_file() else "folder" if argument and path.is_dir() else ""
    except (OSError, ValueError):
        return ""
