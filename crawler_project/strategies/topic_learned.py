"""A topic crawl that learns which links are worth following from what followed links turned out to be."""

from __future__ import annotations

import json
from array import array
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import Visit
from crawler_project.strategies.base import Revision, Strategy
from crawler_project.strategies.parameters import parse_value
from crawler_project.strategies.topic_admission import Refused, of_anchor, of_block, of_context
from crawler_project.strategies.topic_evidence import LinkEvidence, evidence_of, pack, page_key, unpack
from crawler_project.strategies.topic_lessons import Features, LinkLessons, features_of, value_at_first

CENTRE: Final = 4.0
"""Priority of a link of value 0; lower is sooner, and never below 0."""
FALLEN: Final = 0.05
"""A selected URL is put back only if its value has fallen by more."""
RISEN: Final = 0.02
"""A queued URL moves up only if its value has risen by more."""
LOOKED_AT: Final = 400
"""Queued links that are scored again after each download, in turn."""
MOST_OPEN: Final = 5_000
"""Queued links that are remembered to be scored again."""


class TopicLearned(Strategy):
    """Follow the links of the highest expected value first, as learned from the downloads so far.

    Source: our own, starting from the three texts of CBP-SLC (Algorithm 4): the value of a link is first a weighted
    mean of the scores of its block, anchor and context. A linear model of these scores, of its page's score and of the words
    of anchor, context and URL adds what was learned (:class:`~crawler_project.strategies.topic_lessons.LinkLessons`).

    The queue follows what is learned: a URL that is worth less by now is put back when its turn comes, links that are
    worth more move up (:meth:`revisions`). Without the latter a link found before the first lessons keeps the rank
    that it was given in ignorance: most of the gain is lost (docs/topic-crawling.md).

    Plain data, nothing random: equal pages in equal order give equal answers. ``refused=hard`` drops what CBP-SLC
    refuses.
    """

    name: ClassVar[str] = "topic_learned"
    inherit: bool = False

    def __init__(self, refused: Refused = "soft") -> None:
        parse_value(self.name, "refused", Refused, refused)
        self.refused = refused
        self.lessons = LinkLessons()
        self._open: OrderedDict[str, _OpenLink] = OrderedDict()
        """By URL, the best link to it; the next to be looked at first."""
        self._latest: tuple[str, dict[_Texts, LinkEvidence]] = ("", {})
        """Of the page whose links were scored last: made for the score, wanted again for the queue."""

    def parameters(self) -> dict[str, object]:
        return {"refused": self.refused}

    @property
    def weights(self) -> array[float]:
        """What was learned, by slot; all 0 at first."""
        return self.lessons.weights

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        self._latest = (visit.url, {})
        return [None if self._is_dropped(link) else self._score(visit, link) for link in links]

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        """The rule of CBP-SLC that admits the link, or that it is refused; and its value as learned so far."""
        admission = of_block(link) or of_anchor(link) or of_context(link)
        rule = f"{admission.rule} {admission.score:.2f}" if admission else "refused"
        return f"{rule}, learned {CENTRE - priority:.2f}"

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        return pack(self._evidence_of(visit, link))

    def value(self, link: LinkEvidence) -> float:
        """Give the expected worth of a link, in relevant pages."""
        return self.lessons.value(value_at_first(link), features_of(link))

    def learn_one(self, evidence: str, visit: Visit) -> None:
        self._open.pop(visit.url, None)
        self.lessons.learn(page_key(visit.url), evidence, visit.is_target)

    def learn_lesson(self, page: int, evidence: str, is_target: bool) -> None:
        """Learn from a page that another worker or an earlier run downloaded (``page``: its :func:`page_key`)."""
        self.lessons.learn(page, evidence, is_target)

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        link = unpack(evidence)
        if link is None:
            return None
        value = self.value(link)
        if _priority(value) <= priority + FALLEN:
            return None
        if url in self._open:
            self._open[url].told = value
        return _priority(value)

    def revisions(self) -> Sequence[Revision]:
        found = []
        value_of = self.lessons.value
        for _ in range(min(LOOKED_AT, len(self._open))):
            url, link = next(iter(self._open.items()))
            self._open.move_to_end(url)
            value = value_of(link.first, link.features)
            if value > link.told + RISEN:
                link.told = value
                found.append(Revision(url, _priority(value), pack(link.evidence)))
        return found

    def state(self) -> dict[str, bytes]:
        rows = [[url, pack(link.evidence), link.told] for url, link in self._open.items()]
        return {**self.lessons.state(), "open": json.dumps(rows).encode()}

    def restore(self, state: Mapping[str, bytes]) -> None:
        self.lessons.restore(state)
        self._open.clear()
        for url, evidence, told in json.loads(state["open"]):
            link = unpack(evidence)
            if link is None:
                raise ValueError(f"{evidence!r:.40} is no evidence")
            self._open[url] = _open_link(link, told)

    def _is_dropped(self, link: ScorableLink) -> bool:
        return self.refused == "hard" and not (of_block(link) or of_anchor(link) or of_context(link))

    def _score(self, visit: Visit, link: ScorableLink) -> float:
        evidence = self._evidence_of(visit, link)
        made = _open_link(evidence, 0.0)
        made.told = value = self.lessons.value(made.first, made.features)
        url = link.url
        known = self._open.get(url)
        if (known is None or value > known.told) and url != visit.url and page_key(url) not in self.lessons:
            self._open[url] = made
            if len(self._open) > MOST_OPEN:
                self._open.popitem(last=False)
        return _priority(value)

    def _evidence_of(self, visit: Visit, link: ScorableLink) -> LinkEvidence:
        page, made = self._latest
        if page != visit.url:
            return evidence_of(visit, link)
        texts = (link.url, link.anchor_text, link.context, *link.scores)
        if texts not in made:
            made[texts] = evidence_of(visit, link)
        return made[texts]


_Texts = tuple[str | float, ...]


@dataclass(slots=True)
class _OpenLink:
    """A link to a queued URL."""

    evidence: LinkEvidence
    first: float
    features: Features
    told: float
    """The value by which the URL stands in the queue."""


def _open_link(evidence: LinkEvidence, told: float) -> _OpenLink:
    return _OpenLink(evidence, value_at_first(evidence), features_of(evidence), told)


def _priority(value: float) -> float:
    return max(0.0, CENTRE - value)
