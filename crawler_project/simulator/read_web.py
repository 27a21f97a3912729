"""Read a web in whichever of the two formats it is."""

from __future__ import annotations

from pathlib import Path

from crawler_project.core.errors import ConfigurationError
from crawler_project.simulator.golden import read_golden
from crawler_project.simulator.parquet_web import read_parquet_web
from crawler_project.simulator.web import Web


def read_web(path: Path) -> Web:
    """Read a ``langcrawl-web/1`` directory or a ``langcrawl-golden/1`` file.

    Raises:
        ConfigurationError: nothing there, or anything wrong with it; names file, row and column.
    """
    if path.is_dir():
        return read_parquet_web(path)
    if not path.is_file():
        raise ConfigurationError(
            f"{path} does not exist; give a langcrawl-web/1 directory or a langcrawl-golden/1 file"
        )
    return read_golden(path)[0]
