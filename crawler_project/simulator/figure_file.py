"""Files that figures are drawn into: refused before the work, not after it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from crawler_project.core.errors import ConfigurationError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")


def check_figure_file(path: Path) -> None:
    """Raise :class:`ConfigurationError` when ``path`` is of no known format, or in no folder."""
    if path.suffix.lower() not in FORMATS or not path.absolute().parent.is_dir() or path.is_dir():
        raise ConfigurationError(f"{path} cannot be drawn; name a .png, .svg or .pdf file in a folder that exists")


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the file's name.

    Raises:
        ConfigurationError: the file cannot be written, or its suffix is of no known format.
    """
    check_figure_file(path)
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise ConfigurationError(f"{path} cannot be written: {error}") from error
