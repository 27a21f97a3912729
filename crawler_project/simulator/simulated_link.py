"""Pages and links of a recorded web as the strategies see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, overload

from crawler_project.core.values import NO_SCORES, Counts, LinkScores
from crawler_project.simulator.web import Web


class WebView:
    """A web, and what is known of it in advance: shared by all links of a simulation."""

    __slots__ = ("leads_to_target", "web")

    def __init__(self, web: Web, leads_to_target: bytes | None = None) -> None:
        self.web = web
        self.leads_to_target = leads_to_target
        """One truth value a page, for strategies that need the whole web (R19); ``None`` for all others."""


class SimulatedLink(NamedTuple):
    """A link as a strategy sees it (:class:`crawler_project.core.seams.ScorableLink`); texts are looked
    up when they are asked for."""

    view: WebView
    page: int
    """The page that it leads to."""
    same_host: bool
    tld_is_target: bool
    anchor_is_target: bool
    counts: Counts
    link: int = -1
    """Its place among all links of the web; -1: not known, and no texts."""

    @property
    def scores(self) -> LinkScores:
        topic = self.view.web.topic
        return NO_SCORES if topic is None else topic.link_scores(self.link)

    @property
    def anchor_text(self) -> str:
        texts = self.view.web.texts
        return "" if texts is None else texts.anchor_text(self.link)

    @property
    def context(self) -> str:
        texts = self.view.web.texts
        return "" if texts is None else texts.context(self.link)

    @property
    def url(self) -> str:
        return self.view.web.url(self.page)

    @property
    def host(self) -> str:
        return self.view.web.host(self.page)

    @property
    def tld_evidence(self) -> str:
        return f"tld {self.view.web.tld_names[self.view.web.tlds[self.page]]}"

    @property
    def anchor_evidence(self) -> str:
        return f"anchor {self.view.web.target_lang if self.anchor_is_target else 'other'}"

    @property
    def leads_to_target(self) -> bool:
        """The page is a target page, or the way to one (R19)."""
        return bool(self.view.leads_to_target and self.view.leads_to_target[self.page])


class LazyLinks(Sequence[SimulatedLink]):
    """The links of a page, made when a strategy looks at one: half of the strategies only count them."""

    __slots__ = ("_count", "_links", "_make")

    def __init__(self, count: int, make: Callable[[], list[SimulatedLink]]) -> None:
        """``make`` gives all ``count`` links; it is called once at most."""
        self._count = count
        self._make = make
        self._links: list[SimulatedLink] | None = None

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[SimulatedLink]:
        return iter(self._all())

    @overload
    def __getitem__(self, index: int) -> SimulatedLink: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[SimulatedLink]: ...
    def __getitem__(self, index: int | slice) -> SimulatedLink | Sequence[SimulatedLink]:
        return self._all()[index]

    def _all(self) -> list[SimulatedLink]:
        if self._links is None:
            self._links = self._make()
        return self._links
