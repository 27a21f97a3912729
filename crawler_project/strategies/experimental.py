"""The URL-queuing rule of Chan & Yamana's experimental group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.base import Strategy


class Experimental(Strategy):
    """Keep a link if its TLD is the target's, or else if its anchor text is in the target language.

    Source: Chan & Yamana 2010, Section 3 (rules) and 4 ("We don't prioritize the URLs in queue");
    R16 "TLD-or-anchor".
    """

    name: ClassVar[str] = "experimental"

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        return [0.0 if link.tld_is_target or link.anchor_is_target else None for link in links]

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        return link.tld_evidence if link.tld_is_target else link.anchor_evidence
