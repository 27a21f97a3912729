"""What is known of a link where it stands, packed into a short text: scores and the words around it."""

from __future__ import annotations

import re
import struct
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from zlib import crc32

from crawler_project.core.seams import ScorableLink
from crawler_project.core.values import LinkScores, Visit

SLOTS: Final = 1 << 15
"""Words are hashed into so many weights."""
WEIGHTS: Final = SLOTS + 4
"""Those, and one each for the scores of block, anchor, context and page."""
_MOST: Final = {"anchor": 12, "context": 40, "url": 12}
_WORD: Final = re.compile(r"[^\W\d_]{2,}|~")
_STEP: Final = 64.0
_HEAD: Final = struct.Struct("<4bIBBB")


class LinkEvidence(NamedTuple):
    """The numbers that a link is scored by."""

    scores: LinkScores
    page_score: float
    """Of the page that it stands on."""
    parent: int
    """Key of that page (:func:`page_key`)."""
    anchor: Sequence[int]
    """Slots of the words of the anchor text."""
    context: Sequence[int]
    """Slots of the words of the context that the anchor has not."""
    url: Sequence[int]
    """Slots of the words and the depth of the path, and whether the link stays on its host."""

    def features(self) -> dict[int, float]:
        """Give the value of each slot: the four scores, and the words; a context counts as much as two words of an
        anchor, whatever its length."""
        values: dict[int, float] = dict(enumerate((*self.scores, self.page_score), SLOTS))
        share = 2.0 / max(1.0, len(self.context) ** 0.5)
        for slots, value in ((self.anchor, 1.0), (self.context, min(1.0, share)), (self.url, 1.0)):
            for slot in slots:
                values[slot] = values.get(slot, 0.0) + value
        return values


def evidence_of(visit: Visit, link: ScorableLink) -> LinkEvidence:
    """Collect what is known of a link. Pure: equal links on equal pages, equal evidence."""
    words = list(dict.fromkeys(_words(link.anchor_text)))[: _MOST["anchor"]]
    around = [word for word in dict.fromkeys(_words(link.context)) if word not in words][: _MOST["context"]]
    path = link.url.split("?", 1)[0].split("/", 3)[3:]
    parts = path[0].lower() if path else ""
    of_url = [
        f"depth {min(parts.count('/'), 6)}",
        f"same {link.same_host}",
        f"folder {not parts or parts.endswith('/')}",
    ]
    of_url += list(dict.fromkeys(_words(parts)))[: _MOST["url"]]
    return LinkEvidence(
        LinkScores(*(_rounded(score) for score in link.scores)),
        _rounded(visit.topic_score),
        page_key(visit.url),
        [_slot("a", word) for word in words],
        [_slot("c", word) for word in around],
        [_slot("u", word) for word in of_url],
    )


def pack(evidence: LinkEvidence) -> str:
    """Write evidence as text, 30 to 180 characters."""
    scores = [round(score * _STEP) for score in (*evidence.scores, evidence.page_score)]
    groups = (evidence.anchor, evidence.context, evidence.url)
    head = _HEAD.pack(*scores, evidence.parent, *map(len, groups))
    slots = [slot for group in groups for slot in group]
    return b64encode(head + struct.pack(f"<{len(slots)}H", *slots)).decode("ascii")


def unpack(text: str) -> LinkEvidence | None:
    """Read what :func:`pack` wrote; ``None`` for anything else."""
    try:
        data = b64decode(text, validate=True)
        block, anchor, context, page, parent, *sizes = _HEAD.unpack_from(data)
        slots = struct.unpack(f"<{sum(sizes)}H", data[_HEAD.size :])
    except (ValueError, struct.error):
        return None
    first, second = sizes[0], sizes[0] + sizes[1]
    scores = LinkScores(block / _STEP, anchor / _STEP, context / _STEP)
    return LinkEvidence(scores, page / _STEP, parent, slots[:first], slots[first:second], slots[second:])


def page_key(url: str) -> int:
    """A number for a page."""
    return crc32(url.encode("utf-8", "replace"))


def _words(text: str) -> Iterator[str]:
    """Words in lower case; pairs of characters where letters of other scripts stand close together."""
    for word in _WORD.findall(text.lower()):
        if word.isascii() or len(word) < 3:
            yield word
        else:
            yield from map("".join, pairwise(word))


def _slot(kind: str, word: str) -> int:
    return crc32(f"{kind}:{word}".encode("utf-8", "replace")) % SLOTS


def _rounded(score: float) -> float:
    return round(max(-1.9, min(1.9, score)) * _STEP) / _STEP
