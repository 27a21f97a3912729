"""The seam of all strategies: which links are worth following, and how soon."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import KEEP_HOST, Counts, HostVerdict, Visit
from crawler_project.strategies.parameters import parameter_types, parse_value


def distance_of_links(visit: Visit) -> int:
    """Give d of the URLs found on a page: 1 on a relevant page, else one more than the page's own (R9).

    Source: Somboonviwat 2006, Section 5, step 1 (distance from the latest relevant parent page), with
    a link of a relevant page at distance 1 as in Section 4.2.2.
    """
    return 1 if visit.is_relevant else visit.distance + 1


class Revision(NamedTuple):
    """A queued URL of which a strategy has come to think better."""

    url: str
    priority: float
    """Lower is sooner; better than the one that it was queued with."""
    evidence: str
    """Takes the place of what was kept with it (:meth:`Strategy.evidence`)."""


class Strategy:
    """Score the links of one downloaded page. Pure: equal arguments, equal answers.

    Subclasses keep each keyword argument under its own name (as scikit-learn's estimators
    do), so that a strategy can be printed, compared and stored. Frozen dataclasses do so by
    themselves; their values are checked against the annotations when they are made.
    """

    name: ClassVar[str] = ""
    unit: ClassVar[str] = ""
    """Whose download counts a link needs: ``host``, ``directory``, or ``""`` for none."""
    tracks_distance: ClassVar[bool] = False
    """Whether a smaller distance improves a queued URL of equal priority (R5)."""
    needs_whole_web: ClassVar[bool] = False
    """Runs in the simulator only."""
    reads_texts: ClassVar[bool] = False
    """Texts of links are evidence; the simulator reads them then, where they are recorded."""
    inherit: bool = True
    """A page of unknown language counts as its parent's language (R7)."""

    def __post_init__(self) -> None:
        """Check every field of a dataclass, however it was made.

        Raises:
            ConfigurationError: a value of another type or out of range.
        """
        types = parameter_types(type(self))
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = parse_value(self.name, field.name, types[field.name], getattr(self, field.name))
            object.__setattr__(self, field.name, value)

    def score_links(self, visit: Visit, links: Sequence[ScorableLink]) -> Sequence[float | None]:
        """One priority for each link, lower is sooner; ``None`` discards the link."""
        raise NotImplementedError

    def explain(self, visit: Visit, link: ScorableLink, priority: float) -> str:
        """Why this link was kept, in a few words; the first word names the rule."""
        raise NotImplementedError

    def evidence(self, visit: Visit, link: ScorableLink) -> str:
        """What is to be kept with a queued link for :meth:`learn_one`; short, since millions are kept."""
        return ""

    def learn_one(self, evidence: str, visit: Visit) -> None:
        """Learn from what a followed link turned out to be; called once a downloaded page, before its links are scored."""

    def learn_gone(self, evidence: str, visit: Visit) -> None:
        """Learn from a followed link that led to no page (404, an image, no connection after all attempts).

        Args:
            visit: of no language, off target; only its URL and host say something. :meth:`judge_host_of` is asked about it next.
        """

    def forget(self, url: str) -> None:
        """Take note that a URL whose links were scored is out of the queue, or never came into it, without a download to learn from
        (a redirect, robots.txt, a trap)."""

    def lesson(self) -> str:
        """What the latest download taught, for the other workers of the crawl, who :meth:`hear` it; empty: nothing new.

        At most :data:`~crawler_project.core.values.LONGEST_LESSON` characters. Asked once after :meth:`learn_one` or :meth:`learn_gone`.
        """
        return ""

    def hear(self, lesson: str) -> None:
        """Learn from a download of another worker (:meth:`lesson`); what is no lesson is passed over."""

    def judge_host(self, counts: Counts) -> HostVerdict:
        """What to do with all queued URLs of a host that has these counts; asked after every page."""
        return KEEP_HOST

    def judge_host_of(self, visit: Visit, counts: Counts) -> HostVerdict:
        """What to do with all queued URLs of the host of a page that was just learned from; by default what its counts say."""
        return self.judge_host(counts)

    def reconsider(self, url: str, host: str, priority: float, evidence: str) -> float | None:
        """The worse priority with which a selected URL goes back into the queue; ``None``: it is downloaded now.

        A strategy that learns may think less of a URL than when it was queued; whoever comes up is asked
        about again, so that no queue has to be rewritten.
        """
        return None

    def awaited(self, url: str, host: str, evidence: str) -> float | None:
        """The rank (priority with the verdict about the host, lower is sooner) of URLs that a selected one has to wait for;
        ``None``: it is downloaded now.

        Asked where hosts rest and several pages are fetched at a time: a slot that is free may better wait for a good host
        than download what is hardly worth it. Whether there is such a host is for the frontier to say.
        """
        return None

    def revisions(self) -> Sequence[Revision]:
        """Give links scored earlier that are worth more by now; asked once after the links of each page are scored.

        The counterpart of :meth:`reconsider`: what has become worse waits until its turn, what has become better must
        move up. URLs that are not queued any more may be among them; whoever asks passes over those.
        """
        return ()

    def is_exhausted(self) -> bool:
        """Whether the crawl is to end because too little is left to find; asked after every page."""
        return False

    def admits(self, counts: Counts) -> bool:
        """Whether a URL is still wanted when it is selected, by the counts of its ``unit``."""
        return True

    def state(self) -> dict[str, bytes]:
        """All that a strategy has learned and remembers, by name; nothing for strategies that do not learn."""
        return {}

    def restore(self, state: Mapping[str, bytes]) -> None:
        """Take over what :meth:`state` gave of a strategy of equal parameters.

        Raises:
            ValueError: it is damaged.
        """

    def parameters(self) -> dict[str, object]:
        """The keyword arguments that make this strategy again."""
        return dict(sorted(vars(self).items()))

    def __repr__(self) -> str:
        arguments = ", ".join(f"{key}={value!r}" for key, value in self.parameters().items())
        return f"{type(self).__name__}({arguments})"
