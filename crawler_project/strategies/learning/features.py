"""What a learning crawl looks at: groups of evidence, each cut into classes with one weight a class.

Every group is categorical, so that a model over it is a sum of table look-ups, needs no scaling, and can be
read by people. Counts are cut where evidence changes: one, two, a few, many.
"""

from __future__ import annotations

from functools import cache
from math import log
from typing import NamedTuple

from crawler_project.core.values import UNKNOWN, Visit
from crawler_project.strategies.base import distance_of_links

MOST_COUNTED = 32
"""Counts of a host, domain or directory are halved beyond it, so that they follow what it is like now."""
MOST_IN_LINKS = 255
_SHARES = 8
_SIZES = (1, 2, 4, 8, 16)
"""Upper ends of the classes by number of pages; one more class is open."""
COUNT_CLASSES = 1 + _SHARES * (len(_SIZES) + 1)
"""Class 0: no page yet; then eight shares of target pages for each number of pages."""
IN_CLASSES = 9
_IN_ENDS = (0, 1, 2, 4, 8, 16, 32, 64)
HOST_KINDS = ("new host", "host without", "host with few", "host with many", "host nearly full")
"""Share of target pages so far: no page yet, none, below three eighths, below three quarters, more."""
_N_HOST_KINDS = len(HOST_KINDS)
_WAY_ENDS = (0, 1, 2, 4, 8)
WAY_IN_CLASSES = 6
WAYS = WAY_IN_CLASSES * WAY_IN_CLASSES * _N_HOST_KINDS
"""Kinds of pages that are off target themselves but may lead to target pages."""
LANGUAGES = ("target", "unknown", "en", "other")
DISTANCES = 6
PLACES = ("other site", "same domain", "same host")
OTHER_SITE, SAME_DOMAIN, SAME_HOST = range(3)
TLDS = 64
WORDS = ANCHOR_WORDS = 1024
MOST_WORDS = 8
"""Of a path, and of an anchor: the first ones."""
WAY_WORDS = 4
"""Last of those of a path, and first of those of an anchor, that may say what a page leads to."""


class Group(NamedTuple):
    """One kind of evidence and the place of its weights among all."""

    name: str
    start: int
    size: int
    meaning: str


def _lay_out() -> dict[str, Group]:
    described = (
        ("parent", len(LANGUAGES) * DISTANCES * len(PLACES), "language of the linking page, hops since a target page, place of the link"),
        ("anchor", 12, "anchor text in a target language, behind a target page or not, place of the link"),
        ("referrer", COUNT_CLASSES + 1, "target pages so far of the other host that links"),
        ("way", 1 + WAYS * len(PLACES), "links found to the linking page and target pages of its host, if it is off target"),
        ("tld", TLDS, "top-level domain, hashed"),
        ("target tld", 4, "top-level domain is the target's; host seen before or new"),
        ("in-links", IN_CLASSES * IN_CLASSES, "links found to the URL, on target pages and on others"),
        ("directory", COUNT_CLASSES, "target pages so far in the directory"),
        ("domain", COUNT_CLASSES, "target pages so far in the registered domain"),
        ("new host", 1 + IN_CLASSES * IN_CLASSES, "links found to a host without downloads, on target pages and on others"),
        ("host", COUNT_CLASSES, "target pages so far on the host"),
        ("words", WORDS, "words of path and query, hashed"),
        ("anchor words", ANCHOR_WORDS, "words of the anchor text, hashed"),
        ("way words", WORDS, "last words of a path, by what its page leads to if it is off target"),
        ("way anchor words", ANCHOR_WORDS, "first words of an anchor, by what its page leads to if it is off target"),
    )  # fmt: skip
    groups, start = {}, 0
    for name, size, meaning in described:
        groups[name] = Group(name, start, size, meaning)
        start += size
    return groups


