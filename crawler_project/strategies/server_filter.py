"""Tamura's server-based filtering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from crawler_project.strategies.unit_filter import UnitFilter


@dataclass(frozen=True)
class ServerFilter(UnitFilter):
    """Drop links into servers that have given too few target pages so far.

    Source: Tamura 2006, "Server-based filtering", aggressive and conservative, in Chan & Yamana 2010,
    Section 2.2; R17. Parameters: see :class:`~crawler_project.strategies.unit_filter.UnitFilter`.
    """

    name: ClassVar[str] = "server_filter"
    unit: ClassVar[str] = "host"
