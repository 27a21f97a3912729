"""Links that wait in the queue and are scored again from time to time, so that those that are worth more by now move up."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from crawler_project.strategies.learning.lookup import Kept, Place, pack, unpack
from crawler_project.strategies.learning.stored import are_numbers, is_count

MOST_WAITING = 500_000
"""Links that are remembered at a time, some 350 MB in all; a crawl that has more has outgrown it."""
LONGEST = 300
"""Characters of the longest URL that is remembered: longer ones are few, and a file of all of them stays readable."""
IN_TURN = 8
"""Links looked at after each download, whatever they are."""
NEAR = 12
"""The same of its directory, and of its host: what was learned there says most about them."""
LET_GO = 32
"""Links forgotten after each download, once there were too many: about as much work as to look at some."""
_SPARE = 1000


@dataclass(slots=True)
class WaitingLink:
    """The best link to a queued URL."""

    kept: Kept
    place: Place
    host: str
    told: float
    """The priority with which it is queued, as far as is known, without what its host adds."""
    offered: float = 0.0
    """The priority that ``kept`` was scored with at first: only a better link takes its place."""

    def __post_init__(self) -> None:
        """A new link is queued as it was scored."""
        self.offered = self.told

    def offer(self, kept: Kept, priority: float) -> None:
        """Take a further link to the URL for what it is worth."""
        self.told = min(self.told, priority)
        if priority < self.offered:
            self.kept, self.offered = kept, priority


class Waiting:
    """Remembers all links that wait; who was looked at goes to the end of the row.

    Once there are more than can be remembered, all are let go, and no others are taken: to let all come up again from time to time
    was better than to remember a part of them (docs/adaptive.md).
    """

    def __init__(self) -> None:
        self._links: OrderedDict[str, WaitingLink] = OrderedDict()
        self._near: dict[int, list[str]] = {}
        """URLs by the slots of their directory and host; those that do not wait any more are let go when they come up."""
        self._noted = 0
        """URLs in all of them."""
        self.is_outgrown = False
        """There were more links than can be remembered."""

    def __len__(self) -> int:
        return len(self._links)

    def get(self, url: str) -> WaitingLink | None:
        return self._links.get(url)

    def add(self, url: str, link: WaitingLink) -> bool:
        """Remember a link to a URL that is not known yet; false when it is too long, or there is no room for it, nor will be."""
        if self.is_outgrown or len(self._links) >= MOST_WAITING:
            self.is_outgrown = True
            return False
        if len(url) > LONGEST:
            return False
        self._links[url] = link
        near, place = self._near, link.place
        for slot in (place.directory, place.host):
            if slot in near:
                near[slot].append(url)
            else:
                near[slot] = [url]
        self._noted += 2
        if self._noted > 4 * len(self._links) + _SPARE:
            self._note_anew()
        return True

    def drop(self, url: str) -> None:
        """Forget a link whose page was downloaded, or will not be."""
        self._links.pop(url, None)

    def due(self, directory: int, host: int) -> Iterator[tuple[str, WaitingLink]]:
        """Give the links to be looked at after a download there, some of them twice."""
        yield from self._due_near(directory)
        yield from self._due_near(host)
        for _ in range(min(IN_TURN, len(self._links))):
            url, link = next(iter(self._links.items()))
            self._links.move_to_end(url)
            yield url, link

    def let_go(self) -> Iterator[tuple[str, WaitingLink]]:
        """Forget the next links, so that they are queued as links are that are not remembered."""
        self._near.clear()
        for _ in range(min(LET_GO, len(self._links))):
            yield self._links.popitem(last=False)

    def to_json(self) -> str:
        """Write all of it, in its order."""
        numbers = {url: number for number, url in enumerate(self._links)}
        links = [[url, link.host, pack(link.kept), link.told, link.offered] for url, link in self._links.items()]
        near = [[slot, [numbers[url] for url in urls if url in numbers]] for slot, urls in sorted(self._near.items())]
        return json.dumps({"links": links, "near": [row for row in near if row[1]], "outgrown": self.is_outgrown})

    @classmethod
    def from_json(cls, text: str, place_of: Callable[[str, str], Place]) -> Waiting:
        """Read what :meth:`to_json` wrote.

        Args:
            place_of: gives the place of a URL and host.

        Raises:
            ValueError: it is damaged.
        """
        waiting, urls = cls(), []
        try:
            stored = json.loads(text)
            for url, host, evidence, told, offered in stored["links"]:
                kept = unpack(evidence)
                if kept is None or not all(map(_is_text, (url, host))) or not are_numbers([told, offered], 2, 0, 1e3):
                    raise ValueError("a link is none")
                waiting._links[url] = link = WaitingLink(kept, place_of(url, host), host, float(told))
                link.offered = float(offered)
                urls.append(url)
            for slot, numbers in stored["near"]:
                if not is_count(slot) or not all(is_count(number) for number in numbers):
                    raise ValueError("a place is none")
                waiting._near[slot] = [urls[number] for number in numbers]
            waiting.is_outgrown = bool(stored["outgrown"])
        except (LookupError, TypeError, AttributeError, ValueError, RecursionError) as error:
            raise ValueError(f"the links that wait are damaged: {error}") from error
        waiting._noted = sum(map(len, waiting._near.values()))
        return waiting

    def _due_near(self, slot: int) -> Iterator[tuple[str, WaitingLink]]:
        """Give the first ones of a directory or host, which go to the end of its row."""
        near, links = self._near.get(slot, []), self._links
        found: list[tuple[str, WaitingLink]] = []
        passed = 0
        while passed < len(near) and len(found) < NEAR:
            url = near[passed]
            passed += 1
            if url in links:
                found.append((url, links[url]))
        self._noted -= passed - len(found)
        del near[:passed]
        near += [url for url, _ in found]
        if not near:
            self._near.pop(slot, None)
        return iter(found)

    def _note_anew(self) -> None:
        """Let go what does not wait any more; the order within each slot stays."""
        links = self._links
        left = {slot: [url for url in urls if url in links] for slot, urls in self._near.items()}
        self._near = {slot: urls for slot, urls in left.items() if urls}
        self._noted = sum(map(len, self._near.values()))


def _is_text(value: object) -> bool:
    return isinstance(value, str)