GROUPS = _lay_out()
N_WEIGHTS = sum(group.size for group in GROUPS.values())
OF_LINK = ("parent", "anchor", "referrer", "way", "target tld")
"""Groups that are known only where the link stands; the others can be looked up again by the URL."""
PARTICULAR = ("tld", "words", "anchor words", "way words", "way anchor words")
"""Groups that speak of one target only: no other crawl starts from them."""
(
    PARENT, ANCHOR, REFERRER, WAY, TLD, TARGET_TLD, IN_LINKS, DIRECTORY, DOMAIN, NEW_HOST, HOST, WORD, ANCHOR_WORD,
    WAY_WORD, WAY_ANCHOR_WORD,
) = (group.start for group in GROUPS.values())  # fmt: skip


def group_of(weight: int) -> Group:
    """Find the group that a weight belongs to."""
    return next(group for group in GROUPS.values() if weight < group.start + group.size)


def _count_class(pages: int, target_pages: int) -> int:
    if not pages:
        return 0
    size = next((row for row, end in enumerate(_SIZES) if pages <= end), len(_SIZES))
    share = _SHARES * target_pages // pages
    if target_pages:  # only all and none are at the ends
        share = _SHARES - 1 if target_pages == pages else min(max(share, 1), _SHARES - 2)
    return 1 + size * _SHARES + share


COUNT_CLASS = [[_count_class(pages, targets) for targets in range(pages + 1)] for pages in range(MOST_COUNTED + 1)]
"""``COUNT_CLASS[pages][target_pages]``, pages up to ``MOST_COUNTED``."""
_SHARE_KINDS = (1, 2, 2, 3, 3, 3, 4, 4)
HOST_KIND = [[0 if not row else _SHARE_KINDS[(row - 1) % _SHARES] for row in rows] for rows in COUNT_CLASS]
"""Row of ``HOST_KINDS``, as ``COUNT_CLASS``."""
WAY_IN_CLASS = [next((row for row, end in enumerate(_WAY_ENDS) if n <= end), len(_WAY_ENDS)) for n in range(256)]
IN_CLASS = [next((row for row, end in enumerate(_IN_ENDS) if n <= end), len(_IN_ENDS)) for n in range(256)]
"""Class of a number of links, 0 to 255."""


def way_class(on_targets: int, on_others: int, pages: int, target_pages: int) -> int:
    """Give the kind of page that a URL is, should it be off target: by the links found to it, and the pages of its host so far."""
    links = WAY_IN_CLASS[on_targets] * WAY_IN_CLASSES + WAY_IN_CLASS[on_others]
    return links * _N_HOST_KINDS + HOST_KIND[pages][target_pages]


def parent_class(visit: Visit) -> int:
    """Give the class of the linking page, to which :data:`PLACES` are to be added."""
    if visit.is_target:
        language = 0
    elif visit.language in (UNKNOWN, ""):
        language = 1
    else:
        language = 2 if visit.language == "en" else 3
    return PARENT + (language * DISTANCES + min(DISTANCES - 1, distance_of_links(visit))) * len(PLACES)


def first_weights() -> list[float]:
    """Weights before the first download, in log-odds: what the published strategies believe, said carefully.

    Links of target pages are better than others, near ones than far ones, and links that stay on the host
    (Somboonviwat 2006, Tables 4 and Figure 3); so are target anchors and domains (Chan & Yamana 2010, Section 3),
    and units of the web that gave target pages (Tamura 2006 ibid., Section 2.2): a host's share of target pages in full, those of
    directory and domain in part, since the three are not independent. A crawl soon overrules them.
    """
    weights = [0.0] * N_WEIGHTS
    for language, base in enumerate((0.0, -1.6, -1.0, -1.4)):
        for distance in range(DISTANCES):
            for place in range(len(PLACES)):
                at = PARENT + (language * DISTANCES + distance) * len(PLACES) + place
                weights[at] = (0.3, 0.6, 1.4)[place] if language == 0 else base - 0.25 * max(0, distance - 2)
    weights[ANCHOR + 6 : ANCHOR + 12] = [0.6] * 6
    weights[TARGET_TLD + 1] = weights[TARGET_TLD + 3] = 0.8
    for on_target in range(IN_CLASSES):
        for on_others in range(IN_CLASSES):
            value = 0.25 * (on_target - 1) if on_target else -0.1 * on_others
            weights[IN_LINKS + on_target * IN_CLASSES + on_others] = value
    for start, scale in ((DIRECTORY, 0.6), (DOMAIN, 0.3), (HOST, 1.0)):
        weights[start : start + COUNT_CLASSES] = _beliefs(scale)
    weights[REFERRER + 1 : REFERRER + 1 + COUNT_CLASSES] = _beliefs(0.1)
    return weights


