"""Where a crawl writes: a folder that can be written, found or made before anything is fetched."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

from crawler_project.core.errors import ConfigurationError


def make_writable(path: Path, argument: str = "output") -> None:
    """Make a folder, and try that files can be made there.

    Args:
        argument: what the user calls it.

    Raises:
        ConfigurationError: it cannot be written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):  # of a name of its own: workers of one crawl start at the same time
            pass
    except OSError as error:
        raise ConfigurationError(
            f"{argument}={str(path)!r} cannot be written: {error.strerror}; choose another folder"
        ) from error


def free_folder(stem: str) -> Path:
    """``output/ko-experimental``, or the first of ``…-2``, ``…-3`` that no crawl has used."""
    number = 1
    while (path := Path(stem if number == 1 else f"{stem}-{number}")).exists() and any(path.iterdir()):
        number += 1
    return path
