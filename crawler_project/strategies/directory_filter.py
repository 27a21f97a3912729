"""Tamura's directory-based filtering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler_project.strategies.unit_filter import UnitFilter


@dataclass(frozen=True)
class DirectoryFilter(UnitFilter):
    """Drop links into directories (host and path up to its last ``/``) poor in target pages so far.

    Source: Tamura 2006, "Directory-based filtering, conservative", in Chan & Yamana 2010, Section 2.2;
    R17. Parameters: see :class:`~crawler_project.strategies.unit_filter.UnitFilter`.
    """

    name: ClassVar[str] = "directory_filter"
    unit: ClassVar[str] = "directory"