def _beliefs(scale: float) -> list[float]:
    """Log-odds of a share of target pages, shrunk while pages are few; 0 without any."""
    weights = [0.0] * COUNT_CLASSES
    for size, pages in enumerate((1, 2, 3, 6, 12, 24)):
        for share in range(_SHARES):
            part = 0.0 if share == 0 else 1.0 if share == _SHARES - 1 else (share + 0.5) / _SHARES
            odds = (part * pages + 0.4) / (pages - part * pages + 0.4)
            weights[1 + size * _SHARES + share] = scale * min(4.0, max(-4.0, log(odds))) * pages / (pages + 1)
    return weights


@cache
def describe_class(weight: int) -> str:
    """Say in a few words what a weight stands for: ``host 25 to 37 % of 9 to 16``."""
    group = group_of(weight)
    row = weight - group.start
    return f"{group.name} {_describe_row(group, row)}".rstrip()


def _describe_row(group: Group, row: int) -> str:
    if group.name == "parent":
        language, distance, place = row // 18, row // 3 % 6, row % 3
        hops = "" if language == 0 else f" {distance} hops{' or more' if distance == 5 else ''}"
        return f"{LANGUAGES[language]}{hops}, {PLACES[place]}"
    if group.name == "anchor":
        return f"{'target' if row >= 6 else 'other'}, {'target' if row % 6 >= 3 else 'other'} page, {PLACES[row % 3]}"
    if group.name == "target tld":
        return f"{'yes' if row % 2 else 'no'}, {'known' if row >= 2 else 'new'} host"
    if group.name in ("directory", "domain", "host"):
        return _describe_counts(row)
    if group.name == "referrer":
        return "same host" if row == 0 else _describe_counts(row - 1)
    if group.name == "in-links":
        return _describe_in_links(row)
    if group.name == "new host":
        return "no" if row == 0 else _describe_in_links(row - 1)
    if group.name == "way":
        return "target page" if row == 0 else f"{describe_way((row - 1) // 3)}, {PLACES[(row - 1) % 3]}"
    return str(row)


def _describe_counts(row: int) -> str:
    if row == 0:
        return "no page yet"
    size, share = divmod(row - 1, _SHARES)
    pages = (*("1", "2", "3 to 4", "5 to 8", "9 to 16"), "17 or more")[size]
    if share in (0, _SHARES - 1):
        return f"{'all' if share else 'none'} of {pages}"
    return f"about {100 * share // _SHARES} % of {pages}"


def describe_way(way: int) -> str:
    """Say what pages of a way have in common: ``1 on target, 0 on other pages, host with few``."""
    links, kind = divmod(way, _N_HOST_KINDS)
    return f"{_describe_in_links(links // WAY_IN_CLASSES * IN_CLASSES + links % WAY_IN_CLASSES)}, {HOST_KINDS[kind]}"


def _describe_in_links(row: int) -> str:
    names = ("0", "1", "2", "3 to 4", "5 to 8", "9 to 16", "17 to 32", "33 to 64", "65 or more")
    return f"{names[row // IN_CLASSES]} on target, {names[row % IN_CLASSES]} on other pages"
